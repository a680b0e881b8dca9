// wl_data_device_manager, wl_data_device, wl_data_source and wl_data_offer

import Wayland

final class DataDeviceManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlDataDeviceManager.Request.self, opcode, &reader) {
        case .createDataSource(let id): _ = try DataSourceResource(client, id: id, version: version)
        case .getDataDevice(let id, _): _ = try DataDeviceResource(client, id: id, version: version)
        }
    }
}

/// wl_data_device: sets the selection and is told of it.
final class DataDeviceResource: Resource {
    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        try client.checkBindings(client.dataDevices.count)
        client.dataDevices.append(self)
        server.selection.didAdd(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlDataDevice.Request.self, opcode, &reader) {
        case .startDrag(let source, _, _, _):
            // Without a pointer or touch grab of the client there is nothing to drag with; the source learns so.
            try connection.resource(source, as: DataSourceResource.self)?.send(WlDataSource.Event.cancelled)
        case .setSelection(let source, _):
            let source = try connection.resource(source, as: DataSourceResource.self)
            server.selection.set(source, by: client)
        case .release: destroy()
        }
    }

    override func willDestroy() { client.dataDevices.removeAll { $0 === self } }
}

/// wl_data_source: what a client offers.
final class DataSourceResource: Resource {
    /// Most that anybody offers are a few dozen.
    private static let maximumTypes = 256
    /// A message of more than 4096 bytes would break a receiver that uses libwayland.
    private static let maximumLength = 4000
    /// All of them are sent to whoever gets the keyboard: they must not fill its queue.
    private static let maximumBytes = 16_384
    private(set) var types: [String] = []
    private var bytes = 0

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlDataSource.Request.self, opcode, &reader) {
        case .offer(let type):
            guard types.count < Self.maximumTypes else {
                throw ProtocolError(.noMemory, object: id, message: "limit reached: \(Self.maximumTypes) types")
            }
            guard type.utf8.count <= Self.maximumLength else {
                throw ProtocolError(
                    .noMemory, object: id, message: "limit reached: a type has at most \(Self.maximumLength) bytes")
            }
            bytes += type.utf8.count
            guard bytes <= Self.maximumBytes else {
                throw ProtocolError(
                    .noMemory, object: id, message: "limit reached: \(Self.maximumBytes) bytes of types")
            }
            types.append(type)
        case .destroy: destroy()
        case .setActions(let actions):
            guard actions.rawValue < 8 else {
                throw ProtocolError(
                    object: id, code: WlDataSource.Error.invalidActionMask.rawValue,
                    message: "\(actions.rawValue) has bits beyond copy, move and ask")
            }
        }
    }

    override func willDestroy() { server.selection.sourceWillBeDestroyed(self) }
}

/// wl_data_offer: a source as the receiving client sees it. The data flows from client to client.
final class DataOfferResource: Resource {
    private weak var source: DataSourceResource?

    init(_ client: Client, version: UInt32, source: DataSourceResource) {
        self.source = source
        super.init(serverSideOn: client, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlDataOffer.Request.self, opcode, &reader) {
        case .accept, .finish, .setActions: break  // These matter to drag and drop only.
        case .receive(let type, let descriptor):
            guard let source, source.isAlive, source.types.contains(type) else { return }
            source.send(WlDataSource.Event.send(mimeType: type, fd: descriptor))
        case .destroy: destroy()
        }
    }
}
