// The server and `mullionctl run` as process 1 of a container.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// A process namespace with its own process 1.
private enum Namespace {
    static let options = ["--pid", "--fork", "--kill-child", "--mount-proc"]

    static let isPossible: Bool = {
        guard geteuid() == 0, Program.isInstalled("nsenter"),
            let trial = try? Program("unshare", options + ["true"])
        else { return false }
        _ = trial.outputAtEnd()
        return trial.exitStatus == 0
    }()
}

@Suite(.enabled(if: Namespace.isPossible, "a process namespace can be created"))
struct ProcessOneTests {
    /// A program as process 1, and further processes in its namespace.
    private struct Container {
        let fixture: ServerFixture
        let folder: String
        let outside: Program

        init(_ words: [String]) throws {
            fixture = try ServerFixture(screens: [])
            folder = try fixture.runtimeDirectory() + "/container"
            mkdir(folder, 0o700)
            outside = try Program(
                "unshare", Namespace.options + words,
                environment: ["XDG_RUNTIME_DIR": folder, "TMPDIR": folder, "HOME": folder])
        }

        /// The id of process 1 outside of the namespace.
        func first() throws -> pid_t {
            var children: [pid_t] = []
            try fixture.wait(for: "process 1; it said: \(outside.readOutput())") {
                let path = "/proc/\(outside.pid)/task/\(outside.pid)/children"
                let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                children = text.split(separator: " ").compactMap { pid_t($0) }
                return !children.isEmpty || !outside.isRunning
            }
            guard let child = children.first else { throw FixtureError("it ended: \(outside.readOutput())") }
            return child
        }

        /// Runs a shell command in the namespace and waits for it.
        func run(_ words: String) throws -> String {
            let program = try Program("nsenter", ["--target", "\(try first())", "--pid", "--mount", "sh", "-c", words])
            try fixture.wait(for: words) { !program.isRunning }
            return program.outputAtEnd()
        }

        /// Creates orphans and waits until none of them is left, not even as a zombie.
        func leaveOrphans() throws {
            _ = try run("for i in 1 2 3 4 5; do sh -c 'sleep 0.0$0 &' $i; done")
            try fixture.wait(for: "orphans to go") { try run("ps -e -o comm=").contains("sleep") == false }
        }

        func wait(for words: String) throws {
            try fixture.wait(for: "\(words); it said: \(outside.readOutput())") {
                outside.readOutput().contains(words) || !outside.isRunning
            }
            try #require(outside.readOutput().contains(words), "\(outside.readOutput())")
        }

        func waitForEnd() throws {
            try fixture.wait(for: "the end; it said: \(outside.readOutput())") { !outside.isRunning }
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    @Test(
        "mulliond as process 1 waits for orphans, serves, and ends by SIGTERM and SIGINT", arguments: [SIGTERM, SIGINT])
    func server(signal: Int32) throws {
        let container = try Container([Programs.server, "--state", "none", "--screen", "64x48"])
        try container.wait(
            for:
                "serving clients on \(container.folder)/wayland-0, the control API on \(container.folder)/mullion/control.sock\n"
        )
        try container.leaveOrphans()
        let client = try WireClient(path: container.folder + "/wayland-0")
        try client.roundTrip()
        kill(try container.first(), signal)
        try container.waitForEnd()
        #expect(container.outside.exitStatus == 0, "\(container.outside.readOutput())")
    }

    @Test("a signal during the start of mulliond as process 1 is not lost")
    func early() throws {
        for round in 0..<8 {
            let container = try Container([Programs.server, "--state", "none"])
            let first = try container.first()
            // As soon as it is the server, and later.
            try container.fixture.wait(for: "the server") {
                let name = (try? String(contentsOfFile: "/proc/\(first)/comm", encoding: .utf8)) ?? ""
                return name.hasPrefix("mulliond") || !container.outside.isRunning
            }
            let (until, clock) = (ContinuousClock.now + .milliseconds(round * 5), ContinuousClock())
            while clock.now < until { _ = container.outside.readOutput() }
            // Before its first instruction no process can handle signals; after that one signal is enough.
            try container.fixture.wait(for: "the signal to be handled") {
                !container.outside.isRunning || isHeld(SIGTERM, first)
            }
            kill(first, SIGTERM)
            try container.waitForEnd()
            #expect(container.outside.exitStatus == 0, "round \(round): \(container.outside.readOutput())")
        }
    }

    /// Whether a process blocks or handles the signal.
    private func isHeld(_ signal: Int32, _ process: pid_t) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").contains { line in
            guard line.hasPrefix("SigBlk:") || line.hasPrefix("SigCgt:") else { return false }
            let mask = line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
            return mask & (1 << UInt64(signal - 1)) != 0
        }
    }

    @Test("mullionctl run as process 1 waits for orphans, passes signals on, and ends with its command's status")
    func run() throws {
        let words = "trap 'echo terminated; exit 7' TERM; echo begun; while :; do sleep 0.05; done"
        let container = try Container([Programs.shipped + "/mullionctl", "run", "--", "sh", "-c", words])
        try container.wait(for: "begun")
        // The command's own sleeps come and go; orphans are recognized by their name.
        _ = try container.run("cp \"$(command -v sleep)\" \(container.folder)/orphan")
        _ = try container.run("for i in 1 2 3 4 5; do sh -c '\(container.folder)/orphan 0.0$0 &' $i; done")
        try container.fixture.wait(for: "orphans to go") {
            try container.run("ps -e -o comm=").contains("orphan") == false
        }
        kill(try container.first(), SIGTERM)
        try container.waitForEnd()
        #expect(container.outside.readOutput().contains("terminated"))
        #expect(container.outside.exitStatus == 7, "\(container.outside.readOutput())")
    }
}
