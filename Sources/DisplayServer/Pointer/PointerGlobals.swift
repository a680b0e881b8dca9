// The globals that extend the pointer.

import Wayland

extension DisplayServer {
    func addPointerGlobals() {
        _ = globals.add(ZwpRelativePointerManagerV1.self) { (client, id, version) throws(ProtocolError) in
            _ = try RelativePointerManagerResource(client, id: id, version: version)
        }
        _ = globals.add(ZwpPointerConstraintsV1.self) { (client, id, version) throws(ProtocolError) in
            _ = try PointerConstraintsResource(client, id: id, version: version)
        }
        _ = globals.add(ZwpPointerGesturesV1.self) { (client, id, version) throws(ProtocolError) in
            _ = try PointerGesturesResource(client, id: id, version: version)
        }
        _ = globals.add(ZwlrVirtualPointerManagerV1.self, requires: .inject) {
            (client, id, version) throws(ProtocolError) in
            _ = try VirtualPointerManagerResource(client, id: id, version: version)
        }
    }
}
