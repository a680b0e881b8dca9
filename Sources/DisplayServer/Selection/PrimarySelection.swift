// zwp_primary_selection_device_manager_v1, its devices, sources and offers

import MullionSystem
import MullionWayland

final class PrimaryDeviceManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpPrimarySelectionDeviceManagerV1.Request.self, opcode, &reader) {
        case .createSource(let id): _ = try PrimarySourceResource(client, id: id, version: version)
        case .getDevice(let id, let seat):
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            _ = try PrimaryDeviceResource(client, id: id, version: version, seat: seat)
        case .destroy: destroy()
        }
    }
}

/// Sets the primary selection and receives its changes.
final class PrimaryDeviceResource: SeatObject, SelectionDevice {
    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        try super.init(client, id: id, version: version, seat: seat)
        try owner.primaryDevices.add(self)
        seat.selections.primary.didAdd(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpPrimarySelectionDeviceV1.Request.self, opcode, &reader) {
        case .setSelection(let source, let serial):
            let source = try connection.resource(source, as: PrimarySourceResource.self)
            seat.selections.primary.set(source, serial: serial, by: client)
        case .destroy: destroy()
        }
    }

    override func willDestroy() { owner.primaryDevices.remove(self) }

    func offer(_ source: (any SelectionSource)?) {
        guard let source else { return send(ZwpPrimarySelectionDeviceV1.Event.selection(id: nil)) }
        let offer = PrimaryOfferResource(client, version: version, source: source)
        send(ZwpPrimarySelectionDeviceV1.Event.dataOffer(offer: offer.id))
        for type in source.types.all { offer.send(ZwpPrimarySelectionOfferV1.Event.offer(mimeType: type)) }
        send(ZwpPrimarySelectionDeviceV1.Event.selection(id: offer.id))
    }
}

/// A client's primary selection.
final class PrimarySourceResource: Resource, SelectionSource {
    let types: OfferedTypes

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        types = OfferedTypes(of: client)
        try super.init(client, id: id, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpPrimarySelectionSourceV1.Request.self, opcode, &reader) {
        case .offer(let type): try types.append(type, of: id)
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        for seat in server.seats { seat.selections.primary.sourceWillBeDestroyed(self) }
    }

    /// Restores the types offered to another server.
    func restore(_ all: [String]) throws(ProtocolError) {
        for type in all { try types.append(type, of: id) }
    }

    func cancel() { send(ZwpPrimarySelectionSourceV1.Event.cancelled) }

    func provide(_ type: String, to descriptor: OwnedDescriptor) {
        send(ZwpPrimarySelectionSourceV1.Event.send(mimeType: type, fd: descriptor))
    }
}

/// An offer of another client's primary selection.
final class PrimaryOfferResource: Resource {
    private(set) weak var source: (any SelectionSource)?

    init(_ client: Client, version: UInt32, source: (any SelectionSource)?) {
        self.source = source
        super.init(serverSideOn: client, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpPrimarySelectionOfferV1.Request.self, opcode, &reader) {
        case .receive(let type, let descriptor):
            source?.write(type, to: descriptor)
        case .destroy: destroy()
        }
    }
}
