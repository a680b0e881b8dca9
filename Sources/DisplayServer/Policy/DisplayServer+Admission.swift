// Admits connections by the peer's credentials, before reading from them.

import MullionSystem
import MullionWayland
import WindowModel

extension DisplayServer {
    /// How many of the descriptors that the process may have clients get; the others are for the server's own pictures,
    /// keymaps, control connections and so on.
    public static func mostClientDescriptors(of limit: Int) -> Int { max(limit - 64, limit / 2) }

    /// Serves a connected socket (non-blocking), or refuses it with wl_display.error.
    public func attach(_ socket: OwnedDescriptor) { admit(socket, Credentials(ofPeerOf: socket.rawValue)) }

    /// Does the same with one that was accepted from a listening socket.
    func accept(_ socket: OwnedDescriptor, sandbox: Sandbox? = nil) {
        admit(socket, Credentials(ofAccepted: socket.rawValue, sandbox: sandbox))
    }

    private func admit(_ socket: OwnedDescriptor, _ peer: Credentials) {
        serve(socket, peer, peerPolicy.permissions(of: peer))
    }

    /// Serves the connection of an X server as a further client of its manager's user, with the same permissions,
    /// regardless of which process has its other end.
    /// - Returns: nil if it was refused.
    func attach(_ socket: OwnedDescriptor, managedBy x11: X11ServerResource) -> Client? {
        var user = x11.client.credentials
        user.process = nil
        return serve(socket, user, x11.client.permissions, x11)
    }

    @discardableResult
    private func serve(
        _ socket: OwnedDescriptor, _ peer: Credentials, _ permissions: Permissions, _ x11: X11ServerResource? = nil
    ) -> Client? {
        let account = accounts.account(of: peer.uid, pools: pools)
        if let reason = refusal(of: peer, permissions, account, socket) {
            logRefusal(.connection, "\(peer.description) (pid \(peer.pid))", reason, about: peer.subject)
            let connection = ServerConnection(transport: Connection(socket: socket, limits: limits, pool: outputPool))
            connection.transport.closer = account.closer
            connection.post(ProtocolError(.noMemory, message: reason))
            _ = try? connection.transport.flush()
            connection.transport.shutDown()
            connection.close()
            return nil
        }
        counters.connections += 1
        let client = Client(
            self, socket: socket, credentials: peer, permissions: permissions, account: account, isManaged: x11 != nil)
        client.x11Server = x11
        clients[client.application] = client
        stallWatch?.name(client.workNumber, client.description)
        account.clients.append(client)
        do {
            try client.start()
        } catch {
            logEnd(of: client, .warning, "cannot serve a client: \(error)", because: "\(error)")
            client.close(because: nil)
        }
        return client.isClosed ? nil : client
    }

    private func refusal(
        of peer: Credentials, _ permissions: Permissions, _ account: UserAccount, _ socket: OwnedDescriptor
    ) -> String? {
        guard permissions.mayConnect else { return "policy: \(peer.description) may not connect" }
        guard account.clients.count < permissions.connections else {
            return "policy: \(peer.description) has the \(permissions.connections) connections that it may have"
        }
        let user = peer.trustedUser
        if let reason = limits.clients.refusal("clients", for: user, own: account.clients.count, all: clients.count) {
            return reason
        }
        // Descriptors below a ceiling: the others are for the server itself, for pictures, keymaps, the control API. As
        // the kernel assigns the lowest free one, the new one also says how many are open.
        return limits.allDescriptors.refusal(
            "descriptors for clients", for: user, own: account.descriptors,
            all: max(Int(socket.rawValue), accounts.descriptors))
    }

    /// Disconnects clients of the users with the most descriptors when all users together have more than that many:
    /// trusted clients only if they, too, may have no more. The reserve is theirs.
    func endExcessOfDescriptors(beyond most: Int) {
        guard accounts.descriptors > most else { return }
        // Those of closed clients must not count.
        turns.destroyClosedClients()
        let ending = clients.values.filter { $0.failure != nil }.reduce(0) { $0 + $1.descriptors }
        let limit = limits.allDescriptors
        let excess = limit.excess(
            accounts.descriptors - most - ending,
            of: clients.values.filter {
                $0.failure == nil && (most >= limit.total || !limit.trusts($0.credentials.trustedUser))
            },
            user: { $0.credentials.trustedUser }, size: { $0.descriptors }, more: otherDescriptors)
        for client in excess {
            client.post(
                ProtocolError(
                    .noMemory,
                    message: "limit reached: \(most) descriptors for clients of all users; of those who may lose some, "
                        + "this one has most"))
            client.queueFlush()
        }
    }

