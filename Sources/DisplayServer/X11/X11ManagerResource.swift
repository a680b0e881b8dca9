// mullion_x11_manager_v1

import Glibc
import MullionSystem
import MullionWayland

/// Serves the X servers that a window manager brings.
final class X11ManagerResource: Resource {
    /// The display where X11 programs connect, for users; empty: unknown.
    var display = ""

    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        try client.checkBindings(server.x11Managers.count { $0.client === client })
        server.x11Managers.append(self)
    }

    override func willDestroy() { server.x11Managers.removeAll { $0 === self } }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(MullionX11ManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .createServer(let id, let socket):
            // The client still has the descriptor: check it only in ways that nobody can block.
            guard DescriptorKind(socket) == .socket, UnixSocket.adoptConnection(socket) else {
                throw ProtocolError(
                    object: self.id, code: MullionX11ManagerV1.Error.invalidConnection.rawValue,
                    message: "the descriptor is not a connected Unix stream socket")
            }
            try client.checkBindings(server.x11Servers.count { $0.client === client })
            try X11ServerResource(client, id: id, version: version).serve(socket)
        case .setDisplay(let name): display = name.cut(toBytes: 256)
        }
    }
}

/// A display where X11 programs can connect.
package struct X11DisplayName: Hashable {
    /// As in DISPLAY.
    package let display: String
    /// The user of its manager.
    package let uid: UInt32

    package init(display: String, uid: UInt32) {
        (self.display, self.uid) = (display, uid)
    }
}

extension DisplayServer {
    /// Whether a program is connected. X servers without windows and what brings them are none.
    package var hasPrograms: Bool {
        clients.values.contains { client in
            let isPlumbing = client.isXServer || x11Managers.contains { $0.client === client }
            return !isPlumbing || model.windowCount(of: client.application) > 0
        }
    }

    /// The displays where a user's programs can connect, as far as managers have named them: the user's own, then those of
    /// the server's own user; none of a sandbox. Anybody can name a display, and an X server sees all that its programs do.
    /// - Parameter user: nil: unknown.
    package func x11Displays(for user: UInt32?) -> [X11DisplayName] {
        let all = x11Managers.filter { !$0.display.isEmpty && $0.client.credentials.sandbox == nil }.map {
            X11DisplayName(display: $0.display, uid: $0.client.credentials.uid)
        }
        let server = geteuid()
        return all.filter { $0.uid == user } + all.filter { $0.uid == server && $0.uid != user }
    }
}
