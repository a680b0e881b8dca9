// Frame callbacks: when they are sent, when they are held back, and that an idle server does nothing.

import DisplayServer
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct FrameClockTests {
    /// Requests a callback with the next commit; `done` receives its time in milliseconds.
    private func requestFrame(_ client: TestClient, _ surface: Proxy<WlSurface>, _ done: @escaping (UInt32) -> Void) {
        let callback = Proxy<WlCallback>(client.connection, version: 1)
        callback.onEvent = { event in
            switch event {
            case .done(let time): done(time)
            }
        }
        surface.send(.frame(callback: callback.id))
    }

    @Test("frame callbacks follow the screen's rate without a viewer, and none is sent without a request")
    func rate() throws {
        let fixture = try ServerFixture(screens: ["640x480@50"])
        let client = try fixture.connect()
        let window = client.window("w").frame(0, 0, 10, 10)
        try client.attach(0xffff0000, width: 10, height: 10, to: window.surface)
        var times: [UInt32] = []
        func again() {
            requestFrame(client, window.surface) { time in
                times.append(time)
                if times.count < 40 { again() }
            }
            window.commit()
        }
        again()
        window.show()
        try fixture.wait(for: "40 frames") { times.count == 40 }
        let intervals = zip(times, times.dropFirst()).map { Int($1 &- $0) }
        // Never faster than the screen. A busy machine may be slower, so that only a much lower rate is wrong.
        let total = intervals.reduce(0, +)
        #expect(total >= 39 * 20 - 21, "\(intervals)")
        let median = intervals.sorted()[intervals.count / 2]
        #expect((15...100).contains(median), "\(intervals)")
        try fixture.pump()
        let end = fixture.loop.now + 60_000
        var busy = 0
        while fixture.loop.now < end { busy += try fixture.loop.runOnce(nonblocking: true) ? 1 : 0 }
        #expect(busy == 0, "nothing is due")
    }

    @Test("a surface's first callback does not wait for a tick, and the next one does")
    func firstFrames() throws {
        // A tick would follow in a quarter of an hour.
        let fixture = try ServerFixture(screens: ["640x480@0.001"])
        fixture.server.turnTime = 0
        let client = try fixture.connect()
        var windows: [TestWindow] = []
        var first = 0
        for number in 0..<30 {
            let window = client.window("\(number)").color(0xffff0000)
            requestFrame(client, window.surface) { _ in first += 1 }
            window.show()
            windows.append(window)
        }
        try fixture.wait(for: "30 callbacks") { first == 30 }
        var next = 0
        for window in windows {
            requestFrame(client, window.surface) { _ in next += 1 }
            window.commit()
        }
        try fixture.pump()
        #expect(next == 0)
    }

    @Test("feedback about a first frame comes with a tick of the screen")
    func firstFeedback() throws {
        let fixture = try ServerFixture(screens: ["640x480@20"])
        let client = try fixture.connect()
        let presentation = try client.bind(WpPresentation.self)
        var sequences: [UInt32] = []
        var callbacks = 0
        for number in 0..<3 {
            let window = client.window("\(number)").color(0xffff0000)
            requestFrame(client, window.surface) { _ in callbacks += 1 }
            let feedback = Proxy<WpPresentationFeedback>(client.connection, version: 2)
            feedback.onEvent = { event in
                guard case .presented(_, _, _, _, _, let sequence, _) = event else { return }
                sequences.append(sequence)
            }
            presentation.send(.feedback(surface: window.surface.id, callback: feedback.id))
            window.show()
            try fixture.wait(for: "callback \(number)") { callbacks == number + 1 }
        }
        try fixture.wait(for: "3 feedbacks") { sequences.count == 3 }
        #expect(sequences[0] < sequences[1] && sequences[1] <= sequences[2], "\(sequences)")
    }

    @Test("C4: the callbacks of cached commits are sent with the parent's, each once and in order")
    func cachedCallbacks() throws {
        let fixture = try ServerFixture(screens: ["640x480"])
        let client = try fixture.connect()
        let window = client.window("w").frame(0, 0, 100, 100)
        try client.attach(0xff11_1111, width: 100, height: 100, to: window.surface)
        window.show()
        let child = try TestSubsurface(
            client, of: window.surface, argb: 0xffff_0000, x: 0, y: 0, width: 10, height: 10)
        window.commit()
        try fixture.pump()
        var done: [Int] = []
        var requested = 0
        for count in [1, 2, 0, 3] {
            for _ in 0..<count {
                let number = requested
                requestFrame(client, child.surface) { _ in done.append(number) }
                requested += 1
            }
            child.surface.send(.commit)
        }
        try fixture.pump()
        #expect(done.isEmpty)
        window.commit()
        try fixture.wait(for: "the callbacks") { done.count >= requested }
        try fixture.pump()
        #expect(done == Array(0..<requested))
    }

    @Test("C2: a visible window without content receives frame callbacks too")
    func noContent() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff0000)
        var ticks = 0
        requestFrame(client, window.surface) { _ in ticks += 1 }
        window.show()
        try fixture.wait(for: "a frame") { ticks == 1 }
    }

    @Test("callbacks of hidden windows are held back until the window is shown")
    func hidden() throws {
        let fixture = try ServerFixture(screens: ["640x480@50"], clock: .manual)
        let client = try fixture.connect()
        let shown = client.window("shown").color(0xffff0000)
        shown.show()
        let hidden = client.window("hidden").color(0xff00ff00)
        try client.attach(0xff00ff00, width: 10, height: 10, to: hidden.surface)
        hidden.commit()
        let child = try TestSubsurface(
            client, of: hidden.surface, argb: 0xff0000ff, x: 0, y: 0, width: 5, height: 5)
        var (visibleTicks, hiddenTicks) = (0, 0)
        requestFrame(client, hidden.surface) { _ in hiddenTicks += 1 }
        requestFrame(client, child.surface) { _ in hiddenTicks += 1 }
        child.surface.send(.commit)
        hidden.commit()
        for number in 1...5 {
            requestFrame(client, shown.surface) { _ in visibleTicks += 1 }
            shown.commit()
            try fixture.pump()
            try fixture.step(20_000)
            #expect(visibleTicks == number)
        }
        #expect(hiddenTicks == 0)
        hidden.show()
        try fixture.pump()
        #expect(try fixture.step(20_000) == 1 && hiddenTicks == 2)
    }

    @Test("S8: no callback is lost when the screen is unplugged and plugged in again")
    func unplugged() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480@50,external,name=TV"], clock: .manual)
        let client = try fixture.connect()
        let window = client.window("w", on: client.screens[1]).color(0xffff0000)
        window.show()
        try fixture.pump()
        var ticks = 0
        for round in 0..<10 {
            requestFrame(client, window.surface) { _ in ticks += 1 }
            window.commit()
            try fixture.pump()
            try fixture.server.disconnect(fixture.model.screens[1])
            requestFrame(client, window.surface) { _ in ticks += 1 }
            window.commit()
            try fixture.pump()
            let before = ticks
            try fixture.server.plug(ScreenSpecification(parsing: "640x480@50,external,name=TV"))
            try fixture.pump()
            try fixture.step(20_000)
            #expect(before == 2 * round && ticks == 2 * round + 2)
        }
    }

    @Test("a window that is moved to another screen receives frame callbacks there")
    func moves() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external"])
        let client = try fixture.connect()
        let window = client.window("w").color(0xffff0000)
        window.show()
        var ticks = 0
        for round in 1...6 {
            requestFrame(client, window.surface) { _ in ticks += 1 }
            window.window.send(.setScreen(screen: client.screens[round % 2].proxy.id))
            window.commit()
            try fixture.wait(for: "round \(round)") { ticks == round }
        }
    }

    @Test("an idle server with clients, windows and screens has nothing to do")
    func idle() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external"])
        for number in 0..<20 {
            let client = try fixture.connect("c\(number)")
            let window = client.window("w").color(0xffff0000)
            try client.attach(0xffff0000, width: 10, height: 10, to: window.surface)
            window.show()
        }
        try fixture.pump()
        let end = fixture.loop.now + 60_000
        var busy = 0
        while fixture.loop.now < end { busy += try fixture.loop.runOnce(nonblocking: true) ? 1 : 0 }
        #expect(busy == 0)
    }
}
