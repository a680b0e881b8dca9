// zwp_primary_selection_device_manager_v1, its devices, sources and offers

import Wayland

final class PrimaryDeviceManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpPrimarySelectionDeviceManagerV1.Request.self, opcode, &reader) {
        case .createSource(let id): _ = try PrimarySourceResource(client, id: id, version: version)
        case .getDevice(let id, let seat):
            _ = try connection.resource(seat, as: SeatResource.self)
            _ = try PrimaryDeviceResource(client, id: id, version: version)
        case .destroy: destroy()
        }
    }
}

/// Sets the primary selection and is told of it.
final class PrimaryDeviceResource: Resource, SelectionDevice {
    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        try client.checkBindings(client.primaryDevices.count)
        client.primaryDevices.append(self)
        server.selection.primary.didAdd(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpPrimarySelectionDeviceV1.Request.self, opcode, &reader) {
        case .setSelection(let source, let serial):
            let source = try connection.resource(source, as: PrimarySourceResource.self)
            server.selection.primary.set(source, serial: serial, by: client)
        case .destroy: destroy()
        }
    }

    override func willDestroy() { client.primaryDevices.removeAll { $0 === self } }

    func offer(_ source: (any SelectionSource)?) {
        guard let source else { return send(ZwpPrimarySelectionDeviceV1.Event.selection(id: nil)) }
        let offer = PrimaryOfferResource(client, version: version, source: source)
        send(ZwpPrimarySelectionDeviceV1.Event.dataOffer(offer: offer.id))
        for type in source.types.all { offer.send(ZwpPrimarySelectionOfferV1.Event.offer(mimeType: type)) }
        send(ZwpPrimarySelectionDeviceV1.Event.selection(id: offer.id))
    }
}

/// What a client has selected.
final class PrimarySourceResource: Resource, SelectionSource {
    private(set) var types = OfferedTypes()

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpPrimarySelectionSourceV1.Request.self, opcode, &reader) {
        case .offer(let type): try types.append(type, of: id)
        case .destroy: destroy()
        }
    }

    override func willDestroy() { server.selection.primary.sourceWillBeDestroyed(self) }

    func cancel() { send(ZwpPrimarySelectionSourceV1.Event.cancelled) }

    func provide(_ type: String, to descriptor: OwnedDescriptor) {
        send(ZwpPrimarySelectionSourceV1.Event.send(mimeType: type, fd: descriptor))
    }
}

/// What another client has selected.
final class PrimaryOfferResource: Resource {
    private weak var source: (any SelectionSource)?

    init(_ client: Client, version: UInt32, source: any SelectionSource) {
        self.source = source
        super.init(serverSideOn: client, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpPrimarySelectionOfferV1.Request.self, opcode, &reader) {
        case .receive(let type, let descriptor):
            // What is not offered, or not any more, is an empty pipe.
            if let source, source.types.contains(type) { source.provide(type, to: descriptor) }
        case .destroy: destroy()
        }
    }
}
