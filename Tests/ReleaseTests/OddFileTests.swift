// Files that programs are told to read, and which are something else: an error says what, and nothing hangs.

import FoundationEssentials
import Glibc
import MullionSystem
import TestSupport
import Testing

/// What may be at a path instead of a readable file.
enum OddFile: String, CaseIterable, Sendable {
    case folder, fifo, device, socket, large, dangling, loop

    /// Makes one, in a folder of its own.
    func make(in folder: String) throws -> String {
        let path = folder + "/" + rawValue
        let result: Int32 =
            switch self {
            case .folder: mkdir(path, 0o700)
            case .fifo: mkfifo(path, 0o600)
            case .device: symlink("/dev/zero", path)
            case .socket: mknod(path, S_IFSOCK | 0o600, 0)
            case .large:
                FileManager.default.createFile(atPath: path, contents: Data()) ? truncate(path, 1 << 40) : -1
            case .dangling: symlink("/no/such/file", path)
            case .loop: symlink(path, path)
            }
        guard result == 0 else { throw FixtureError("\(path): \(SystemError.last)") }
        return path
    }

    /// The words of the error that say what it is.
    var reason: String {
        switch self {
        case .folder: "it is a directory"
        case .fifo: "it is a FIFO"
        case .device: "it is a device"
        case .socket: "it is a socket"
        case .large: "it has more than"
        case .dangling: "it is a link to a file that does not exist"
        case .loop: "Too many levels of symbolic links"
        }
    }
}

@Suite struct OddFileTests {
    private let fixture: ServerFixture
    private let folder: String

    init() throws {
        fixture = try ServerFixture(screens: [])
        folder = try fixture.runtimeDirectory() + "/odd"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// The exit status and the output of a program that ends by itself.
    private func run(_ program: String, _ words: [String]) throws -> (status: Int32?, output: String) {
        let program = try Program(program, words, environment: ["XDG_RUNTIME_DIR": folder])
        try fixture.wait(for: "the end of \(words)") { !program.isRunning }
        return (program.exitStatus, program.readOutput())
    }

    /// - Parameter readsPipes: whether the program would read what another one writes to a FIFO.
    private func check(
        _ result: (status: Int32?, output: String), _ path: String, _ kind: OddFile, readsPipes: Bool = false
    ) {
        let reason = readsPipes && kind == .fifo ? "it is a pipe that no program writes to" : kind.reason
        #expect(result.status == 1, "\(result)")
        #expect(result.output.contains(path) && result.output.contains(reason), "\(result)")
        #expect(result.output.split(separator: "\n").count == 1, "\(result)")
    }

    // MARK: mulliond

    @Test(
        "a configuration that is no readable file ends a start, and a check, with an error", arguments: OddFile.allCases
    )
    func configuration(kind: OddFile) throws {
        let path = try kind.make(in: folder)
        check(try run(Programs.server, ["--config", path]), path, kind)
        check(try run(Programs.server, ["--config", path, "--check"]), path, kind)
    }

    @Test("a configuration that is no readable file any more changes nothing at a reload", arguments: OddFile.allCases)
    func reload(kind: OddFile) throws {
        let server = try ServerProcess(
            "echo '{}' > \"$folder/mullion.json5\"; set -- \"$@\" --config \"$folder/mullion.json5\"",
            options: ["--screen", "320x200"])
        let path = server.folder + "/mullion.json5"
        unlink(path)
        try #require(rename(kind.make(in: folder), path) == 0)
        // Its target is itself, by its old name.
        if kind == .loop { try #require(unlink(path) == 0 && symlink(path, path) == 0) }
        server.server.kill(SIGHUP)
        try server.wait("the error") { $0.contains("configuration not reloaded: \(path)") && $0.contains(kind.reason) }
        #expect(try server.request("GET", "/v1/status").status == 200)
        try server.stop()
    }

    @Test("an EDID of a display model that is no readable file is an error", arguments: OddFile.allCases)
    func edid(kind: OddFile) throws {
        let path = try kind.make(in: folder)
        let file = folder + "/mullion.json5"
        let model = "{ name: 'x', vendor: 'v', model: 'm', modes: ['800x600'], edid: '\(path)' }"
        try "{ displays: [\(model)] }".write(toFile: file, atomically: false, encoding: .utf8)
        check(try run(Programs.server, ["--config", file]), path, kind)
    }

    @Test(
        "a file with screens that is no readable file is set aside, and the server starts", arguments: OddFile.allCases)
    func screens(kind: OddFile) throws {
        let server = try ServerProcess(
            prepare: { folder in
                try FileManager.default.createDirectory(
                    atPath: folder + "/state", withIntermediateDirectories: true)
                let path = try kind.make(in: self.folder)
                try #require(rename(path, folder + "/state/screens.json") == 0)
            }, state: "state", options: ["--screen", "320x200"])
        try server.wait("the warning") { $0.contains("screens.json: set aside as") }
        try server.stop()
    }

    // MARK: mullionctl

    @Test("mullionctl names what it cannot read", arguments: OddFile.allCases)
    func commands(kind: OddFile) throws {
        let path = try kind.make(in: folder)
        let server = try ServerProcess(options: ["--screen", "320x200"])
        func control(_ words: [String]) throws -> (status: Int32?, output: String) {
            try run(Programs.shipped + "/mullionctl", ["--control", server.folder + "/control"] + words)
        }
        check(try control(["replay", path]), path, kind, readsPipes: true)
        check(try control(["plug", "640x480", "edid=\(path)"]), path, kind, readsPipes: true)
        // A golden that is missing has an error of its own, and a folder can have scenarios.
        if kind != .dangling { check(try control(["compare", path]), path, kind, readsPipes: true) }
        if kind != .folder, kind != .dangling {
            check(try control(["scenario", "--here", path]), path, kind, readsPipes: true)
        }
        let file = folder + "/scenario.json5"
        try "{ name: 'x', steps: [{ include: '\(path)' }] }".write(toFile: file, atomically: false, encoding: .utf8)
        let result = try control(["scenario", "--check", file])
        #expect(result.status == 3, "\(result)")
        if kind != .dangling, kind != .loop { #expect(result.output.contains(kind.reason), "\(result)") }
        try server.stop()
    }

    @Test("a pipe to which a program writes is read, as a shell's <(…) is")
    func pipes() throws {
        let server = try ServerProcess(options: ["--screen", "320x200"])
        let words = ["\(Programs.shipped)/mullionctl", "--control", "\(server.folder)/control"]
        let command = "\(words.joined(separator: " ")) replay <(sleep 0.2; echo)"
        let result = try run("/bin/bash", ["-c", command])
        #expect(result.status == 0 && result.output.isEmpty, "\(result)")
        try server.stop()
    }
}
