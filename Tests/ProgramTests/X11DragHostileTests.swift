// X11 programs that drag, or are dragged over, as no program should.

import MullionGeometry
import MullionSystem
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import X11

@Suite(.enabled(if: X11Display.isPossible)) struct X11DragHostileTests {
    private let fixture: ServerFixture
    private let display: X11Display
    /// A plain program on the right that drags and is dropped on.
    private let plain: TestDataDevice
    private let right: TestWindow

    init() throws {
        fixture = try ServerFixture(screens: ["1000x700,name=A"])
        display = try X11Display(fixture)
        plain = try TestDataDevice(try fixture.connect("plain"))
        right = plain.client.window("right").color(0xff00_00ff).frame(500, 0, 100, 100)
        right.show()
        try fixture.pump()
    }

    private func move(_ x: Double, _ y: Double) throws {
        try fixture.model.pointerMoved(to: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.loop.now)
        try fixture.pump()
    }

    private func button(_ pressed: Bool) throws {
        try fixture.model.pointerButton(code: 0x110, pressed: pressed, time: fixture.loop.now)
        try fixture.pump()
    }

    /// An X11 program with a window at 100, 100 that takes drags.
    private func client() throws -> (XClient, XWindowID) {
        let client = try XClient(display, fixture)
        let window = client.window(XFrame(x: 100, y: 100, width: 100, height: 100))
        client.setTitle(window, "client")
        client.x.setProperty(window, try client.atom("XdndAware"), type: .atom, [5])
        client.x.map(window)
        try client.wait(for: "its window") { display.window("client")?.isVisible == true }
        let id = try #require(display.window("client")).id
        try fixture.model.setFrame(Rect(x: 100, y: 100, width: 100, height: 100), of: id)
        #expect(try fixture.settle() == [])
        return (client, window)
    }

    /// The messages of XDND that a program has received.
    private func messages(_ client: XClient) throws -> [DragMessage] {
        var kinds: [XAtom: DragMessage.Kind] = [:]
        for kind in DragMessage.Kind.allCases { kinds[try client.atom(kind.rawValue)] = kind }
        return client.events.compactMap { event in
            guard case .clientMessage(let message, _) = event else { return nil }
            return kinds[message.type].map { DragMessage($0, message.data) }
        }
    }

    private func send(_ message: DragMessage, to window: XWindowID, _ client: XClient) throws {
        let type = try client.atom(message.kind.rawValue)
        client.x.send(XClientMessage(window: window, type: type, data: message.data), to: window)
    }

    /// The plain program drags over the X11 program's window.
    private func dragOver(_ client: XClient) throws -> XWindowID {
        try move(550, 50)
        try button(true)
        plain.startDrag(plain.source(), from: right.surface)
        try fixture.pump()
        _ = plain.takeEvents()
        try move(150, 150)
        var source = XWindowID.none
        try client.wait(for: "XdndPosition") {
            try messages(client).contains {
                if case .position(let window, 150, 150, _, _) = $0 { source = window }
                return source != .none
            }
        }
        return source
    }

    @Test("a target that never answers: the drop fails, and the next drag goes elsewhere")
    func silentTarget() throws {
        let (client, _) = try client()
        _ = try dragOver(client)
        try move(160, 160)
        try move(170, 170)
        // One that settles is not held up for long.
        #expect(try fixture.settle() == [])
        try button(false)
        #expect(plain.takeEvents() == ["leave", "source cancelled"])
        try client.wait(for: "the leave") { try messages(client).last?.kind == .leave }
        // It received one position.
        #expect(try messages(client).map(\.kind) == [.enter, .position, .leave])
    }

    @Test("a target that accepts and never finishes: the source is cancelled after a while; or when it dies, at once")
    func unfinished() throws {
        for dies in [false, true] {
            let (client, window) = try client()
            let source = try dragOver(client)
            let copy = try client.atom("XdndActionCopy")
            try send(.status(target: window, isAccepted: true, action: copy), to: source, client)
            try client.wait(for: "the answer") { plain.events.contains("source action 1") }
            try button(false)
            try client.wait(for: "the drop") { try messages(client).last?.kind == .drop }
            #expect(plain.events.last == "source dropped")
            if dies { client.close() }
            try fixture.wait(for: "its failure") { plain.events.last == "source cancelled" }
            client.close()
            try fixture.wait(for: "its window to go") { display.window("client") == nil }
        }
        #expect(display.program.isRunning)
    }

    @Test("answers of others, of another action each time, and a drop's end before the drop change nothing for long")
    func wrongAnswers() throws {
        let (client, window) = try client()
        let source = try dragOver(client)
        let (copy, move) = try (client.atom("XdndActionCopy"), client.atom("XdndActionMove"))
        try send(.status(target: client.setup.root, isAccepted: true, action: copy), to: source, client)
        try send(.finished(target: window, isAccepted: true, action: copy), to: source, client)
        try send(.drop(source: window, time: 0), to: source, client)
        try client.sync()
        #expect(try fixture.settle() == [])
        #expect(plain.events.filter { $0.hasPrefix("source") } == [])
        for step in 0..<2000 {
            let action = step % 2 == 0 ? copy : move
            try send(.status(target: window, isAccepted: step % 3 != 0, action: action), to: source, client)
        }
        try send(.status(target: window, isAccepted: true, action: move), to: source, client)
        try client.sync()
        try client.wait(for: "the last answer") {
            plain.events.last { $0.hasPrefix("source action") } == "source action 2"
        }
        try button(false)
        try client.wait(for: "the drop") { try messages(client).last?.kind == .drop }
        try send(.finished(target: window, isAccepted: false, action: .none), to: source, client)
        try client.wait(for: "its failure") { plain.events.last == "source cancelled" }
        #expect(display.program.isRunning && fixture.model.checkInvariants() == [])
    }

    @Test("a proxy that does not name itself is none; a version before 3 takes no drags")
    func properties() throws {
        let (client, window) = try client()
        client.x.setProperty(window, try client.atom("XdndProxy"), type: .window, [client.setup.root.rawValue])
        try client.sync()
        _ = try dragOver(client)
        try button(false)
        client.x.setProperty(window, try client.atom("XdndAware"), type: .atom, [2])
        try client.sync()
        let before = try messages(client).count
        try move(550, 50)
        try button(true)
        plain.startDrag(plain.source(), from: right.surface)
        try move(150, 150)
        #expect(try fixture.settle() == [])
        try client.sync()
        #expect(try messages(client).dropFirst(before).allSatisfy { $0.kind == .leave })
        try button(false)
        #expect(plain.events.last == "source cancelled")
    }

    @Test("an owner of the selection that nobody drags with, and messages out of order, reach no Wayland program")
    func falseSource() throws {
        let (client, window) = try client()
        let selection = try client.atom("XdndSelection")
        client.x.setSelectionOwner(window, of: selection)
        try client.sync()
        #expect(try fixture.settle() == [])
        #expect(fixture.server.seat.dragAndDrop.isActive == false)
        // With a press, but without any of XDND: over the plain window it sends nonsense to the window in front.
        try move(150, 150)
        try button(true)
        client.x.setSelectionOwner(window, of: selection)
        try client.sync()
        try fixture.wait(for: "the drag") { fixture.server.seat.dragAndDrop.isActive }
        try move(550, 50)
        #expect(try fixture.settle() == [])
        let cover = try #require(try front(client))
        let types = [XAtom.string, XAtom(rawValue: 0x7fff_ffff)]
        let all: [DragMessage] = [
            .drop(source: window, time: 0), .position(source: window, x: 550, y: 50, time: 0, action: .none),
            .enter(source: window, version: 9, types: types, hasMore: false), .leave(source: window),
            .enter(source: client.setup.root, version: 5, types: types, hasMore: true),
            .drop(source: client.setup.root, time: 0),
            .status(target: cover, isAccepted: true, action: .string),
            .enter(source: window, version: 5, types: types, hasMore: false),
            .position(source: window, x: 550, y: 50, time: 0, action: .string),
        ]
        for message in all { try send(message, to: cover, client) }
        try client.wait(for: "its offer") { plain.drag != nil }
        #expect(plain.drag.map { plain.types[$0.id] } == ["text/plain;charset=utf-8", "text/plain"])
        plain.answer("text/plain")
        try send(.drop(source: window, time: 0), to: cover, client)
        try client.sync()
        // It drops while the button is down: nothing is dropped.
        try fixture.wait(for: "the leave") { plain.events.last == "leave" }
        try button(false)
        #expect(!plain.events.contains("drop"))
        try client.wait(for: "the refusal") { try messages(client).contains { $0.kind == .finished } }
        client.close()
        try fixture.wait(for: "its window to go") { display.window("client") == nil }
        #expect(display.program.isRunning && fixture.model.checkInvariants() == [])
    }

    /// The window in front of all others in the X server.
    private func front(_ client: XClient) throws -> XWindowID? {
        var found: [XWindowID]?
        client.x.ask(15, 0, { $0.put(client.setup.root) }) { reply in
            guard let reply else {
                found = []
                return
            }
            found = (0..<Int(reply.word(16))).map { reply.window(32 + 4 * $0) }
        }
        try client.wait(for: "the tree") { found != nil }
        return found?.last
    }
}
