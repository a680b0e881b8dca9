// xdg_toplevel_icon_manager_v1 and xdg_toplevel_icon_v1

import MullionWayland

/// xdg_toplevel_icon_manager_v1: lets clients give icons to their toplevels.
final class ToplevelIconManagerResource: Resource {
    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        send(XdgToplevelIconManagerV1.Event.iconSize(size: Int32(ToplevelIcon.size)))
        send(XdgToplevelIconManagerV1.Event.done)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgToplevelIconManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .createIcon(let id): _ = try ToplevelIconResource(client, id: id, version: version)
        case .setIcon(let toplevel, let icon):
            let toplevel = try connection.resource(toplevel, as: ToplevelResource.self)
            let icon = try connection.resource(icon, as: ToplevelIconResource.self)
            toplevel.ownExtensions.pendingIcon = ToplevelIcon.Change(icon: icon?.freeze())
            toplevel.updateCharge()
        }
    }
}

/// xdg_toplevel_icon_v1: an icon that can be given to toplevels.
final class ToplevelIconResource: Resource {
    /// The most images of an icon.
    private static let mostImages = 64

    var name = ""
    private(set) var images: [IconImage] = []
    /// Whether a toplevel has got it.
    var isFrozen = false
    private var charge: MemoryCharge

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        charge = MemoryCharge(to: client.holdings)
        try super.init(client, id: id, version: version)
    }

    /// The icon, which does not change any more.
    func freeze() -> ToplevelIcon? {
        isFrozen = true
        return ToplevelIcon(name: name, images: images)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgToplevelIconV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setName(let name):
            try checkMutable()
            setName(name.cut(toBytes: connection.transport.limits.titleBytes))
        case .addBuffer(let bufferID, let scale):
            let buffer = try connection.resource(bufferID, as: BufferResource.self)
            try checkMutable()
            guard case .shared = buffer.storage, buffer.width == buffer.height, scale >= 1 else {
                throw error(
                    .invalidBuffer,
                    "buffer \(bufferID) of \(buffer.width)x\(buffer.height), scale \(scale), is not an icon's; use a "
                        + "square wl_shm buffer and a scale of at least 1")
            }
            try add(IconImage(buffer, scale: scale))
        }
    }

    override func willDestroy() {
        for image in images { image.buffer.icons.removeAll { $0 === self } }
        images = []
        charge.bytes = 0
    }

    func setName(_ name: String) {
        self.name = name
        updateCharge()
    }

    func add(_ image: IconImage) throws(ProtocolError) {
        if let index = images.firstIndex(where: { $0.width == image.width && $0.scale == image.scale }) {
            images.remove(at: index).buffer.icons.removeAll { $0 === self }
        }
        guard images.count < Self.mostImages else {
            throw ProtocolError(.noMemory, object: id, message: "limit reached: \(Self.mostImages) images of an icon")
        }
        images.append(image)
        image.buffer.icons.append(self)
        updateCharge()
    }

    /// The protocol error of a client that destroys a buffer of an icon.
    func bufferWasDestroyed(_ buffer: BufferResource) -> ProtocolError {
        error(.noBuffer, "buffer \(buffer.id) was destroyed before icon \(id)")
    }

    private func updateCharge() {
        charge.bytes = (name.isEmpty ? 0 : MemoryCost.text(name)) + images.count * MemoryCost.change
    }

    private func checkMutable() throws(ProtocolError) {
        guard !isFrozen else { throw error(.immutable, "the icon was given to a toplevel and cannot change") }
    }

    private func error(_ code: XdgToplevelIconV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
