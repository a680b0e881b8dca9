// The protocol errors of drag and drop, each with its code.

import MullionWayland
import TestSupport
import Testing

@Suite struct DragErrorTests {
    /// The code of the error that disconnected a client.
    private func error(_ client: TestDataDevice) -> UInt32? { client.client.protocolError?.code }

    private func dropped(_ actions: WlDataDeviceManager.DndAction = [.copy]) throws -> DragFixture {
        let setup = try DragFixture()
        try setup.begin(actions: [.copy, .ask])
        try setup.move(150, 50)
        setup.to.answer("text/plain", actions, preferred: actions)
        try setup.fixture.pump()
        try setup.button(false)
        #expect(setup.to.takeEvents().contains("drop"))
        return setup
    }

    @Test("invalid set_actions of a source: unknown bits, twice, after start_drag", arguments: 0..<3)
    func sourceActions(mistake: Int) throws {
        let setup = try DragFixture()
        let source = mistake == 2 ? try setup.begin(actions: .copy) : setup.from.source(actions: nil)
        if mistake == 1 { source.send(.setActions(dndActions: .copy)) }
        source.send(.setActions(dndActions: mistake == 0 ? .init(rawValue: 8) : .copy))
        try setup.fixture.pump()
        #expect(error(setup.from) == WlDataSource.Error.invalidActionMask.rawValue)
    }

    @Test("a source serves one purpose: the selection or one drag", arguments: 0..<5)
    func purposes(mistake: Int) throws {
        let setup = try DragFixture()
        switch mistake {
        case 0: setup.from.device.send(.setSelection(source: setup.from.source(actions: .copy).id, serial: 0))
        case 1: setup.from.device.send(.setSelection(source: try setup.begin(actions: nil).id, serial: 0))
        case 2:
            let source = setup.from.source(actions: nil)
            setup.from.device.send(.setSelection(source: source.id, serial: 0))
            source.send(.setActions(dndActions: .copy))
        case 3:
            let source = setup.from.source(actions: nil)
            setup.from.device.send(.setSelection(source: source.id, serial: 0))
            setup.from.startDrag(source, from: setup.left.surface)
        default:
            let source = try setup.begin()
            setup.from.startDrag(source, from: setup.left.surface)
        }
        try setup.fixture.pump()
        #expect(error(setup.from) == WlDataSource.Error.invalidSource.rawValue)
        #expect(setup.to.client.isOpen)
    }

    @Test("invalid finish: before the drop, nothing accepted, ask unresolved, of the selection", arguments: 0..<4)
    func finish(mistake: Int) throws {
        let setup: DragFixture
        switch mistake {
        case 0:
            setup = try DragFixture()
            try setup.begin()
            try setup.move(150, 50)
            setup.to.answer("text/plain")
            setup.to.drag?.send(.finish)
        case 1:
            setup = try dropped()
            setup.to.drag?.send(.accept(serial: 0, mimeType: nil))
            setup.to.drag?.send(.finish)
        case 2:
            setup = try dropped(.ask)
            setup.to.drag?.send(.finish)
        default:
            setup = try DragFixture()
            setup.left.makeKey()
            try setup.fixture.pump()
            setup.from.device.send(.setSelection(source: setup.from.source(actions: nil).id, serial: 0))
            try setup.fixture.pump()
            setup.right.makeKey()
            try setup.fixture.pump()
            #expect(setup.to.selection != nil)
            setup.to.selection?.send(.finish)
        }
        try setup.fixture.pump()
        #expect(error(setup.to) == WlDataOffer.Error.invalidFinish.rawValue)
        #expect(setup.from.client.isOpen)
    }

    @Test("invalid set_actions of an offer: unknown bits, or a preferred action that is several or not offered")
    func offerActions() throws {
        let mistakes: [(WlDataDeviceManager.DndAction, WlDataDeviceManager.DndAction, WlDataOffer.Error)] = [
            (.init(rawValue: 8), .none, .invalidActionMask), (.copy, .move, .invalidAction),
            ([.copy, .move], [.copy, .move], .invalidAction), (.copy, .init(rawValue: 8), .invalidAction),
        ]
        for (actions, preferred, code) in mistakes {
            let setup = try DragFixture()
            try setup.begin()
            try setup.move(150, 50)
            setup.to.answer("text/plain", actions, preferred: preferred)
            try setup.fixture.pump()
            #expect(error(setup.to) == code.rawValue)
        }
    }

    @Test("an answer to ask that the source does not have is no action, with which the offer cannot be finished")
    func answer() throws {
        let asked = try dropped(.ask)
        asked.to.drag?.send(.setActions(dndActions: .move, preferredAction: .move))
        try asked.fixture.pump()
        #expect(asked.to.client.isOpen)
        asked.to.drag?.send(.finish)
        try asked.fixture.pump()
        #expect(error(asked.to) == WlDataOffer.Error.invalidFinish.rawValue)
    }

    @Test(
        "after finish only destroy has an effect, and nothing is an error; the selection has no actions",
        arguments: 0..<5)
    func finished(request: Int) throws {
        let setup = try dropped()
        let offer = try #require(setup.to.drag)
        offer.send(.finish)
        switch request {
        case 0: offer.send(.accept(serial: 0, mimeType: "text/plain"))
        case 1: _ = try setup.to.receive("text/plain", from: offer)
        case 2: offer.send(.setActions(dndActions: .copy, preferredAction: .copy))
        case 3: offer.send(.finish)
        default:
            setup.right.makeKey()
            try setup.fixture.pump()
            setup.to.device.send(.setSelection(source: setup.to.source(actions: nil).id, serial: 0))
            try setup.fixture.pump()
            setup.to.selection?.send(.setActions(dndActions: .copy, preferredAction: .copy))
        }
        try setup.fixture.pump()
        guard request == 4 else {
            return #expect(setup.to.client.isOpen && setup.from.client.isOpen)
        }
        #expect(error(setup.to) == WlDataOffer.Error.invalidOffer.rawValue)
    }

    @Test("after leave an offer still accepts requests that were in flight, without effect")
    func left() throws {
        let setup = try DragFixture()
        try setup.begin()
        try setup.move(150, 50)
        let offer = try #require(setup.to.drag)
        try setup.move(10, 10)
        setup.forget()
        offer.send(.accept(serial: 0, mimeType: "text/plain"))
        offer.send(.setActions(dndActions: .copy, preferredAction: .copy))
        offer.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.from.takeEvents() == [])
        #expect(!setup.isHurt)
    }

    @Test("a data device needs a seat, and a drag a surface and a source: other objects are refused", arguments: 0..<3)
    func objects(mistake: Int) throws {
        let setup = try DragFixture()
        let client = setup.from
        switch mistake {
        case 0:
            let device = Proxy<WlDataDevice>(client.client.connection, version: 3)
            client.manager.send(.getDataDevice(id: device.id, seat: client.manager.id))
        case 1:
            client.device.send(.startDrag(source: nil, origin: client.manager.id, icon: nil, serial: 0))
        default:
            client.device.send(
                .startDrag(source: client.device.id, origin: setup.left.surface.id, icon: nil, serial: 0))
        }
        try setup.fixture.pump()
        #expect(error(client) == WlDisplay.Error.invalidObject.rawValue)
    }
}
