// The processes of the programs that are connected to an X server.

import X11

/// Finds the process of each program that makes a top-level window, by one of them. More windows cost nothing.
final class ClientProcesses {
    private struct Client {
        /// A window of it. When that goes, the program may have gone, and the next one may have its number.
        let window: XWindowID
        /// Nil until the X server has answered.
        var process: Int32?
    }

    private let x: XConnection
    private let setup: XSetup
    private let ends: ProgramEnds
    /// As many as the X server allows.
    private var clients: [UInt32: Client] = [:]

    init(_ x: XConnection, _ setup: XSetup, _ ends: ProgramEnds) {
        (self.x, self.setup, self.ends) = (x, setup, ends)
    }

    func handle(_ event: XEvent) {
        switch event {
        case .created(let window), .mapRequest(let window), .mapped(let window, _): begin(window)
        case .destroyed(let window), .reparented(let window, _): end(window)
        default: break
        }
    }

    /// The X server ends.
    func stop() {
        for client in clients.values { disconnect(client) }
        clients = [:]
    }

    private func begin(_ window: XWindowID) {
        let client = setup.client(of: window)
        guard clients[client] == nil, client != 0, client != setup.resourceBase else { return }
        clients[client] = Client(window: window)
        x.process(of: window) { [weak self] process in
            guard let self, let process else { return }
            ends.connected(process)
            if let found = clients[client], found.window == window, found.process == nil {
                clients[client]?.process = process
            } else {
                ends.disconnected(process)
            }
        }
    }

    private func end(_ window: XWindowID) {
        let client = setup.client(of: window)
        guard let found = clients[client], found.window == window else { return }
        clients[client] = nil
        disconnect(found)
    }

    private func disconnect(_ client: Client) {
        if let process = client.process { ends.disconnected(process) }
    }
}
