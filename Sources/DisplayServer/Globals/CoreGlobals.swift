// The globals that do not depend on a screen.

import Wayland

extension DisplayServer {
    /// Adds every global that does not depend on a screen.
    func addCoreGlobals() {
        _ = globals.add(WlCompositor.self) { (client, id, version) throws(ProtocolError) in
            _ = try CompositorResource(client, id: id, version: version)
        }
        _ = globals.add(WlSubcompositor.self) { (client, id, version) throws(ProtocolError) in
            _ = try SubcompositorResource(client, id: id, version: version)
        }
        _ = globals.add(WlShm.self, ShmResource.bind)
        _ = globals.add(WpSinglePixelBufferManagerV1.self) { (client, id, version) throws(ProtocolError) in
            _ = try SinglePixelManagerResource(client, id: id, version: version)
        }
        _ = globals.add(WpViewporter.self) { (client, id, version) throws(ProtocolError) in
            _ = try ViewporterResource(client, id: id, version: version)
        }
        _ = globals.add(WpFractionalScaleManagerV1.self) { (client, id, version) throws(ProtocolError) in
            _ = try FractionalScaleManagerResource(client, id: id, version: version)
        }
        _ = globals.add(ZxdgOutputManagerV1.self) { (client, id, version) throws(ProtocolError) in
            _ = try XdgOutputManagerResource(client, id: id, version: version)
        }
        _ = globals.add(WlSeat.self, SeatResource.bind)
        _ = globals.add(WlDataDeviceManager.self) { (client, id, version) throws(ProtocolError) in
            _ = try DataDeviceManagerResource(client, id: id, version: version)
        }
        _ = globals.add(ZwpPrimarySelectionDeviceManagerV1.self) { (client, id, version) throws(ProtocolError) in
            _ = try PrimaryDeviceManagerResource(client, id: id, version: version)
        }
        _ = globals.add(XdgWmBase.self, for: { $0.permissions.xdg.contains(.windows) }) {
            (client, id, version) throws(ProtocolError) in
            _ = try WmBaseResource(client, id: id, version: version)
        }
        _ = globals.add(MullionApplicationV1.self) { (client, id, version) throws(ProtocolError) in
            _ = try ApplicationResource(client, id: id, version: version)
        }
        _ = globals.add(ZwpTextInputManagerV3.self) { (client, id, version) throws(ProtocolError) in
            _ = try TextInputManagerResource(client, id: id, version: version)
        }
        _ = globals.add(ZwpInputMethodManagerV2.self, requires: .inject) {
            (client, id, version) throws(ProtocolError) in
            _ = try InputMethodManagerResource(client, id: id, version: version)
        }
        _ = globals.add(ZwlrOutputManagerV1.self, requires: .administer) {
            (client, id, version) throws(ProtocolError) in
            _ = try OutputManagerResource(client, id: id, version: version)
        }
        _ = globals.add(ZwpVirtualKeyboardManagerV1.self, requires: .inject) {
            (client, id, version) throws(ProtocolError) in
            _ = try VirtualKeyboardManagerResource(client, id: id, version: version)
        }
        // No sandbox in a sandbox: the inner one could take on another name.
        _ = globals.add(WpSecurityContextManagerV1.self, for: { $0.credentials.sandbox == nil }) {
            (client, id, version) throws(ProtocolError) in
            _ = try SecurityContextManagerResource(client, id: id, version: version)
        }
        addPointerGlobals()
    }
}
