// What the tests of several seats share.

import DisplayServer
import MullionGeometry
import MullionWayland
import WindowModel

/// The events of one seat that a client receives: lines like "enter", "key 30 1", "button 272 1", "down 1 10.0,20.0".
package final class SeatReader {
    package let seat: Proxy<WlSeat>
    package let pointer: Proxy<WlPointer>
    private let keyboard: Proxy<WlKeyboard>
    private let touch: Proxy<WlTouch>
    package private(set) var name = ""
    package private(set) var enterSerial: UInt32 = 0
    private var lines: [String] = []

    package init(_ client: TestClient, _ index: Int) throws {
        // From version 10 on held keys would repeat.
        seat = try client.seat(index, version: 9)
        pointer = Proxy(client.connection, version: seat.version)
        keyboard = Proxy(client.connection, version: seat.version)
        touch = Proxy(client.connection, version: seat.version)
        seat.onEvent = { [weak self] event in
            if case .name(let name) = event { self?.name = name }
        }
        seat.send(.getPointer(id: pointer.id))
        seat.send(.getKeyboard(id: keyboard.id))
        seat.send(.getTouch(id: touch.id))
        pointer.onEvent = { [weak self] event in
            switch event {
            case .enter(let serial, _, _, _):
                self?.enterSerial = serial
                self?.lines.append("pointer enter")
            case .leave: self?.lines.append("pointer leave")
            case .motion(_, let x, let y): self?.lines.append("motion \(x.double),\(y.double)")
            case .button(_, _, let code, let state): self?.lines.append("button \(code) \(state.rawValue)")
            default: break
            }
        }
        keyboard.onEvent = { [weak self] event in
            switch event {
            case .enter(_, _, let keys): self?.lines.append("enter \(keys.filter { $0 != 0 })")
            case .leave: self?.lines.append("leave")
            case .key(_, _, let key, let state): self?.lines.append("key \(key) \(state.rawValue)")
            default: break
            }
        }
        touch.onEvent = { [weak self] event in
            switch event {
            case .down(_, _, _, let id, let x, let y): self?.lines.append("down \(id) \(x.double),\(y.double)")
            case .up(_, _, let id): self?.lines.append("up \(id)")
            case .motion(_, let id, let x, let y): self?.lines.append("move \(id) \(x.double),\(y.double)")
            case .cancel: self?.lines.append("cancel")
            default: break
            }
        }
    }

    /// Takes the events since the last call.
    package func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

/// A program with a window that fills its screen, and the events that it receives from both seats.
package final class SeatGuest {
    package let client: TestClient
    package let window: TestWindow
    /// By seat.
    package let readers: [SeatReader]

    package init(_ fixture: ServerFixture, screen: Int) throws {
        client = try fixture.connect("guest \(screen)")
        readers = [try SeatReader(client, 0), try SeatReader(client, 1)]
        window = client.window("w\(screen)", on: client.screens[screen]).color(0xff00_8000).frame(0, 0, 400, 300)
        window.makeKeyAndVisible()
        try fixture.pump()
    }
}

/// Two people: seat0 with screen A, seat1 with screen B; each has a program with the key window there.
package final class SeatFixture {
    package let fixture: ServerFixture
    package let guests: [SeatGuest]

    package init(policy: Policy = Policy()) throws {
        fixture = try ServerFixture(screens: ["800x600,name=A", "800x600,name=B"], policy: policy)
        try fixture.server.addSeat(name: "seat1", screens: ["B"])
        let fixture = fixture
        guests = try [0, 1].map { try SeatGuest(fixture, screen: $0) }
        for guest in guests { for reader in guest.readers { _ = reader.take() } }
    }

    package var seats: [ServerSeat] { fixture.server.seats }
    package func screen(_ seat: Int) -> Screen.ID { fixture.model.screens[seat] }
    package func windowID(_ guest: Int) -> Window.ID? {
        fixture.model.windows.first { fixture.model.window($0)?.title == "w\(guest)" }
    }

    /// The events that a guest received from a seat since the last call.
    package func received(_ guest: Int, by seat: Int) throws -> [String] {
        try fixture.pump()
        return guests[guest].readers[seat].take()
    }

    // MARK: Hands

    package func move(_ x: Double, _ y: Double, by seat: Int) throws {
        try fixture.model.pointerMoved(to: Point(x: x, y: y), on: screen(seat), time: fixture.server.clock.now)
    }

    package func button(_ pressed: Bool, by seat: Int) throws {
        try fixture.model.pointerButton(
            code: 272, pressed: pressed, seat: seats[seat].id, time: fixture.server.clock.now)
    }

    package func touch(_ phase: Event.Phase, _ x: Double, _ y: Double, by seat: Int) throws {
        try fixture.model.touch(
            id: 1, phase: phase, at: Point(x: x, y: y), on: screen(seat), time: fixture.server.clock.now)
    }
}
