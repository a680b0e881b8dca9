// Files and programs for the tests of mullionctl scenario.

import FoundationEssentials
import Glibc
import TestSupport

/// A folder for one test's files; mullionctl's temporary ones are in it too.
final class Workshop {
    private let temporary: TemporaryFolder
    var folder: String { temporary.path }

    init() throws {
        temporary = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
    }

    static let programs = Programs.built

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = "\(folder)/\(name)"
        let parent = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
            throw FixtureError("\(path) cannot be written")
        }
        return path
    }

    /// Makes a FIFO, from which a program reads until `release` or another program writes to it.
    func makeGate(_ name: String) throws {
        guard mkfifo("\(folder)/\(name)", 0o600) == 0 else { throw FixtureError("\(name): \(errno)") }
    }

    /// Lets the program go on that reads from a FIFO, once it does.
    func release(_ gate: String, _ loop: ServerFixture) throws {
        var descriptor: Int32 = -1
        defer { close(descriptor) }
        try loop.wait(for: "a program to read from \(gate)") {
            // It fails without a reader.
            descriptor = open("\(folder)/\(gate)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            return descriptor >= 0
        }
        guard Glibc.write(descriptor, "\n", 1) == 1 else { throw FixtureError("\(gate): \(errno)") }
    }

    /// The variables of programs; their processes are found by the first one.
    var environment: [String: String] {
        [
            "MULLION_TEST_MARK": folder, "TMPDIR": folder + "/tmp", "XDG_RUNTIME_DIR": folder,
            "LC_ALL": "C.UTF-8",
        ]
    }

    func start(_ words: [String]) throws -> Program {
        try Program("\(Self.programs)/mullionctl", words, environment: environment)
    }

    /// Runs a script in the folder; `ctl` is mullionctl.
    func shell(_ script: String) throws -> (status: Int32, output: String) {
        let program = try Program(
            "/bin/bash", ["-c", "cd '\(folder)'; ctl() { '\(Self.programs)/mullionctl' \"$@\"; }; \(script)"],
            environment: environment)
        let output = program.outputAtEnd()
        return (program.exitStatus ?? -1, output)
    }

    /// The processes that it has started, directly or not, and that are not zombies.
    var processes: [pid_t] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap { pid_t($0) }.filter { id in
            guard let data = FileManager.default.contents(atPath: "/proc/\(id)/environ") else { return false }
            return data.split(separator: 0).contains { $0.elementsEqual("MULLION_TEST_MARK=\(folder)".utf8) }
        }
    }

    func mullionctl(_ words: String...) throws -> (status: Int32, output: String) { try mullionctl(words) }

    func mullionctl(_ words: [String]) throws -> (status: Int32, output: String) {
        let program = try start(words)
        let output = program.outputAtEnd()
        return (program.exitStatus ?? -1, output)
    }

    /// The files in one of its folders.
    func files(_ name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []).sorted()
    }

    func bytes(_ name: String) -> Data? { FileManager.default.contents(atPath: "\(folder)/\(name)") }
}
