// All kinds of injected events over the control API: explanations, refusals, timing and read receipts.

import FoundationEssentials
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer

@Suite struct InjectionTests {
    @Test(
        "H3: the answer to every kind of event names its target, and why other windows did not receive it",
        arguments: [
            #"{"type": "tap", "x": 150, "y": 120}"#, #"{"type": "hover", "x": 150, "y": 120}"#,
            #"{"type": "click", "x": 150, "y": 120}"#,
            #"{"type": "scroll", "x": 150, "y": 120, "deltaY": 5}"#,
            #"{"type": "pinch", "x": 150, "y": 120, "scale": 2}"#,
            #"{"type": "rotate", "x": 150, "y": 120, "rotation": 1}"#,
            #"{"type": "swipe", "from": {"x": 150, "y": 120}, "to": {"x": 160, "y": 120}}"#,
            #"{"type": "hold", "x": 150, "y": 120}"#,
        ])
    func placed(event: String) throws {
        let setup = try InjectionFixture()
        setup.client.window("front").color(0xff00ff00).level(5).frame(500, 0, 10, 10).show()
        try setup.fixture.pump()
        let answer = try setup.answer(event)
        #expect(answer.hit?.title == "w" && answer.hit?.location == Point(x: 50, y: 20))
        #expect(answer.candidates.map(\.title) == ["front"] && answer.candidates.map(\.reason) == ["outsideFrame"])
        let missed = try setup.answer(event.replacing("150", with: "50"))
        #expect(missed.hit == nil && missed.reason == "noWindow" && missed.delivered == 0)
        #expect(missed.candidates.map(\.title) == ["front", "w"])
    }

