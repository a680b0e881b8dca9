// However several scenarios end, nothing of them is left, and their output says what was not run.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct ScenarioInterruptionTests {
    /// What ends them, and the exit status; -1 when a signal ended mullionctl.
    enum End: CaseIterable, CustomTestStringConvertible {
        case interrupted, keyboard, terminated, hungUp, killed, groupKilled, keeperKilled, unread

        var testDescription: String { "\(self)" }

        var status: Int32 {
            switch self {
            case .interrupted, .keyboard: 128 + SIGINT
            case .terminated: 128 + SIGTERM
            case .hungUp: 128 + SIGHUP
            case .keeperKilled: 128 + SIGKILL
            case .killed, .groupKilled: -1
            case .unread: 1
            }
        }

        /// Whether the results can be printed.
        var isReported: Bool { [.interrupted, .keyboard, .terminated, .hungUp].contains(self) }
    }

    private static let quick = ScenarioBatchTests.scenario("{ wait: '1ms' }")
    private static let endless = ScenarioBatchTests.scenario("{ start: ['sleep', '3600'] }, { wait: '3600s' }")

    /// Seven scenarios, of which the first one ends and four can run at a time.
    private struct Batch {
        let workshop: Workshop
        let program: Program
        let loop: ServerFixture

        init(_ end: End) throws {
            workshop = try Workshop()
            loop = try ServerFixture(screens: [])
            for name in 1...7 {
                try workshop.write(name == 1 ? quick : endless, to: "s\(name).json5")
            }
            let files = (1...7).map { "s\($0).json5" }
            let command = "'\(Workshop.programs)/mullionctl' scenario \(files.joined(separator: " ")) --jobs 4"
            let script =
                end == .unread ? "mkfifo pipe; head -n 1 pipe >out & exec \(command) >pipe" : "exec \(command) >out"
            // In a session of its own, as a shell with a terminal starts it.
            program = try Program(
                "setsid", ["sh", "-c", "cd '\(workshop.folder)'; \(script)"], environment: workshop.environment)
            try loop.wait(for: "the first result, and the next four servers; output: \(program.readOutput())") {
                isFirstDone && servers.count == 4 || !program.isRunning
            }
        }

        /// The folders of the servers that run.
        var servers: [String] {
            workshop.files("tmp").flatMap { batch in
                workshop.files("tmp/\(batch)").filter {
                    access("\(workshop.folder)/tmp/\(batch)/\($0)/mullion/control.sock", F_OK) == 0
                }
            }
        }

        var isFirstDone: Bool { text("out").contains("s1.json5: as expected") }

        func text(_ name: String) -> String {
            workshop.bytes(name).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }

        /// The process that starts the scenarios, a child of mullionctl.
        var keeper: pid_t {
            get throws {
                let pid = program.pid
                let children = try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
                return try #require(children.split(separator: " ").compactMap { pid_t($0) }.first, "no keeper")
            }
        }

        func waitForEnd() throws {
            try loop.wait(for: "its end: \(program.readOutput())") { !program.isRunning }
            try loop.wait(for: "its processes \(workshop.processes) to end") { workshop.processes.isEmpty }
            try loop.wait(for: "its files to be removed") { workshop.files("tmp").isEmpty }
        }
    }

    @Test("in the middle, whatever ends them: no process and no file is left", arguments: End.allCases)
    func end(_ end: End) throws {
        let batch = try Batch(end)
        let pid = batch.program.pid
        #expect(batch.servers.count <= 4)
        switch end {
        case .interrupted: kill(pid, SIGINT)
        case .keyboard: kill(-pid, SIGINT)
        case .terminated: kill(pid, SIGTERM)
        case .hungUp: kill(pid, SIGHUP)
        case .killed: kill(pid, SIGKILL)
        case .groupKilled: kill(-pid, SIGKILL)
        case .keeperKilled: kill(try batch.keeper, SIGKILL)
        // The reader has ended after the first line.
        case .unread: break
        }
        try batch.waitForEnd()
        #expect(batch.program.exitStatus == end.status, "\(batch.program.readOutput())")
        guard end.isReported else { return }
        let lines = batch.text("out").split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(7) == [
                "s1.json5: as expected", "s2.json5: interrupted", "s3.json5: interrupted", "s4.json5: interrupted",
                "s5.json5: interrupted", "s6.json5: not run", "s7.json5: not run",
            ], "\(lines)")
        let names = "s2.json5, s3.json5, s4.json5, s5.json5"
        let name = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][end.status - 128] ?? ""
        #expect(lines.last == "interrupted by \(name): 7 scenarios, 1 as expected, 4 interrupted: \(names), 2 not run")
    }

    @Test("a signal for the user's own purposes changes nothing, and a scenario that was killed is said to be")
    func otherSignals() throws {
        let workshop = try Workshop()
        let loop = try ServerFixture(screens: [])
        for name in ["a", "b"] {
            try workshop.makeGate("\(name).go")
            let script = "read x <\(name).go"
            try workshop.write(
                ScenarioBatchTests.scenario(
                    "{ start: { command: ['sh', '-c', '\(script)'], name: 'p', directory: '.' } }, "
                        + "{ stop: { name: 'p', status: 0, timeout: '600s' } }"), to: "\(name).json5")
        }
        let program = try Program(
            "sh",
            [
                "-c", "cd '\(workshop.folder)'; exec '\(Workshop.programs)/mullionctl' --json scenario a.json5 b.json5",
            ], environment: workshop.environment)
        func waitForStart(of file: String) throws {
            try loop.wait(for: "\(file) to start its program: \(program.readOutput())") {
                program.readOutput().split(separator: "\n").contains {
                    $0.contains("\"file\":\"\(file)\"") && $0.contains("start p")
                } || !program.isRunning
            }
        }
        try waitForStart(of: "a.json5")
        program.kill(SIGUSR1)
        try workshop.release("a.go", loop)
        try waitForStart(of: "b.json5")
        // The mullionctl of the second one, which starts its server and another mullionctl in it.
        let own = try #require(
            workshop.processes.first { id in
                func text(_ name: String) -> String {
                    let data = FileManager.default.contents(atPath: "/proc/\(id)/\(name)")
                    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
                }
                let words = text("cmdline").split(separator: "\0")
                return id != program.pid && text("comm") == "mullionctl\n" && words.contains("b.json5")
                    && !words.contains("a.json5") && !words.contains("--here")
            })
        kill(own, SIGKILL)
        try loop.wait(for: "its end", seconds: 60) { !program.isRunning && workshop.processes.isEmpty }
        let output = program.readOutput()
        #expect(program.exitStatus == 1, "\(output)")
        #expect(output.contains("\"file\":\"a.json5\",\"result\":\"asExpected\""), "\(output)")
        #expect(output.contains("\"reasons\":[\"b.json5: it was ended by SIGKILL\"]"), "\(output)")
    }

    @Test(
        "output that nobody reads does not keep them from being interrupted",
        arguments: [["many.json5", "more.json5", "--jobs", "2"], ["started.json5"]], [SIGTERM, SIGINT])
    func unread(words: [String], signal: Int32) throws {
        let workshop = try Workshop()
        let loop = try ServerFixture(screens: [])
        let steps = "{ repeat: { times: 5000, steps: [{ wait: '0s' }] } }, { wait: '3600s' }"
        for name in ["many", "more"] {
            try workshop.write(ScenarioBatchTests.scenario(steps), to: "\(name).json5")
        }
        try workshop.write(
            ScenarioBatchTests.scenario("{ start: ['sleep', '3600'] }, \(steps)"), to: "started.json5")
        let path = workshop.folder + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        // Opened for writing too, it waits for no other end.
        let pipe = open(path, O_RDWR | O_CLOEXEC)
        defer { close(pipe) }
        let command = "'\(Workshop.programs)/mullionctl' --json scenario \(words.joined(separator: " "))"
        let program = try Program(
            "sh", ["-c", "cd '\(workshop.folder)'; exec \(command) >pipe"], environment: workshop.environment)
        try loop.wait(for: "the pipe to be full: \(program.readOutput())") {
            var writing = pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0)
            return poll(&writing, 1, 0) == 0 || !program.isRunning
        }
        program.kill(signal)
        try loop.wait(for: "its end", seconds: 60) { !program.isRunning }
        #expect(program.exitStatus == 128 + signal, "\(program.readOutput())")
        #expect(workshop.processes.isEmpty && workshop.files("tmp").isEmpty)
    }
}
