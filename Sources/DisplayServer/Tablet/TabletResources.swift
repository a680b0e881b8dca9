// zwp_tablet_manager_v2 and the objects of a tablet

import MullionGeometry
import MullionWayland
import WindowModel

/// zwp_tablet_manager_v2: describes the tablet of a seat.
final class TabletManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpTabletManagerV2.Request.self, opcode, &reader) {
        case .getTabletSeat(let id, let seat):
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            try client.checkBindings(client.seat(seat).tabletTools.count)
            try TabletSeatResource(client, id: id, version: version, seat: seat).introduce()
        case .destroy: destroy()
        }
    }
}

/// zwp_tablet_seat_v2: each seat has one tablet with two tools, which never change.
final class TabletSeatResource: SeatObject {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpTabletSeatV2.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    func introduce() {
        let tablet = TabletResource(client, version: version)
        send(ZwpTabletSeatV2.Event.tabletAdded(id: tablet.id))
        tablet.describe()
        for kind in TabletTool.Kind.allCases {
            let tool = TabletToolResource(client, version: version, seat: seat, kind, of: tablet)
            send(ZwpTabletSeatV2.Event.toolAdded(id: tool.id))
            tool.describe()
            seat.tablet.didAdd(tool)
        }
    }
}

/// zwp_tablet_v2: every screen of its seat.
final class TabletResource: Resource {
    init(_ client: Client, version: UInt32) { super.init(serverSideOn: client, version: version) }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpTabletV2.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    func describe() {
        send(ZwpTabletV2.Event.name(name: "Mullion pencil"))
        send(ZwpTabletV2.Event.done)
    }
}

/// zwp_tablet_tool_v2: one end of a pencil. It receives nothing before it is near a surface of its client.
final class TabletToolResource: Resource {
    // The server never removes a seat.
    unowned let seat: ServerSeat
    let kind: TabletTool.Kind
    /// Nil once the client has destroyed it; the tool cannot be near anything then.
    private(set) weak var tablet: TabletResource?
    /// Whether it was notified that it is near a surface.
    private(set) var isEntered = false

    init(_ client: Client, version: UInt32, seat: ServerSeat, _ kind: TabletTool.Kind, of tablet: TabletResource?) {
        self.seat = seat
        self.kind = kind
        self.tablet = tablet
        super.init(serverSideOn: client, version: version)
        client.seat(seat).tabletTools.append(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpTabletToolV2.Request.self, opcode, &reader) {
        case .setCursor(_, let surface, _, _):
            // W5: the surface is a cursor from now on, which is not shown: a pencil is where it points.
            guard let surface = try connection.resource(surface, as: SurfaceResource.self),
                !(surface.role is CursorRole)
            else { return }
            try surface.setRole(
                CursorRole(surface, seat.pointer.cursor), errorOn: id, code: ZwpTabletToolV2.Error.role.rawValue)
        case .destroy: destroy()
        }
    }

    override func willDestroy() { client.seat(seat).tabletTools.removeAll { $0 === self } }

    func describe() {
        send(ZwpTabletToolV2.Event.type(toolType: kind == .pen ? .pen : .eraser))
        // Both ends of a pencil have the same.
        send(ZwpTabletToolV2.Event.hardwareSerial(hardwareSerialHi: 0, hardwareSerialLo: seat.id.rawValue))
        for capability in [ZwpTabletToolV2.Capability.tilt, .pressure, .distance, .rotation] {
            send(ZwpTabletToolV2.Event.capability(capability: capability))
        }
        send(ZwpTabletToolV2.Event.done)
    }

    func enter(_ surface: SurfaceResource, serial: UInt32) {
        guard let tablet, tablet.isAlive else { return }
        isEntered = true
        send(ZwpTabletToolV2.Event.proximityIn(serial: serial, tablet: tablet.id, surface: surface.id))
    }

    /// - Parameter time: in milliseconds.
    func leave(_ time: UInt32) {
        isEntered = false
        send(ZwpTabletToolV2.Event.proximityOut)
        send(ZwpTabletToolV2.Event.frame(time: time))
    }
}
