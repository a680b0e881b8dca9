// A server that hands over to another one, in a test's own process.

import Compositor
import DisplayServer
import EventLoop
import WindowModel

extension ServerFixture {
    /// A fixture whose server can hand over to another one; clients must connect after this.
    public static func handingOver(
        screens: [String] = ["800x600"], clock: ClockMode = .real
    ) throws -> ServerFixture {
        let fixture = try ServerFixture(screens: screens, clock: clock)
        fixture.server.isHandOverPossible = true
        return fixture
    }

    /// Ends the server, and lets another one continue with its clients.
    /// - Parameter change: modifies the state that is handed over.
    public func handOver(_ change: (HandOver) throws -> HandOver = { $0 }) throws {
        let (policy, peers, log) = (model.policy, server.peerPolicy, server.onLog)
        let decorations = server.decorations
        let state = try HandOverState(change(server.handOver()), policy: policy)
        let next = DisplayServer(loop: loop, policy: policy, takingOver: state)
        next.isHandOverPossible = true
        next.turnTime = server.turnTime
        next.peerPolicy = peers
        next.decorations = decorations
        next.onLog = log
        if server.clientRecords != nil { next.clientRecords = ClientRecords() }
        try next.takeOver(state)
        server = next
        if let folder {
            try next.listen(on: ListeningSocket.unix(path: folder.path + "/wayland-test", mode: 0o700))
        }
    }

    /// What every screen shows.
    public func pictures() throws -> [Bitmap] { try model.screens.map { try screenshot($0) } }
}
