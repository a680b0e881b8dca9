// Double clicks, and modifiers that are held during a click: POST /v1/input.

import TestSupport
import Testing
import WindowModel

@testable import ControlAPI
@testable import DisplayServer

@Suite struct ClickTests {
    private let fixture: ServerFixture
    private let control: TestControl

    init() throws {
        fixture = try ServerFixture(screens: ["200x160"], clock: .manual)
        let client = try fixture.connect("clicked")
        client.window("Clicked").color(0xffff_0000).frame(0, 0, 100, 100).makeKeyAndVisible()
        try fixture.pump()
        control = try TestControl(fixture)
    }

    /// The keys and buttons of an event, in order: "+29" goes down, "-29" up.
    private func presses(_ body: String) throws -> (presses: [String], answer: (status: Int, body: String)) {
        var presses: [String] = []
        fixture.server.injector.onStep = { step in
            switch step {
            case .button(let code, let isDown, _): presses.append((isDown ? "+" : "-") + "\(code)")
            case .key(let code, let isDown, _, _): presses.append((isDown ? "+" : "-") + "\(code)")
            case .scroll: presses.append("scroll")
            default: break
            }
        }
        let answer = try control.send("POST", "/v1/input", body)
        return (presses, answer)
    }

    @Test("E5: count is the number of clicks; the answer explains the first press")
    func count() throws {
        let (presses, answer) = try presses(#"{"type":"click","x":9,"y":9,"count":2}"#)
        #expect(presses == ["+272", "-272", "+272", "-272"])
        #expect(answer.status == 200 && answer.body.contains(#""steps":5"#), "\(answer)")
        for count in ["0", "4", "1.5", "\"2\""] {
            let refused = try self.presses("{\"type\":\"click\",\"x\":9,\"y\":9,\"count\":\(count)}")
            #expect(refused.answer.status == 400 && refused.presses.isEmpty, "\(count): \(refused)")
        }
    }

    @Test("E3: modifiers are down during a click and scrolling, and go up in the opposite order")
    func modifiers() throws {
        let click = try presses(#"{"type":"click","x":9,"y":9,"modifiers":["ctrl","shift"]}"#)
        #expect(click.presses == ["+29", "+42", "+272", "-272", "-42", "-29"])
        #expect(click.answer.body.contains(#""steps":3"#), "\(click.answer)")
        let scroll = try presses(#"{"type":"scroll","x":9,"y":9,"deltaY":15,"modifiers":["alt","alt"]}"#)
        #expect(scroll.presses == ["+56", "scroll", "-56"])
    }

    @Test("a modifier that is held already stays down")
    func held() throws {
        _ = try presses(#"{"type":"key","key":"ctrl","action":"down"}"#)
        #expect(try presses(#"{"type":"click","x":9,"y":9,"modifiers":["ctrl"]}"#).presses == ["+272", "-272"])
        #expect(try presses(#"{"type":"key","key":"ctrl","action":"up"}"#).presses == ["-29"])
    }

    @Test("H3: a click that nobody receives is a miss, whoever receives its modifiers")
    func misses() throws {
        let (presses, answer) = try presses(#"{"type":"click","x":150,"y":150,"modifiers":["ctrl"],"mustHit":true}"#)
        #expect(presses == ["+29", "+272", "-272", "-29"])
        #expect(answer.status == 409 && answer.body.contains(#""code":"noReceiver""#), "\(answer)")
        #expect(answer.body.contains(#""delivered":0"#), "\(answer)")
    }

    @Test("K1: the modifiers are those of the pointer's seat")
    func seats() throws {
        let fixture = try ServerFixture(screens: ["200x160,name=A", "200x160,external,name=B"])
        let other = try fixture.model.addSeat(name: "other", screens: ["B"])
        var seats: [Seat.ID] = []
        fixture.server.injector.onStep = { step in
            if case .key(_, _, _, let seat) = step { seats.append(seat) }
        }
        let body = #"{"type":"click","screen":"B","x":9,"y":9,"modifiers":["ctrl"]}"#
        #expect(try TestControl(fixture).send("POST", "/v1/input", body).status == 200)
        #expect(seats == [other, other])
    }

    @Test("a double click with a duration takes as long as both of its presses, also in a scenario on manual time")
    func duration() throws {
        let step = #"{"input":{"type":"click","x":9,"y":9,"count":2,"duration":100,"mustHit":false}}"#
        let answer = try control.send("POST", "/v1/scenarios", #"{"name":"a","steps":[\#(step)]}"#)
        #expect(answer.status == 200 && answer.body.contains("event: done"), "\(answer)")
    }

    @Test("other modifiers, and modifiers of other events, are errors that name what is allowed")
    func refusals() throws {
        let unknown = try presses(#"{"type":"click","x":9,"y":9,"modifiers":["hyper"]}"#)
        #expect(unknown.answer.status == 400 && unknown.presses.isEmpty)
        #expect(unknown.answer.body.contains(#"\"hyper\" is not a modifier; use some of alt, altgr"#), "\(unknown)")
        let other = try presses(#"{"type":"tap","x":9,"y":9,"modifiers":["ctrl"]}"#)
        #expect(other.answer.status == 400 && other.answer.body.contains("unknownField"), "\(other)")
    }
}
