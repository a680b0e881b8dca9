// xdg_system_bell_v1

import MullionWayland

/// Lets programs ring the bell, which the event stream of the control API reports: there is no sound.
final class SystemBellResource: Resource, RestorableGlobal {
    typealias Interface = XdgSystemBellV1

    /// A program that rings more often would displace everything else from the stream. In microseconds.
    private static let shortestInterval: UInt64 = 100_000

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgSystemBellV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .ring(let surface):
            let surface = try connection.resource(surface, as: SurfaceResource.self)
            let now = server.loop.now
            if let last = client.bellTime, now < last + Self.shortestInterval { return }
            client.bellTime = now
            guard let onBell = server.onBell else { return }
            // The stream first has the effects of the client's earlier requests.
            server.deliverEffects()
            onBell(client.application, surface?.window)
        }
    }
}
