// How the time of a turn is shared between waits, counted in readings of a clock that only these advance.

import ControlProtocol
import EventLoop
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer

@Suite struct WaitTurnTests {
    private let setup: WaitFixture
    private let waits: ConditionWaits
    private let clock = CountingClock()
    private let windows: [Window.ID]

    /// A turn has time for five checks, after each of which the clock is read.
    private final class CountingClock {
        var readings: UInt64 = 0
        func read() -> UInt64 {
            readings += 1
            return readings * 100_000
        }
    }

    init() throws {
        setup = try WaitFixture()
        waits = setup.control.control.waits
        setup.fixture.server.turnTime = 1000
        waits.time = { [clock] in clock.read() }
        let model = setup.fixture.model
        let application = model.addApplication(name: "app")
        windows = try (0..<100).map {
            try model.createWindow(application: application, options: .init(title: "window \($0)"))
        }
        try setup.fixture.pump()
    }

    /// Runs a turn of the loop, and returns how often the clock was read.
    private func turn() throws -> UInt64 {
        let before = clock.readings
        _ = try setup.fixture.loop.runOnce(nonblocking: true)
        return clock.readings - before
    }

    @Test(
        "each window and each candidate is checked by itself, and no turn checks more than it has time for",
        arguments: [
            ("window", "title", "/(.*.*.*.*.*)*z/", 264), ("window", "title", "windwo 1", 264),
            ("window", "application", "/nobody/", 265), ("application", "application", "/nobody/", 102),
        ])
    func slices(kind: String, word: String, pattern: String, checks: UInt64) throws {
        let kind = try #require(Condition.Kind(rawValue: kind))
        var unmet: [API.Unmet]?
        let wait = ConditionWait([try Condition(kind, [(word, pattern)])], in: waits, patience: 0, user: nil) {
            if case .unfulfilled(let reasons) = $0 { unmet = reasons }
        }
        var (turns, most): (UInt64, UInt64) = (0, 0)
        while unmet == nil, turns < 1000 {
            turns += 1
            most = max(most, try turn())
        }
        // One reading begins the look, five fill it; where the search for what comes nearest begins, it is read once more.
        #expect((6...7).contains(most) && turns >= checks / 5 && turns < checks / 2, "\(turns) turns, \(most) readings")
        #expect(unmet?.count == 1 && unmet?.first?.instead.isEmpty == false, "\(String(describing: unmet))")
        wait.cancel()
    }

    @Test("windows that change in every turn, and waits that are never done with them, do not hold up another wait")
    func fairness() throws {
        let model = setup.fixture.model
        let slow = try (0..<8).map { _ in
            ConditionWait(
                [try Condition(.gone, [("title", "/window/")])], in: waits, patience: 600_000_000, user: nil
            ) { _ in }
        }
        var isFulfilled = false
        let wait = ConditionWait(
            [try Condition(.window, [("title", "new")])], in: waits, patience: 600_000_000, user: nil
        ) { if case .fulfilled = $0 { isFulfilled = true } }
        while try turn() > 1 + UInt64(slow.count + 1) {}
        let application = model.addApplication(name: "other")
        var turns = 0
        while !isFulfilled, turns < 200 {
            for id in windows { try model.setTitle("window \(turns)", of: id) }
            if turns == 1 { _ = try model.createWindow(application: application, options: .init(title: "new")) }
            _ = try turn()
            turns += 1
        }
        #expect(isFulfilled && turns < 40, "\(turns) turns")
        for wait in slow + [wait] { wait.cancel() }
        #expect(!waits.isOpen && waits.changes.count == 0)
    }

    @Test(
        "a match is remembered, and every condition is checked before the time is up, while windows change in every turn",
        arguments: [false, true])
    func twoConditions(isLate: Bool) throws {
        let model = setup.fixture.model
        try model.setTitle("needle", of: windows[0])
        let application = model.addApplication(name: "other")
        _ = try model.createWindow(application: application, options: .init(title: "new"))
        try setup.fixture.pump()
        var outcome: ConditionWait.Outcome?
        // New windows are checked first.
        let conditions = try ["new", "needle"].map { try Condition(.window, [("title", $0)]) }
        let wait = ConditionWait(conditions, in: waits, patience: 600_000_000, user: nil) { outcome = $0 }
        var turns = 0
        while outcome == nil, turns < 1000 {
            for id in windows.dropFirst() { try model.setTitle("window \(turns)", of: id) }
            if turns == 2, isLate { wait.timeIsUp() }
            _ = try turn()
            turns += 1
        }
        guard case .fulfilled = outcome else {
            Issue.record("\(String(describing: outcome)) after \(turns) turns")
            return
        }
    }

    @Test("many flushes in a turn do not check more than one")
    func flushes() throws {
        let wait = ConditionWait(
            [try Condition(.window, [("title", "never")])], in: waits, patience: 600_000_000, user: nil
        ) { _ in }
        let before = clock.readings
        for _ in 0..<10 { setup.fixture.server.deliverAndFlush() }
        #expect(clock.readings - before == 6)
        wait.cancel()
    }
}
