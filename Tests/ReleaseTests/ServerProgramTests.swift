// What the program that ships contains, and loads.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct ServerProgramTests {
    private static let program = Programs.shipped + "/mulliond"

    // Any use of one of these links all of it, without an error: see Architecture.md. _RegexParser comes with
    // _StringProcessing; com.apple.root names Dispatch's queues, which Swift's concurrency links.
    @Test(
        "the programs contain no part of Foundation or of regular expressions, nor the server of Swift's concurrency",
        arguments: [
            ("mulliond", ["FoundationEssentials", "_RegexParser", "com.apple.root"]),
            ("mullionctl", ["FoundationEssentials", "_RegexParser"]),
            ("mullion-x11", ["FoundationEssentials", "_RegexParser"]),
        ])
    func libraries(program: String, names: [String]) throws {
        #expect(try contains("swift_retain", program))
        for name in names { #expect(try !contains(name, program), "\(name)") }
    }

    private func contains(_ name: String, _ program: String) throws -> Bool {
        let search = try Program("grep", ["-qaF", name, "\(Programs.shipped)/\(program)"])
        _ = search.outputAtEnd()
        return search.exitStatus == 0
    }

    @Test(
        "a start loads few libraries, and looks for them only where the system has them",
        arguments: [("mulliond", ["libxkbcommon"]), ("mullionctl", ["libxkbcommon"]), ("mullion-x11", [])])
    func loaded(name: String, libraries: [Substring]) throws {
        let output = try Program("readelf", ["-dW", "\(Programs.shipped)/\(name)"]).outputAtEnd()
        let entries = output.split(separator: "\n").map { $0.split(separator: " ") }
        let needed = entries.filter { $0.contains("(NEEDED)") }.compactMap { $0.last?.dropFirst().prefix { $0 != "." } }
        // Debian 13 has no static one.
        let others = needed.filter { !$0.hasPrefix("ld-linux") && $0 != "libpixman-1" }
        #expect(Set(others) == Set(libraries + ["libm", "libc"]), "\(output)")
        #expect(!entries.contains { $0.contains("(RUNPATH)") || $0.contains("(RPATH)") }, "\(output)")
    }

    /// "glibc 2.36" and a newline, for example.
    private static var libc: String? { try? Program("getconf", ["GNU_LIBC_VERSION"]).outputAtEnd() }

    // Debian 13's has functions of its own for what static libraries use, which were built with it.
    @Test(
        "the programs run with glibc 2.34", .enabled(if: libc == "glibc 2.36\n"),
        arguments: ["mulliond", "mullionctl", "mullion-x11"])
    func glibc(name: String) throws {
        let output = try Program("readelf", ["-VW", "\(Programs.shipped)/\(name)"]).outputAtEnd()
        let versions = output.matches(of: /Name: GLIBC_2\.(\d+)/).compactMap { Int($0.1) }
        #expect(try #require(versions.max()) <= 34, "\(output)")
        #expect(!output.contains("GLIBC_ABI"), "\(output)")
    }

    @Test("the functions that a start uses are in the program, and close together; else run Config/order")
    func order() throws {
        let list = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/mulliond/link/order.txt").path
        let names = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
        var functions: [Substring: (address: UInt64, size: UInt64)] = [:]
        for line in try Program("nm", ["-S", Self.program]).outputAtEnd().split(separator: "\n") {
            // Address, size, kind, name.
            let words = line.split(separator: " ")
            guard words.count == 4, let address = UInt64(words[0], radix: 16), let size = UInt64(words[1], radix: 16)
            else { continue }
            functions[words[3]] = (address, size)
        }
        let found = names.compactMap { functions[$0] }
        #expect(names.count > 1000 && found.count * 4 > names.count * 3, "\(found.count) of \(names.count)")
        // The kernel maps code in such blocks.
        let block: UInt64 = 65_536
        let used = Set(found.flatMap { $0.address / block...($0.address + $0.size) / block })
        let least = Int(found.reduce(0) { $0 + $1.size } / block) + 1
        // Functions of C files and of the client library's modules bring their whole file along.
        #expect(used.count <= 3 * least, "\(used.count) blocks, at least \(least)")
    }

    @Test("with too few files to serve a client, the server says so and ends", arguments: [10, 14, 17, 20, 24, 28])
    func files(limit: Int) throws {
        let fixture = try ServerFixture(screens: [])
        let folder = try fixture.runtimeDirectory()
        let words = ["--socket", folder + "/socket", "--control", folder + "/control", "--state", "none"]
        let program = try Program(
            "/bin/sh", ["-c", "ulimit -n \(limit); exec \"$0\" \"$@\"", Programs.server] + words,
            environment: ["XDG_RUNTIME_DIR": folder])
        var client: WireClient?
        try fixture.wait(for: "its end, or a client; it said: \(program.readOutput())") {
            if client == nil { client = try? WireClient(path: folder + "/socket") }
            return client != nil || !program.isRunning
        }
        guard client == nil else { return program.kill(SIGTERM) }
        let output = program.readOutput()
        #expect(program.exitStatus == 1, "\(output)")
        #expect(output.contains("Too many open files") || output.contains("(RLIMIT_NOFILE), too few"), "\(output)")
    }

    @Test("with room for few clients' descriptors, the server warns")
    func fewFiles() throws {
        let server = try ServerProcess("ulimit -n 80", options: ["--screen", "320x200"])
        try server.wait("the warning") { $0.contains("80 files open (RLIMIT_NOFILE), which leaves ") }
        _ = try WireClient(server)
        try server.stop()
    }

    /// In a process with several threads, growing the table blocks the thread that opens a file for milliseconds.
    @Test("a server has room for the descriptors of many clients from its start on")
    func descriptors() throws {
        let server = try ServerProcess()
        try server.wait("the start") { $0.contains("serving clients") }
        let line = try server.status().split(separator: "\n").first { $0.hasPrefix("FDSize:") }
        let size = try #require(line?.split(separator: "\t").last.flatMap { Int($0) })
        #expect(size >= 4096)
        try server.stop()
    }
}
