// The globals that toolkits look for on every desktop.

import Wayland

extension DisplayServer {
    func addDesktopGlobals() {
        _ = globals.add(ZxdgDecorationManagerV1.self) { (client, id, version) throws(ProtocolError) in
            _ = try DecorationManagerResource(client, id: id, version: version)
        }
        let tokens = ActivationTokens()
        _ = globals.add(XdgActivationV1.self) { (client, id, version) throws(ProtocolError) in
            _ = try ActivationResource(client, id: id, version: version, tokens: tokens)
        }
        _ = globals.add(ZwpIdleInhibitManagerV1.self) { (client, id, version) throws(ProtocolError) in
            _ = try IdleInhibitManagerResource(client, id: id, version: version)
        }
        _ = globals.add(WpPresentation.self) { (client, id, version) throws(ProtocolError) in
            _ = try PresentationResource(client, id: id, version: version)
        }
    }
}
