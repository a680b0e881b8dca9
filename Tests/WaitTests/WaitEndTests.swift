// Waits that end while something is still under way for them.

import EventLoop
import TestSupport
import Testing

@testable import ControlAPI
@testable import DisplayServer

@Suite struct WaitEndTests {
    enum End: CaseIterable { case hangUp, exit, timeOut }

    @Test("a wait can end while its picture waits for another drawing", arguments: End.allCases)
    func deferredPicture(end: End) throws {
        let setup = try WaitFixture(screens: ["2000x2000,name=A"])
        let (fixture, waits) = (setup.fixture, setup.control.control.waits)
        let condition = try Condition(.pixel, [("x", "0"), ("y", "0"), ("color", "123456")])
        // The screen is being drawn for this, so that the wait's picture is of a later moment.
        var isDrawn = false
        fixture.server.capture([fixture.mainScreen]) { _ in isDrawn = true }
        var ends = 0
        var wait: ConditionWait? = ConditionWait([condition], in: waits, patience: 60_000_000, user: nil) { _ in
            ends += 1
        }
        waits.serverDidFlush()
        #expect(!isDrawn && waits.isOpen)
        switch end {
        case .hangUp: wait?.cancel()
        case .exit: waits.end()
        case .timeOut: wait?.cancel(.unfulfilled([]))
        }
        weak let ended = wait
        wait = nil
        #expect(ended == nil && !waits.isOpen)
        try fixture.wait(for: "both drawings") { isDrawn && !fixture.server.captures.isBusy }
        #expect(ends == (end == .hangUp ? 0 : 1))
    }

    @Test("clients that settle for several waits: one that another's end has cancelled stays cancelled")
    func settling() throws {
        let fixture = try ServerFixture()
        var outcomes = 0
        var second: Settler.Waiting?
        fixture.server.settler.settle(within: 60_000_000) { _ in
            outcomes += 1
            second?.cancel()
        }
        second = fixture.server.settler.settle(within: 60_000_000) { _ in outcomes += 1 }
        try fixture.wait(for: "the first") { outcomes > 0 }
        try fixture.pump()
        #expect(outcomes == 1)
    }

    @Test("what the end of a wait changes is noticed by the others without another event")
    func nestedChange() throws {
        let setup = try WaitFixture()
        let (fixture, waits) = (setup.fixture, setup.control.control.waits)
        let application = fixture.model.addApplication(name: "app")
        var isNoticed = false
        let first = ConditionWait(
            [try Condition(.window, [("application", "app")])], in: waits, patience: 60_000_000, user: nil
        ) { _ in isNoticed = true }
        let second = ConditionWait([try Condition(.screen, [("screen", "A")])], in: waits, patience: 0, user: nil) {
            _ in
            _ = try? fixture.model.createWindow(application: application)
            fixture.server.deliverAndFlush()
        }
        // The first turn ends the second wait; the next one must not need another reason.
        for _ in 0..<10 where !isNoticed { _ = try fixture.loop.runOnce(nonblocking: true) }
        #expect(isNoticed)
        first.cancel()
        second.cancel()
    }
}
