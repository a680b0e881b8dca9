// The protocol errors of drag and drop, each with its code.

import TestSupport
import Testing
import Wayland

@Suite struct DragErrorTests {
    /// The code of the error that disconnected a client.
    private func error(_ client: TestDataDevice) -> UInt32? { client.client.protocolError?.code }

    private func dropped(_ actions: WlDataDeviceManager.DndAction = [.copy]) throws -> DragDesk {
        let desk = try DragDesk()
        try desk.begin(actions: [.copy, .ask])
        try desk.move(150, 50)
        desk.to.answer("text/plain", actions, preferred: actions)
        try desk.fixture.pump()
        try desk.button(false)
        #expect(desk.to.takeEvents().contains("drop"))
        return desk
    }

    @Test("invalid set_actions of a source: unknown bits, twice, after start_drag", arguments: 0..<3)
    func sourceActions(mistake: Int) throws {
        let desk = try DragDesk()
        let source = mistake == 2 ? try desk.begin(actions: .copy) : desk.from.source(actions: nil)
        if mistake == 1 { source.send(.setActions(dndActions: .copy)) }
        source.send(.setActions(dndActions: mistake == 0 ? .init(rawValue: 8) : .copy))
        try desk.fixture.pump()
        #expect(error(desk.from) == WlDataSource.Error.invalidActionMask.rawValue)
    }

    @Test("a source serves one purpose: the selection or one drag", arguments: 0..<5)
    func purposes(mistake: Int) throws {
        let desk = try DragDesk()
        switch mistake {
        case 0: desk.from.device.send(.setSelection(source: desk.from.source(actions: .copy).id, serial: 0))
        case 1: desk.from.device.send(.setSelection(source: try desk.begin(actions: nil).id, serial: 0))
        case 2:
            let source = desk.from.source(actions: nil)
            desk.from.device.send(.setSelection(source: source.id, serial: 0))
            source.send(.setActions(dndActions: .copy))
        case 3:
            let source = desk.from.source(actions: nil)
            desk.from.device.send(.setSelection(source: source.id, serial: 0))
            desk.from.startDrag(source, from: desk.left.surface)
        default:
            let source = try desk.begin()
            desk.from.startDrag(source, from: desk.left.surface)
        }
        try desk.fixture.pump()
        #expect(error(desk.from) == WlDataSource.Error.invalidSource.rawValue)
        #expect(desk.to.client.isOpen)
    }

    @Test("invalid finish: before the drop, nothing accepted, ask unresolved, of the selection", arguments: 0..<4)
    func finish(mistake: Int) throws {
        let desk: DragDesk
        switch mistake {
        case 0:
            desk = try DragDesk()
            try desk.begin()
            try desk.move(150, 50)
            desk.to.answer("text/plain")
            desk.to.drag?.send(.finish)
        case 1:
            desk = try dropped()
            desk.to.drag?.send(.accept(serial: 0, mimeType: nil))
            desk.to.drag?.send(.finish)
        case 2:
            desk = try dropped(.ask)
            desk.to.drag?.send(.finish)
        default:
            desk = try DragDesk()
            desk.left.makeKey()
            try desk.fixture.pump()
            desk.from.device.send(.setSelection(source: desk.from.source(actions: nil).id, serial: 0))
            try desk.fixture.pump()
            desk.right.makeKey()
            try desk.fixture.pump()
            #expect(desk.to.selection != nil)
            desk.to.selection?.send(.finish)
        }
        try desk.fixture.pump()
        #expect(error(desk.to) == WlDataOffer.Error.invalidFinish.rawValue)
        #expect(desk.from.client.isOpen)
    }

    @Test("invalid set_actions of an offer: unknown bits, or a preferred action that is several or not offered")
    func offerActions() throws {
        let mistakes: [(WlDataDeviceManager.DndAction, WlDataDeviceManager.DndAction, WlDataOffer.Error)] = [
            (.init(rawValue: 8), .none, .invalidActionMask), (.copy, .move, .invalidAction),
            ([.copy, .move], [.copy, .move], .invalidAction), (.copy, .init(rawValue: 8), .invalidAction),
        ]
        for (actions, preferred, code) in mistakes {
            let desk = try DragDesk()
            try desk.begin()
            try desk.move(150, 50)
            desk.to.answer("text/plain", actions, preferred: preferred)
            try desk.fixture.pump()
            #expect(error(desk.to) == code.rawValue)
        }
        let asked = try dropped(.ask)
        asked.to.drag?.send(.setActions(dndActions: .move, preferredAction: .move))
        try asked.fixture.pump()
        #expect(error(asked.to) == WlDataOffer.Error.invalidAction.rawValue)
    }

    @Test("after finish an offer accepts only destroy; the selection has no actions", arguments: 0..<5)
    func finished(mistake: Int) throws {
        let desk = try dropped()
        let offer = try #require(desk.to.drag)
        offer.send(.finish)
        switch mistake {
        case 0: offer.send(.accept(serial: 0, mimeType: "text/plain"))
        case 1: _ = try desk.to.receive("text/plain", from: offer)
        case 2: offer.send(.setActions(dndActions: .copy, preferredAction: .copy))
        case 3: offer.send(.finish)
        default:
            desk.right.makeKey()
            try desk.fixture.pump()
            desk.to.device.send(.setSelection(source: desk.to.source(actions: nil).id, serial: 0))
            try desk.fixture.pump()
            desk.to.selection?.send(.setActions(dndActions: .copy, preferredAction: .copy))
        }
        try desk.fixture.pump()
        #expect(error(desk.to) == WlDataOffer.Error.invalidOffer.rawValue)
    }

    @Test("after leave an offer still accepts requests that were in flight, without effect")
    func left() throws {
        let desk = try DragDesk()
        try desk.begin()
        try desk.move(150, 50)
        let offer = try #require(desk.to.drag)
        try desk.move(10, 10)
        desk.forget()
        offer.send(.accept(serial: 0, mimeType: "text/plain"))
        offer.send(.setActions(dndActions: .copy, preferredAction: .copy))
        offer.send(.destroy)
        try desk.fixture.pump()
        #expect(desk.from.takeEvents() == [])
        #expect(!desk.isHurt)
    }

    @Test("a data device needs a seat, and a drag a surface and a source: other objects are refused", arguments: 0..<3)
    func objects(mistake: Int) throws {
        let desk = try DragDesk()
        let client = desk.from
        switch mistake {
        case 0:
            let device = Proxy<WlDataDevice>(client.client.connection, version: 3)
            client.manager.send(.getDataDevice(id: device.id, seat: client.manager.id))
        case 1:
            client.device.send(.startDrag(source: nil, origin: client.manager.id, icon: nil, serial: 0))
        default:
            client.device.send(
                .startDrag(source: client.device.id, origin: desk.left.surface.id, icon: nil, serial: 0))
        }
        try desk.fixture.pump()
        #expect(error(client) == WlDisplay.Error.invalidObject.rawValue)
    }
}
