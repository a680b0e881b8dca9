// wp_cursor_shape_manager_v1 and wp_cursor_shape_device_v1

import MullionWayland

/// wp_cursor_shape_manager_v1: lets clients use the cursors of the server.
final class CursorShapeManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpCursorShapeManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getPointer(let id, let pointer):
            let pointer = try connection.resource(pointer, as: PointerResource.self)
            _ = try CursorShapeDeviceResource(client, id: id, version: version, of: pointer)
        case .getTabletToolV2(let id, let tool):
            // No cursor is shown for a pencil.
            _ = try connection.resource(tool, as: TabletToolResource.self)
            _ = try CursorShapeDeviceResource(client, id: id, version: version, of: nil)
        }
    }
}

/// wp_cursor_shape_device_v1: sets the cursor of a wl_pointer.
final class CursorShapeDeviceResource: Resource {
    /// Nil once the client has released it.
    private(set) weak var pointer: PointerResource?

    init(_ client: Client, id: ObjectID, version: UInt32, of pointer: PointerResource?) throws(ProtocolError) {
        self.pointer = pointer
        try super.init(client, id: id, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpCursorShapeDeviceV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setShape(let serial, let value):
            guard let shape = CursorShape(value) else {
                throw ProtocolError(
                    object: id, code: WpCursorShapeDeviceV1.Error.invalidShape.rawValue,
                    message: "\(value.rawValue) is not a shape; use 1 to 34")
            }
            if let pointer, pointer.isAlive { pointer.setCursor(shape, serial) }
        }
    }
}
