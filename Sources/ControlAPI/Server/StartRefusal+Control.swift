// What clients of the control API receive when the server cannot start.

import DisplayServer
import Glibc
import MullionSystem

extension StartRefusal {
    /// The longest wait for a request, in milliseconds.
    private static let patience: Int32 = 100

    /// Sends 503 to a client of the control API, and closes the descriptor.
    public static func refuse(control descriptor: Int32) {
        defer { close(descriptor) }
        // A client does not read the reply if the connection is closed before the client has sent its request.
        _ = DescriptorIO.wait(for: POLLIN, on: descriptor, milliseconds: patience)
        let response = Problem(.unavailable, StartRefusal.reason).response
        let type = response.headers["Content-Type"] ?? ""
        let head =
            "HTTP/1.1 503 Service Unavailable\r\nContent-Type: \(type)\r\n"
            + "Content-Length: \(response.body.count)\r\nConnection: close\r\n\r\n"
        let bytes = Array(head.utf8) + response.body
        try? DescriptorIO.write(bytes, to: descriptor)
        StartRefusal.discard(descriptor)
    }
}
