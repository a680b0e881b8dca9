// wl_data_device_manager and wl_data_device

import MullionWayland

final class DataDeviceManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlDataDeviceManager.Request.self, opcode, &reader) {
        case .createDataSource(let id): _ = try DataSourceResource(client, id: id, version: version)
        case .getDataDevice(let id, let seat):
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            _ = try DataDeviceResource(client, id: id, version: version, seat: seat)
        }
    }
}

/// wl_data_device: sets the clipboard and receives its changes; begins drags and receives those over its client's
/// surfaces.
final class DataDeviceResource: SeatObject, SelectionDevice {
    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        try super.init(client, id: id, version: version, seat: seat)
        try owner.dataDevices.add(self)
        seat.selections.clipboard.didAdd(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlDataDevice.Request.self, opcode, &reader) {
        case .startDrag(let source, let origin, let icon, let serial):
            let source = try connection.resource(source, as: DataSourceResource.self)
            _ = try connection.resource(origin, as: SurfaceResource.self)
            let icon = try connection.resource(icon, as: SurfaceResource.self)
            try startDrag(source, icon, serial)
        case .setSelection(let source, let serial):
            let source = try connection.resource(source, as: DataSourceResource.self)
            try source?.use(for: .selection)
            seat.selections.clipboard.set(source, serial: serial, by: client)
        case .release: destroy()
        }
    }

    override func willDestroy() {
        owner.dataDevices.remove(self)
        for x11 in server.x11Servers { x11.dragDevices.removeAll { $0 === self } }
    }

    func offer(_ source: (any SelectionSource)?) {
        guard let source else { return send(WlDataDevice.Event.selection(id: nil)) }
        let offer = introduce(source, negotiation: nil)
        send(WlDataDevice.Event.selection(id: offer.id))
    }

    /// Creates an offer and sends its types; the caller then sends the event that uses it.
    func introduce(_ source: any SelectionSource, negotiation: DragNegotiation?) -> DataOfferResource {
        let offer = DataOfferResource(client, version: version, source: source, negotiation: negotiation)
        send(WlDataDevice.Event.dataOffer(id: offer.id))
        for type in source.types.all { offer.send(WlDataOffer.Event.offer(mimeType: type)) }
        return offer
    }

    private func startDrag(
        _ source: DataSourceResource?, _ icon: SurfaceResource?, _ serial: UInt32
    ) throws(ProtocolError) {
        var role: DragIconRole?
        if let icon {
            let new = DragIconRole(icon)
            try icon.setRole(new, errorOn: id, code: WlDataDevice.Error.role.rawValue)
            role = new
        }
        try source?.use(for: .drag)
        guard seat.dragAndDrop.start(source, icon: role, serial: serial, by: client) else {
            // The client does not hold the press, or a drag is in progress: the source is cancelled.
            icon?.clearRole()
            source?.cancelDrag()
            return
        }
    }
}