    /// The descriptors that no client of a user has; nil: those of the users who have programs in sandboxes.
    private func otherDescriptors(of user: UInt32?) -> Int {
        if let user { return accounts[user]?.otherDescriptors ?? 0 }
        let users = Set(clients.values.filter { $0.credentials.trustedUser == nil }.map(\.credentials.uid))
        return users.reduce(0) { $0 + (accounts[$1]?.otherDescriptors ?? 0) }
    }

    /// Called when the client is gone.
    func forget(_ client: Client) {
        client.account.clients.removeAll { $0 === client }
    }
}

extension Limits {
    /// The same with no more descriptors for clients than this many, and no more than half of them for one user.
    func within(descriptors most: Int) -> Limits {
        var limits = self
        limits.allDescriptors.total = min(allDescriptors.total, most)
        limits.allDescriptors.share = min(allDescriptors.share, limits.allDescriptors.total / 2)
        return limits
    }
}

extension Client {
    /// Checks that the client may create another window, on that screen (nil: the main one).
    /// - Throws: the reason when it may not.
    func checkWindow(on screen: Screen.ID? = nil, errorOn object: ObjectID) throws(ProtocolError) {
        let limit = transport.limits.windows
        guard server.model.windowCount(of: application) < limit else {
            throw refused(.limit, "limit reached: \(limit) windows", object)
        }
        if let screen = screen ?? server.model.mainScreen {
            do throws(ModelError) {
                try checkScreens(adding: screen)
            } catch {
                throw refused(.policy, "\(error)", object)
            }
        }
        guard permissions.windows < .max else { return }
        let count = account.clients.reduce(0) { $0 + server.model.windowCount(of: $1.application) }
        guard count < permissions.windows else {
            throw refused(
                .policy, "policy: \(credentials.description) has the \(permissions.windows) windows that it may have",
                object)
        }
    }

    /// Checks that the user may have a buffer with this many pixels.
    func checkPixels(_ count: Int, errorOn object: ObjectID) throws(ProtocolError) {
        guard hasRoom(forPixels: count) else {
            throw refused(
                .policy,
                "policy: \(credentials.description) may have \(permissions.pixels) pixels in buffers; it has "
                    + "\(account.pixels), and \(count) more were requested", object)
        }
    }

    func hasRoom(forPixels count: Int) -> Bool {
        // The buffers of closed clients must not count.
        if account.pixels + count > permissions.pixels { server.turns.destroyClosedClients() }
        return account.pixels + count <= permissions.pixels
    }

    /// Checks that a window of the user may be on a screen.
    /// - Throws: S1 when the policy allows no more screens at once.
    func checkScreens(adding screen: Screen.ID) throws(ModelError) {
        guard permissions.screens < .max else { return }
        var screens: Set<Screen.ID> = []
        for client in account.clients {
            for window in server.model.windows(of: client.application) {
                if let screen = server.model.screen(of: window) { screens.insert(screen) }
            }
        }
        guard !screens.contains(screen), screens.count >= permissions.screens else { return }
        throw ModelError(
            kind: .notAllowed, rule: .s1,
            message: "policy: the windows of \(credentials.description) may be on \(permissions.screens) screens "
                + "at once")
    }

    /// W2: checks that a window of the client may have that level.
    func checkLevel(_ level: Double) throws(ModelError) {
        guard level > permissions.highestLevel else { return }
        throw ModelError(
            kind: .notAllowed, rule: .w2,
            message: "policy: the highest level of \(credentials.description) is \(permissions.highestLevel), "
                + "not \(level)")
    }

    private func refused(_ refusal: RefusalKind, _ reason: String, _ object: ObjectID) -> ProtocolError {
        server.counters.refused(refusal)
        return ProtocolError(.noMemory, object: object, message: reason)
    }
}
