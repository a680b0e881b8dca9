// What peers are told whom nobody will ever serve, because the server cannot start.

import Glibc
import System
import Wayland

/// Ends connections that were made to a server which does not start.
public enum StartRefusal {
    /// How long a request may take to come, in milliseconds.
    private static let patience: Int32 = 100
    private static let reason = "the server cannot start; its log says why"

    /// A Wayland client reads wl_display.error. The descriptor is closed.
    public static func refuse(client descriptor: Int32) {
        let limits = Limits()
        let transport = Connection(socket: OwnedDescriptor(descriptor), limits: limits, pool: OutputPool())
        let connection = ServerConnection(transport: transport)
        connection.post(ProtocolError(.implementation, message: reason))
        _ = try? transport.flush()
        discard(descriptor)
        connection.close()
    }

    /// A client of the control API reads 503. The descriptor is closed.
    public static func refuse(control descriptor: Int32) {
        let socket = OwnedDescriptor(descriptor)
        // A client does not read the reply if the connection is closed before the client has sent its request.
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&request, 1, patience)
        let response = Problem(503, reason).response
        let type = response.headers["Content-Type"] ?? ""
        let head =
            "HTTP/1.1 503 Service Unavailable\r\nContent-Type: \(type)\r\n"
            + "Content-Length: \(response.body.count)\r\nConnection: close\r\n\r\n"
        let bytes = Array(head.utf8) + response.body
        _ = unsafe write(socket.rawValue, bytes, bytes.count)
        discard(socket.rawValue)
    }

    /// Takes what was sent: an end with unread words would look like an accident.
    private static func discard(_ descriptor: Int32) {
        var ignored = [UInt8](repeating: 0, count: 65_536)
        _ = unsafe read(descriptor, &ignored, ignored.count)
    }
}
