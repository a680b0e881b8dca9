// Timers: order, punctuality, re-arming, cancelling.

import EventLoop
import Testing

@Suite struct TimerTests {
    @Test("Timers fire in the order of their deadlines, equal ones in the order of arming, never early")
    func order() throws {
        let loop = try EventLoop()
        let start = loop.now
        var fired: [Int] = []
        var early = false
        let delays: [UInt64] = [3000, 1000, 2000, 1000, 0, 2500]
        let timers = delays.indices.map { index in
            Timer(loop) { deadline, now in
                fired.append(index)
                early = early || now < deadline || loop.now < deadline || deadline != start + delays[index]
            }
        }
        for (timer, delay) in zip(timers, delays) {
            timer.arm(at: start + delay)
        }
        try turn(loop) { fired.count == delays.count }
        #expect(fired == [4, 1, 3, 2, 5, 0])
        #expect(!early)
    }

    @Test("A clock that re-arms at deadline + period keeps absolute deadlines")
    func clock() throws {
        let loop = try EventLoop()
        let start = loop.now
        var deadlines: [UInt64] = []
        let timer = Timer(loop)
        timer.handler = { [unowned timer] deadline, _ in
            deadlines.append(deadline)
            if deadlines.count < 20 {
                timer.arm(at: deadline + 500)
            }
        }
        timer.arm(at: start + 500)
        try turn(loop) { deadlines.count == 20 }
        #expect(deadlines == (1...20).map { start + $0 * 500 })
        #expect(!timer.isArmed)
    }

    @Test("A handler may cancel and release other timers that are due in the same turn")
    func cancelInside() throws {
        let loop = try EventLoop()
        var fired: [String] = []
        let second = Timer(loop) { _, _ in fired.append("second") }
        var third: Timer? = Timer(loop) { _, _ in fired.append("third") }
        let fourth = Timer(loop) { _, _ in fired.append("fourth") }
        let first = Timer(loop) { _, now in
            fired.append("first")
            second.cancel()
            third = nil
            fourth.arm(at: now)
        }
        let due = loop.now
        first.arm(at: due)
        second.arm(at: due + 1)
        third?.arm(at: due + 2)
        fourth.arm(at: due + 3)
        while loop.now < due + 10 {}
        try loop.runOnce()
        #expect(fired == ["first"])
        #expect(fourth.isArmed)
        try turn(loop) { fired.count == 2 }
        #expect(fired == ["first", "fourth"])
        #expect(third == nil)
        #expect(second.deadline == nil)
    }

    @Test("A timer armed by a handler waits for the next turn even if it is due, so that no timer starves the loop")
    func overdue() throws {
        let loop = try EventLoop()
        var count = 0
        let timer = Timer(loop)
        timer.handler = { [unowned timer] _, _ in
            count += 1
            timer.arm(at: 0)
        }
        timer.arm(at: 0)
        try loop.runOnce()
        #expect(count == 1)
        try loop.runOnce()
        #expect(count == 2)
    }

    @Test("Random arming and cancelling agrees with a sorted list")
    func random() throws {
        let seed = UInt64.random(in: .min ... .max)
        var state = seed
        func next(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        let loop = try EventLoop()
        var fired: [Int] = []
        var expected: [Int: (deadline: UInt64, order: Int)] = [:]
        let timers = (0..<64).map { index in Timer(loop) { _, _ in fired.append(index) } }
        for order in 0..<1000 {
            let index = Int(next(64))
            if next(4) == 0 {
                timers[index].cancel()
                expected[index] = nil
            } else {
                let deadline = 1 + next(100)
                timers[index].arm(at: deadline)
                expected[index] = (deadline, order)
            }
        }
        try loop.runOnce()
        let sorted = expected.sorted { ($0.value.deadline, $0.value.order) < ($1.value.deadline, $1.value.order) }
        #expect(fired == sorted.map(\.key), "seed \(seed)")
    }

    @Test("Timers cause no needless wake-ups: none after cancelling, none before they are due")
    func idle() throws {
        let loop = try EventLoop()
        let near = Timer(loop) { _, _ in Issue.record("cancelled") }
        near.arm(at: loop.now + 1000)
        try loop.runOnce(nonblocking: true)
        near.cancel()
        let far = Timer(loop)
        far.arm(at: loop.now + 50_000)
        let before = loop.wakeUps
        #expect(try loop.runOnce())
        #expect(loop.wakeUps == before + 1)
        #expect(try !loop.runOnce(nonblocking: true))
    }

    @Test("The lateness of timers is recorded with its recent maximum; a loop without timers records nothing")
    func lateness() throws {
        let loop = try EventLoop()
        #expect(loop.lateness.counts.allSatisfy { $0 == 0 } && loop.lateness.worst(at: loop.now) == 0)
        var fired = false
        let timer = Timer(loop) { _, _ in fired = true }
        timer.arm(at: loop.now - 40_000)
        try turn(loop) { fired }
        // 25 to 50 ms, or later on a busy machine.
        #expect(loop.lateness.counts[8...].reduce(0, +) == 1 && loop.lateness.total >= 40_000)
        #expect(loop.lateness.worst(at: loop.now) >= 40_000)
        #expect(loop.lateness.worst(at: loop.now + 2 * Lateness.window) == 0)
    }
}
