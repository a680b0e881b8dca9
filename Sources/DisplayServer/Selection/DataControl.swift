// zwlr_data_control_manager_v1 and ext_data_control_manager_v1, their devices, sources and offers
//
// Version 2 of the former and version 1 of the latter have the same messages: the objects of both are the same, and
// use the codec of the latter.

import MullionSystem
import MullionWayland

/// Lets clients with the right `clipboard` read and set the selections without having the keyboard.
final class DataControlManagerResource<Interface: WaylandInterface>: Resource, RestorableGlobal {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtDataControlManagerV1.Request.self, opcode, &reader) {
        case .createDataSource(let id): _ = try DataControlSourceResource(client, id: id, version: version)
        case .getDataDevice(let id, let seat):
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            let hasPrimary = version >= 2 || Interface.name == ExtDataControlManagerV1.name
            _ = try DataControlDeviceResource(client, id: id, version: version, seat: seat, hasPrimary: hasPrimary)
        case .destroy: destroy()
        }
    }
}

/// Sets the selections of a seat and receives their changes, regardless of which client has the keyboard.
final class DataControlDeviceResource: SeatObject {
    /// Whether it has the primary selection too.
    let hasPrimary: Bool
    /// The selections whose current source has not been sent to the client yet.
    var unsent: [Selection.Kind] = [.clipboard, .primary]

    init(
        _ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat, hasPrimary: Bool
    ) throws(ProtocolError) {
        self.hasPrimary = hasPrimary
        try super.init(client, id: id, version: version, seat: seat)
        try owner.dataControls.add(self)
        seat.selections.controls.append(self)
        update()
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtDataControlDeviceV1.Request.self, opcode, &reader) {
        case .setSelection(let source): try set(source, .clipboard)
        case .destroy: destroy()
        case .setPrimarySelection(let source):
            guard hasPrimary else {
                throw ProtocolError(
                    .invalidMethod, object: id, message: "set_primary_selection is not in version \(version); bind 2")
            }
            try set(source, .primary)
        }
    }

    override func willDestroy() {
        owner.dataControls.remove(self)
        seat.selections.controls.removeAll { $0 === self }
    }

    /// Called when a selection has another source. The client receives the last one, at the end of the turn:
    /// the owner of a selection may replace it any number of times.
    func didChange(_ kind: Selection.Kind) {
        if !unsent.contains(kind) { unsent.append(kind) }
    }

    /// Sends what has changed. A client that does not read receives it once it has caught up.
    func update() {
        guard !unsent.isEmpty, !client.isClosed else { return }
        guard !client.transport.isCongested else {
            client.server.watchersWait = true
            return
        }
        let kinds = unsent
        unsent = []
        for kind in kinds where hasPrimary || kind == .clipboard { offer(seat.selections[kind].source, as: kind) }
    }

    private func offer(_ source: (any SelectionSource)?, as kind: Selection.Kind) {
        let offer = source.map { DataControlOfferResource(client, version: version, source: $0) }
        if let offer {
            send(ExtDataControlDeviceV1.Event.dataOffer(id: offer.id))
            for type in offer.source?.types.all ?? [] {
                offer.send(ExtDataControlOfferV1.Event.offer(mimeType: type))
            }
        }
        switch kind {
        case .clipboard: send(ExtDataControlDeviceV1.Event.selection(id: offer?.id))
        case .primary: send(ExtDataControlDeviceV1.Event.primarySelection(id: offer?.id))
        }
    }

    private func set(_ source: ObjectID?, _ kind: Selection.Kind) throws(ProtocolError) {
        let source = try connection.resource(source, as: DataControlSourceResource.self)
        guard source?.isUsed != true else {
            throw ProtocolError(
                object: id, code: ExtDataControlDeviceV1.Error.usedSource.rawValue,
                message: "the source has already been a selection; create another one")
        }
        source?.isUsed = true
        seat.selections[kind].replace(with: source)
    }
}

/// Data that a client puts into one of the selections.
final class DataControlSourceResource: Resource, SelectionSource {
    let types: OfferedTypes
    /// Whether it is or was a selection.
    var isUsed = false

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        types = OfferedTypes(of: client)
        try super.init(client, id: id, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtDataControlSourceV1.Request.self, opcode, &reader) {
        case .offer(let type):
            guard !isUsed else {
                throw ProtocolError(
                    object: id, code: ExtDataControlSourceV1.Error.invalidOffer.rawValue,
                    message: "the source has already been a selection; offer all types before")
            }
            try types.append(type, of: id)
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        for seat in server.seats {
            for kind in Selection.Kind.allCases { seat.selections[kind].sourceWillBeDestroyed(self) }
        }
    }

    func cancel() { send(ExtDataControlSourceV1.Event.cancelled) }

    func provide(_ type: String, to descriptor: OwnedDescriptor) {
        send(ExtDataControlSourceV1.Event.send(mimeType: type, fd: descriptor))
    }
}

/// A selection as seen by a client that controls it.
final class DataControlOfferResource: Resource {
    private(set) weak var source: (any SelectionSource)?

    init(_ client: Client, version: UInt32, source: (any SelectionSource)?) {
        self.source = source
        super.init(serverSideOn: client, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtDataControlOfferV1.Request.self, opcode, &reader) {
        case .receive(let type, let descriptor): source?.write(type, to: descriptor)
        case .destroy: destroy()
        }
    }
}
