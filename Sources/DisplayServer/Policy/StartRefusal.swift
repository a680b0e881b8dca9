// Refuses the peers of a server that cannot start.

import Glibc
import MullionSystem
import MullionWayland

/// Ends connections to a server that fails to start.
public enum StartRefusal {
    /// For every kind of client.
    package static let reason = "the server cannot start; its log says why"

    /// Sends wl_display.error to a Wayland client, and closes the descriptor.
    public static func refuse(client descriptor: Int32) {
        let limits = Limits()
        let transport = Connection(socket: OwnedDescriptor(descriptor), limits: limits, pool: OutputPool())
        let connection = ServerConnection(transport: transport)
        connection.post(ProtocolError(.implementation, message: reason))
        _ = try? transport.flush()
        discard(descriptor)
        connection.close()
    }

    /// Reads pending input: closing with unread input would reset the connection.
    package static func discard(_ descriptor: Int32) {
        var ignored = [UInt8](repeating: 0, count: 65_536)
        _ = unsafe read(descriptor, &ignored, ignored.count)
    }
}
