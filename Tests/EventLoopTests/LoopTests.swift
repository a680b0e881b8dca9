// The loop itself: turns, other threads, signals.

import EventLoop
import Glibc
import Testing

@Suite struct LoopTests {
    @Test("afterTurn runs once at the end of each turn in which handlers ran")
    func afterTurn() throws {
        let loop = try EventLoop()
        let (one, two) = (try Pair(), try Pair())
        var log: [String] = []
        let sources = [one, two].map { pair in
            try? IOSource(loop, descriptor: pair.left) {
                var byte: UInt8 = 0
                read(pair.left, &byte, 1)
                log.append("read")
            }
        }
        loop.afterTurn = { log.append("afterTurn") }
        write(one.right, "a", 1)
        write(two.right, "a", 1)
        #expect(try loop.runOnce())
        #expect(try !loop.runOnce(nonblocking: true))
        #expect(log == ["read", "read", "afterTurn"])
        #expect(sources.count == 2)
    }

    @Test("stop ends run once afterTurn has run")
    func stop() throws {
        let loop = try EventLoop()
        var turnsEnded = 0
        loop.afterTurn = { turnsEnded += 1 }
        let timer = Timer(loop) { _, _ in loop.stop() }
        timer.arm(at: loop.now)
        try loop.run()
        #expect(turnsEnded == 1)
        loop.stop()
        try loop.run()
        #expect(turnsEnded == 1)
    }

    @Test("perform from another thread runs on the loop, in order, with one wake-up for many calls")
    func perform() throws {
        let loop = try EventLoop()
        let remote = loop.remote
        onThread {
            remote.perform { _ in }
            remote.perform { $0.stop() }
        }
        try loop.run()
        let before = loop.wakeUps
        for _ in 0..<100 {
            remote.perform { _ in }
        }
        try loop.runOnce()
        #expect(loop.wakeUps == before + 1)
        #expect(try !loop.runOnce(nonblocking: true))
    }

    @Test("A completion passes a thread's result, once, to a closure that runs on the loop's thread")
    func completion() throws {
        let loop = try EventLoop()
        final class Local { var results: [Int] = [] }
        let local = Local()
        let done = loop.completion { local.results.append($0) }
        onThread {
            done(6 * 7)
            done(0)
        }
        try turn(loop) { !local.results.isEmpty }
        try loop.runOnce(nonblocking: true)
        #expect(local.results == [42])
    }

    @Test("A completion that is released without being called releases its closure")
    func abandoned() throws {
        let loop = try EventLoop()
        final class Local {}
        var local: Local? = Local()
        weak let watched = local
        do {
            let kept = local
            let done = loop.completion(of: Int.self) { _ in withExtendedLifetime(kept) {} }
            onThread { withExtendedLifetime(done) {} }
        }
        local = nil
        try turn(loop) { watched == nil }
    }

    @Test("every turn with deferred work begins and ends, so that the watchdog does not report an idle loop as stalled")
    func turns() throws {
        let loop = try EventLoop()
        var left = 4
        func work() {
            #expect(loop.turns.turn & 1 == 1)
            left -= 1
            if left > 0 { loop.runInNextTurn(work) }
        }
        loop.runInNextTurn(work)
        while left > 0 {
            let before = loop.turns.turn
            try loop.runOnce(nonblocking: true)
            #expect(loop.turns.turn == before + 2)
        }
        try loop.runOnce(nonblocking: true)
        #expect(loop.turns.turn == 8)
    }

    @Test("Signals arrive on the loop; cancelling restores the disposition")
    func signals() throws {
        let loop = try EventLoop()
        signal(SIGUSR1, SIG_IGN)
        var log: [String] = []
        let first = try Signal(loop, SIGUSR1) { log.append("USR1") }
        let second = try Signal(loop, SIGHUP) { log.append("HUP") }
        kill(getpid(), SIGUSR1)
        try turn(loop) { log == ["USR1"] }
        kill(getpid(), SIGHUP)
        try turn(loop) { log == ["USR1", "HUP"] }
        first.cancel()
        kill(getpid(), SIGUSR1)
        try loop.runOnce(nonblocking: true)
        #expect(log.count == 2)
        second.cancel()
    }
}
