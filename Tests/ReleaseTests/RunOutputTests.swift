// What a recorded command writes arrives, or the run fails.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite(.startsShippedServer) struct RunOutputTests {
    /// A recorded run whose output nobody reads yet.
    private struct Run {
        let fixture: ServerFixture
        let folder: String
        let program: Program

        /// - Parameters:
        ///   - command: for sh; FLAG is a file that it creates.
        ///   - isBlocking: whether its standard output is.
        init(_ command: String, isBlocking: Bool = true) throws {
            fixture = try ServerFixture(screens: [])
            folder = try fixture.runtimeDirectory()
            let start =
                "import os, sys; os.set_blocking(1, \(isBlocking ? "True" : "False")); os.execv(sys.argv[1], sys.argv[1:])"
            program = try Program(
                "python3",
                ["-c", start, Programs.shipped + "/mullionctl", "run", "--artifacts", folder + "/trace", "--"]
                    + ["sh", "-c", command],
                environment: ["TMPDIR": folder, "FLAG": folder + "/flag"])
        }

        func waitForFlag() throws {
            try fixture.wait(for: "the command") { access(folder + "/flag", F_OK) == 0 || !program.isRunning }
        }
    }

    /// More than a pipe contains, and less than two.
    private static let command = "head -c 120000 /dev/zero; touch $FLAG"

    @Test("a slow reader receives everything, also from a non-blocking descriptor", arguments: [true, false])
    func slowReader(isBlocking: Bool) throws {
        let run = try Run(Self.command, isBlocking: isBlocking)
        try run.waitForFlag()
        let later = ContinuousClock.now + .seconds(3)
        try run.fixture.wait(for: "a while") { ContinuousClock.now >= later || !run.program.isRunning }
        let output = run.program.outputAtEnd()
        #expect(output.utf8.count == 120_000 && run.program.exitStatus == 0)
    }

    @Test("a signal ends a run whose reader does not read", arguments: ["", "; exec sleep 1000"])
    func signal(rest: String) throws {
        let run = try Run(Self.command + rest)
        try run.waitForFlag()
        run.program.kill(SIGTERM)
        try run.fixture.wait(for: "the end") { !run.program.isRunning }
        #expect(run.program.exitStatus == 128 + SIGTERM)
    }

    @Test("output that cannot be written fails the run, and is recorded")
    func full() throws {
        for (stream, redirection) in [("output", ">/dev/full"), ("error", "2>/dev/full")] {
            let fixture = try ServerFixture(screens: [])
            let folder = try fixture.runtimeDirectory()
            let command = stream == "output" ? "seq 10" : "seq 10 >&2"
            let program = try Program(
                "sh",
                ["-c", "$CTL run --artifacts $DIR --junit $DIR.xml -- sh -c '\(command)' \(redirection)"],
                environment: ["CTL": Programs.shipped + "/mullionctl", "DIR": folder + "/trace", "TMPDIR": folder])
            let output = program.outputAtEnd()
            #expect(program.exitStatus == 1, "\(output)")
            let message = "cannot write to standard \(stream): No space left on device"
            if stream == "output" { #expect(output == "mullionctl: \(message)\n") }
            let log = try String(contentsOfFile: folder + "/trace/output.log", encoding: .utf8)
            #expect(log == (1...10).map { "\($0)\n" }.joined())
            let report = try String(contentsOfFile: folder + "/trace.xml", encoding: .utf8)
            #expect(report.contains("message=\"\(message)\"") && !report.contains("exit status"), "\(report)")
        }
    }
}
