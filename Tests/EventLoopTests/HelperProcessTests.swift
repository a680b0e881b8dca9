// Programs that run beside the loop.

import EventLoop
import Glibc
import MullionSystem
import Testing

@Suite struct HelperProcessTests {
    /// Runs a script to its end.
    /// - Returns: the outcome, and how many turns the loop has made.
    private func run(
        _ script: String, time: UInt64 = 60_000_000
    ) throws -> (outcome: HelperProcess.Outcome?, turns: Int) {
        let loop = try EventLoop()
        var outcome: HelperProcess.Outcome?
        let limits = HelperProcess.Limits(time: time, output: 1000)
        let helper = try HelperProcess(
            loop, "/bin/sh", ["sh", "-c", script], limits: limits
        ) {
            outcome = $0
        }
        var turns = 0
        try withExtendedLifetime(helper) {
            try turn(loop) {
                turns += 1
                return outcome != nil
            }
        }
        return (outcome, turns)
    }

    @Test("what a program writes is collected, and it is known how it ended")
    func endings() throws {
        let endings: [(String, HelperProcess.Ending)] = [
            ("", .exited(0)), ("exit 3", .exited(3)), ("kill -9 $$", .signalled(9)), ("kill $$", .signalled(15)),
        ]
        for (end, expected) in endings {
            let outcome = try run("printf 'a b'; printf error >&2; \(end)").outcome
            guard case .ended(let ending, let output, let error) = outcome else {
                Issue.record("\(String(describing: outcome))")
                continue
            }
            #expect(ending == expected)
            #expect(output == Array("a b".utf8) && error == Array("error".utf8))
        }
    }

    @Test("a program that cannot be started is known in a later turn")
    func missing() throws {
        let loop = try EventLoop()
        var outcome: HelperProcess.Outcome?
        let limits = HelperProcess.Limits(time: 60_000_000, output: 1000)
        let helper = try HelperProcess(loop, "/nowhere/missing", ["missing"], limits: limits) { outcome = $0 }
        #expect(outcome == nil)
        try withExtendedLifetime(helper) { try turn(loop) { outcome != nil } }
        guard case .notStarted(let error as SystemError) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(error.code == ENOENT)
    }

    @Test(
        "a program that is cancelled while it starts ends, and one that is forgotten does too",
        arguments: [true, false])
    func cancelled(isForgotten: Bool) throws {
        let loop = try EventLoop()
        var outcome: HelperProcess.Outcome?
        let pipe = try ChildProcess.pipe()
        let limits = HelperProcess.Limits(time: 60_000_000, output: 1000)
        // Its standard input is the writing end.
        var helper: HelperProcess? = try HelperProcess(
            loop, "/bin/sleep", ["sleep", "1000"], input: pipe.write, limits: limits
        ) {
            outcome = $0
        }
        if isForgotten {
            helper = nil
        } else {
            helper?.cancel()
            try turn(loop) { outcome != nil }
            guard case .cancelled = outcome else {
                Issue.record("\(String(describing: outcome))")
                return
            }
        }
        _ = close(pipe.write.release())
        _ = DescriptorIO.wait(for: Int32(POLLIN), on: pipe.read.rawValue, milliseconds: -1)
        var byte: UInt8 = 0
        #expect(read(pipe.read.rawValue, &byte, 1) == 0 && helper.map { _ in true } != isForgotten)
    }

    @Test("a program gains no privilege, writes no file, and has few descriptors")
    func confined() throws {
        let script = """
            grep NoNewPrivs /proc/self/status
            until [ "$(ulimit -n) $(ulimit -f) $(ulimit -c)" = "256 0 0" ]; do :; done
            """
        guard case .ended(.exited(0), let output, _) = try run(script).outcome else {
            Issue.record("the program did not end")
            return
        }
        #expect(String(decoding: output, as: UTF8.self) == "NoNewPrivs:\t1\n")
    }

    @Test("the loop sleeps while a program runs on that has closed its output")
    func silence() throws {
        let (outcome, turns) = try run("exec >&- 2>&-; sleep 1000 & sleep 1000", time: 1_000_000)
        guard case .tookTooLong = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(turns < 20)
    }
}