    @Test("H3, E3: the answers to keys, text and shakes name their target, or why no window received them")
    func unplaced() throws {
        let setup = try InjectionFixture()
        let events = [
            #"{"type": "key", "key": "a"}"#, #"{"type": "key", "code": 30}"#, #"{"type": "type", "text": "aé"}"#,
            #"{"type": "shake"}"#,
        ]
        for event in events { #expect(try setup.answer(event).hit?.title == "w", "\(event)") }
        setup.window.hide()
        try setup.fixture.pump()
        for event in events {
            let answer = try setup.answer(event)
            #expect(answer.reason == "noKeyWindow" && answer.candidates.map(\.reason) == ["hidden"], "\(event)")
        }
    }

    @Test("H3, E4: the answer to a remote command lists its receivers in order, and applications that did not ask")
    func remote() throws {
        let setup = try InjectionFixture()
        #expect(try setup.answer(#"{"type": "remote", "command": "play"}"#).reason == "notReceiving")
        _ = try setup.fixture.connect("other")
        let model = setup.fixture.model
        for application in model.applications.reversed() {
            try model.beginReceivingRemoteControlEvents(application)
        }
        let third = try setup.fixture.connect("third")
        #expect(third.isOpen)
        let answer = try setup.answer(#"{"type": "remote", "command": "nextTrack"}"#)
        #expect(answer.receivers?.count == 2 && answer.delivered == 1 && answer.reason == nil)
        #expect(answer.candidates.map(\.reason) == ["notReceiving"])
        #expect(try setup.post(#"{"type": "remote", "command": "louder"}"#).body.contains("togglePlayPause"))
    }

    @Test("E1: the fingers of a gesture are real touches, one frame per step")
    func fingers() throws {
        let setup = try InjectionFixture()
        let reader = try TouchReader(setup.client)
        try setup.fixture.pump()
        let answer = try setup.answer(
            #"{"type": "pinch", "by": "touch", "x": 200, "y": 200, "scale": 0.5, "steps": 1, "radius": 40, "id": 7}"#)
        #expect(answer.steps == 3 && answer.delivered == 3 && answer.touches?.map(\.id) == [7, 8])
        let surface = setup.window.surface.id
        #expect(
            reader.take() == [
                "down 7 on \(surface) 140.0,100.0", "down 8 on \(surface) 60.0,100.0", "frame",
                "motion 7 120.0,100.0", "motion 8 80.0,100.0", "frame", "up 7", "up 8", "frame",
            ])
    }

    @Test("E5: each step of a gesture keeps the values it does not set, and so does the end")
    func gestureSteps() throws {
        let setup = try InjectionFixture()
        let pointer = try TestPointer(setup.client)
        _ = try pointer.pinch()
        try setup.fixture.pump()
        let list = """
            [{"type": "pinch", "phase": "began", "x": 150, "y": 150, "fingers": 3},
             {"type": "pinch", "phase": "moved", "scale": 2, "rotation": 0},
             {"type": "pinch", "phase": "moved", "deltaX": 4}, {"type": "pinch", "phase": "ended"}]
            """
        #expect(try setup.post(list).status == 200)
        let received = pointer.take().filter { $0.hasPrefix("pinch") }
        #expect(
            received == [
                "pinch begin \(setup.window.surface.id) 3", "pinch 0.0,0.0 2.0 0.0", "pinch 4.0,0.0 2.0 0.0",
                "pinch end 0",
            ])
    }

    private static let twice = """
        {"type": "touches", "touches": [{"id": 2, "phase": "began", "x": 1, "y": 1},
         {"id": 2, "phase": "moved", "x": 1, "y": 1}]}
        """

    @Test(
        "a list with an impossible event has no effect; the error names the event and the rule",
        arguments: [
            (#"{"type": "touch", "id": 1, "phase": "moved", "x": 1, "y": 1}"#, "E1"),
            (#"{"type": "tap", "x": 1, "y": 1, "force": 2}"#, "E1"),
            (#"{"type": "tap", "x": 1, "y": 1, "majorRadius": 1, "minorRadius": 2}"#, "E1"),
            (#"{"type": "touches", "touches": []}"#, "E1"),
            (Self.twice, "E1"),
            (#"{"type": "pinch", "phase": "moved"}"#, "E5"), (#"{"type": "pinch", "x": 1, "y": 1, "scale": -1}"#, "E5"),
            (#"{"type": "pinch", "by": "touch", "scale": 2}"#, "E5"),
            (#"{"type": "swipe", "phase": "ended"}"#, "E5"), (#"{"type": "shake", "phase": "began"}"#, "E3"),
            (#"{"type": "shake", "phase": "moved"}"#, "E3"), (#"{"type": "shake", "seat": "nobody"}"#, "K1"),
            (#"{"type": "key", "code": 2, "keymap": {"3": "a"}}"#, "E3"),
            (#"{"type": "key", "code": 2, "keymap": {"2": "no such symbol"}}"#, "E3"),
            (#"{"type": "key", "key": "eacute", "action": "down"}"#, "E3"),
            (#"{"type": "shake", "at": 600000}, {"type": "shake", "after": 1}"#, "E9"),
            (#"{"type": "shake", "at": 2}, {"type": "shake", "at": 1}"#, "E9"),
        ])
    func refusals(event: String, rule: String) throws {
        let setup = try InjectionFixture()
        let first = #"{"type": "touch", "id": 9, "phase": "began", "x": 150, "y": 150}"#
        let answer = try setup.post("[\(first), {\"type\": \"shake\", \"phase\": \"began\"}, \(event)]")
        #expect(answer.status == 409 || answer.status == 422, "\(answer)")
        #expect(answer.body.contains("\"rule\":\"\(rule)\""), "\(answer.body)")
        #expect(answer.body.contains("\"index\":"))
        #expect(setup.fixture.model.touchCount == 0)
        // The shake did not begin either.
        #expect(try setup.post(#"{"type": "shake"}"#).status == 200)
    }

    @Test(
        "an event accepts only the fields of its type",
        arguments: [
            (#"{"type": "pinch", "phase": "moved", "steps": 3}"#, "complete gesture"),
            (#"{"type": "pinch", "x": 1, "y": 1, "radius": 3}"#, "fingers on the screen"),
            (#"{"type": "swipe", "x": 1, "y": 1}"#, "from"),
            (#"{"type": "hold", "x": 1, "y": 1, "scale": 1}"#, "scale"),
            (#"{"type": "pinch", "by": "touch", "x": 1, "y": 1, "fingers": 1}"#, "2…10"),
            (#"{"type": "tap", "x": 1, "y": 1, "tool": "brush"}"#, "pencil"),
            (#"{"type": "tap", "x": 1, "y": 1, "tool": "finger", "azimuth": 1}"#, "pencil"),
            (
                #"{"type": "drag", "by": "pointer", "force": 1, "from": {"x": 1, "y": 1}, "to": {"x": 2, "y": 1}}"#,
                "force"
            ),
            (#"{"type": "key", "key": "a", "code": 30}"#, "not both"),
            (#"{"type": "key", "key": "a", "keymap": {}}"#, "code"),
            (#"{"type": "shake", "at": 1, "after": 1}"#, "not both"), (#"{"type": "shake", "at": -1}"#, "600000"),
            (#"{"type": "touches", "touches": [{"phase": "began", "x": 1, "y": 1, "screen": 1}]}"#, "unknown key"),
        ])
    func fields(event: String, word: String) throws {
        let answer = try InjectionFixture().post(event)
        #expect(answer.status == 400 && answer.body.contains(word), "\(answer)")
    }

    @Test("K1: keys, shakes and commands go to the seat that is named; a touch goes to its screen's seat")
    func seats() throws {
        let setup = try InjectionFixture(screens: ["800x600,name=A", "800x600,name=B"])
        try setup.fixture.server.addSeat(name: "seat1", screens: ["B"])
        let other = setup.client.window("other", on: setup.client.screens[1]).color(0xff00ff00)
        other.makeKeyAndVisible()
        setup.events.ask(other)
        try setup.fixture.pump()
        #expect(try setup.answer(#"{"type": "shake"}"#).hit?.title == "w")
        #expect(try setup.answer(#"{"type": "shake", "seat": "seat1"}"#).hit?.title == "other")
        #expect(try setup.answer(#"{"type": "tap", "x": 5, "y": 5, "seat": "seat1"}"#).hit?.title == "other")
        #expect(try setup.answer(#"{"type": "tap", "x": 5, "y": 5, "screen": "B"}"#).hit?.title == "other")
        let wrong = try setup.post(#"{"type": "tap", "x": 5, "y": 5, "screen": "A", "seat": "seat1"}"#)
        #expect(wrong.status == 422 && wrong.body.contains("belongs to seat seat0"))
        // Both seats have a touch with this id.
        for name in ["A", "B"] {
            let began = #"{"type": "touch", "id": 3, "phase": "began", "x": 150, "y": 150, "screen": "\#(name)"}"#
            #expect(try setup.post(began).status == 200)
        }
        #expect(try setup.post(#"{"type": "touch", "id": 3, "phase": "ended"}"#).body.contains("name its screen"))
        for name in ["A", "B"] {
            let ended = #"{"type": "touch", "id": 3, "phase": "ended", "screen": "\#(name)"}"#
            #expect(try setup.answer(ended).delivered == 1)
        }
    }

    // MARK: Time

    @Test("E9: the events of a list are injected at their times; on the manual clock, when it is stepped")
    func timed() throws {
        let setup = try InjectionFixture(clock: .manual)
        var times: [UInt64] = []
        setup.fixture.server.onEffect = { effect in
            if case .deliver(let event) = effect, event.phase == .began { times.append(event.timestamp) }
        }
        var outcome: InputQueue.Outcome?
        let tap = InputEvent.tap(id: 0, InputEvent.Place(screen: nil, point: Point(x: 150, y: 150)))
        setup.fixture.server.injector.queue.inject([
            InputRequest(tap), InputRequest(tap, time: .at(10_000)), InputRequest(tap, time: .after(5_500)),
        ]) { outcome = $0 }
        try setup.fixture.pump()
        #expect(times == [1_000_000] && outcome == nil)
        try setup.fixture.step(9_999)
        #expect(times.count == 1)
        try setup.fixture.step(1)
        #expect(times == [1_000_000, 1_010_000])
        try setup.fixture.step(20_000)
        #expect(times == [1_000_000, 1_010_000, 1_015_500])
        #expect(try outcome?.get().map(\.delivered) == [2, 2, 2])
    }

    @Test("E2: disconnecting cancels a timed list, and what it holds down is released")
    func hungUp() throws {
        let setup = try InjectionFixture(clock: .manual)
        let queue = setup.fixture.server.injector.queue
        let touch = InputEvent.touch(id: 4, phase: .began, InputEvent.Place(screen: nil, point: Point(x: 150, y: 150)))
        let job = queue.inject([InputRequest(touch), InputRequest(.shake(nil), time: .at(1000))]) { _ in
            Issue.record("the cancelled list has an outcome")
        }
        #expect(setup.fixture.model.touchCount == 1)
        var next: InputQueue.Outcome?
        queue.inject([InputRequest(touch)]) { next = $0 }
        queue.cancel(job)
        try setup.fixture.wait(for: "the next list") { next != nil }
        #expect(try next?.get().first?.delivered == 1)
    }

    @Test("the timed lists of a scenario step the manual clock")
    func scenario() throws {
        let setup = try InjectionFixture(clock: .manual)
        let steps = """
            {"name": "n", "steps": [{"input": [{"type": "shake", "phase": "began"},
             {"type": "shake", "phase": "ended", "after": 40}]}, {"input": {"type": "remote", "command": "play", "mustHit": false}}]}
            """
        let answer = try setup.control.send("POST", "/v1/scenarios", steps)
        #expect(answer.body.contains("event: done"), "\(answer.body)")
        #expect(setup.fixture.server.clock.now == 1_040_000)
    }

    // MARK: Reading

    @Test("with wait the answer says how soon each receiver has read the event, or why it has not")
    func receipts() throws {
        let setup = try InjectionFixture()
        let answer = try setup.answer(#"{"type": "tap", "x": 150, "y": 150, "wait": true}"#)
        #expect(answer.receipts?.map(\.read) == [true] && answer.receipts?.first?.microseconds != nil)
        #expect(try setup.answer(#"{"type": "tap", "x": 150, "y": 150}"#).receipts == nil)
        #expect(try setup.answer(#"{"type": "tap", "x": 1, "y": 1}"#, query: "?wait=true").receipts?.isEmpty != nil)
        // A client that disconnects before it answers.
        setup.client.onPing = { [client = setup.client] _ in client.connection.disconnect() }
        let gone = try setup.answer(#"{"type": "shake", "wait": true}"#)
        #expect(gone.receipts?.map(\.read) == [false] && gone.receipts?.first?.reason == "it has disconnected")
    }

    @Test("a plain program, which does not use the extension, is pinged through xdg_wm_base")
    func plainReceipt() throws {
        let setup = try InjectionFixture()
        let program = try setup.fixture.spawn("weston-flower")
        let model = setup.fixture.model
        try setup.fixture.wait(for: "its window") {
            model.windows.count == 2 && model.windows.allSatisfy { model.isVisible($0) }
        }
        #expect(program.isRunning)
        let frame = try #require(model.window(model.windows[1])?.frame)
        let (x, y) = (frame.minX + frame.size.width / 2, frame.minY + frame.size.height / 2)
        let answer = try setup.answer("{\"type\": \"tap\", \"x\": \(x), \"y\": \(y), \"wait\": true}")
        #expect(answer.receipts?.map(\.read) == [true] && answer.receipts?.first?.name == "weston-flower")
    }

    @Test("a program that does not read is reported after a timeout, and does not delay others")
    func unread() throws {
        let setup = try InjectionFixture()
        setup.client.onPing = { _ in }
        var receipts: ReadReceipts?
        setup.fixture.server.injector.queue.inject([InputRequest(.shake(nil), waits: true)]) {
            receipts = try? $0.get().first?.receipts
        }
        let open = try #require(receipts)
        #expect(!open.isDone)
        #expect(try setup.answer(#"{"type": "shake"}"#).delivered == 2)
        try setup.fixture.wait(for: "the timeout") { open.isDone }
        #expect(open.answers.map(\.answer) == [.unread("it does not answer a ping")])
    }

    // MARK: Keys

    @Test("E3: a symbol that the layout lacks is tapped with a keymap of its own, including its modifiers")
    func lentKey() throws {
        let setup = try InjectionFixture()
        let reader = try KeyboardReader(setup.client)
        try setup.fixture.pump()
        _ = reader.takeEvents()
        #expect(try setup.answer(#"{"type": "key", "key": "eacute"}"#).delivered == 2)
        #expect(reader.takeText() == "é")
        #expect(try setup.answer(#"{"type": "key", "key": "ctrl+漢"}"#).delivered == 4)
        #expect(reader.takeEvents().contains { $0.hasPrefix("modifiers 4 ") })
        #expect(try setup.answer(#"{"type": "key", "key": "a"}"#).delivered == 2)
        #expect(reader.takeText().hasSuffix("a"))
        #expect(try setup.post(#"{"type": "key", "key": "no such key"}"#).status == 422)
    }

    @Test("E3: text after a key that locks or switches the layout is typed in the resulting state")
    func locked() throws {
        let setup = try InjectionFixture()
        let reader = try KeyboardReader(setup.client)
        var configuration = setup.fixture.server.keyboard
        configuration.layout.layout = "us,ru"
        configuration.layout.options = "grp:toggle"
        try setup.fixture.server.setKeyboard(configuration)
        try setup.fixture.pump()
        let list = """
            [{"type": "key", "key": "Caps_Lock"}, {"type": "type", "text": "Ab"}, {"type": "key", "key": "Caps_Lock"},
             {"type": "key", "code": 100}, {"type": "type", "text": "привет"}, {"type": "key", "code": 100},
             {"type": "type", "text": "z"}]
            """
        #expect(try setup.post(list).status == 200)
        #expect(reader.takeText() == "Abприветz")
    }
}
