// The commands of the tour, typed into a shell as they are printed.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite(.startsShippedServer) struct TourTests {
    /// The blocks of commands about programs that already exist.
    private static var blocks: [String] {
        get throws {
            let page = Programs.package + "/Sources/mullionctl/mullionctl.docc/Tour.md"
            let text = try String(contentsOfFile: page, encoding: .utf8)
            let start = try #require(text.firstRange(of: "## Overview")).upperBound
            var blocks: [[Substring]] = [[]]
            // Between fences are examples in other languages.
            var isFenced = false
            for line in text[start...].split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("```") { isFenced.toggle() }
                if line.hasPrefix("    "), !isFenced {
                    blocks[blocks.count - 1].append(line.dropFirst(4))
                } else if blocks.last?.isEmpty == false {
                    blocks.append([])
                }
            }
            return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
        }
    }

    /// Types commands into a shell that stops at the first failure, as the shells that it starts do.
    /// - Parameters:
    ///   - folder: the working directory; receives the test that the page prints.
    ///   - stub: what `foot` is instead of the program; nil: the program.
    private func type(_ commands: [String], in folder: TemporaryFolder, stub: String? = nil) throws -> Program {
        func write(_ text: String, as name: String) throws {
            try text.write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
        }
        for script in try Self.blocks where script.hasPrefix("#!") { try write(script, as: "my-test.text") }
        try write(commands.joined(), as: "commands")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/Config", withDestinationPath: Programs.package + "/Config")
        if let stub { try write("#!/bin/sh\n\(stub)\n", as: "foot.text") }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        // The shell makes the programs: of a file that this process has open for writing, a child that another test
        // starts at that moment has a copy, and it could not be executed.
        let programs = "install -m 755 my-test.text my-test; [ ! -e foot.text ] || install -D -m 755 foot.text bin/foot"
        // A pipe: shells read it line by line, and leave the rest to those that they start.
        let script = "cd \(folder.path); \(programs); cat commands | bash"
        return try Program(
            "sh", ["-c", script],
            environment: [
                "PATH": "\(folder.path)/bin:\(Programs.shipped):\(path)", "TMPDIR": folder.path, "SHELLOPTS": "errexit",
                "HOME": folder.path,
            ])
    }

    @Test("the commands work in the order in which they are printed", .enabled(if: Program.isInstalled("foot")))
    func commands() throws {
        let commands = try Self.blocks.filter { !$0.hasPrefix("#!") }
        #expect(commands.count > 4)
        let folder = try TemporaryFolder()
        let program = try type(commands, in: folder)
        let output = program.outputAtEnd()
        #expect(program.exitStatus == 0, "\(output)")
        let parts = [
            "window 1 foot", "screen 2 TV", "window 1 \"foot\"", "TV  screen 3", "menu.png is created",
            "screen BUILTIN-1 equals menu.png", "presentation: as expected",
        ]
        for part in parts { #expect(output.contains(part), "\(part): \(output)") }
    }

    @Test("the first example fails when its program shows nothing, or ends", arguments: ["sleep 100", "exit 1"])
    func nothing(stub: String) throws {
        let folder = try TemporaryFolder()
        let program = try type([try #require(try Self.blocks.first { !$0.hasPrefix("#!") })], in: folder, stub: stub)
        let output = program.outputAtEnd()
        #expect(program.exitStatus == 124, "\(output)")
        #expect(output.contains("not fulfilled within 5 s\nwindow application=foot visible"), "\(output)")
    }
}
