// Takes over the state of another server.

import EventLoop
import MullionSystem
import MullionWayland
import WindowModel

extension DisplayServer {
    /// A server that continues with the state of another one. Call `takeOver` once it is configured.
    public convenience init(
        loop: EventLoop, policy: Policy = Policy(), limits: Limits = Limits(), takingOver state: HandOverState
    ) {
        state.model.policy = policy
        self.init(loop: loop, policy: policy, limits: limits, clock: state.clock, model: state.model)
    }

    /// Restores all objects of the clients and serves them. A client that cannot be taken over, or has hung up, is
    /// disconnected, and the log says why.
    /// - Throws: why nothing can be taken over; do not use the server then.
    public func takeOver(_ state: HandOverState) throws(HandOverError) {
        do {
            try restore(state)
        } catch {
            // Disconnects the clients that have already been restored.
            stop()
            throw error as? HandOverError ?? HandOverError("\(error)")
        }
    }

    private func restore(_ state: HandOverState) throws {
        let saved = state.server
        isTakingOver = true
        try restoreSeats(saved)
        foreignToplevels.restore(saved.foreignToplevels)
        let news = try restoreOutputs(saved)
        var failures: [(client: Client, reason: String)] = []
        var restored: [(reader: HandOverReader, saved: SavedClient, objects: [SavedObject])] = []
        var gone = 0
        for saved in saved.clients {
            guard let socket = state.files[saved.socket], model.application(saved.application) != nil else {
                gone += 1
                continue
            }
            let client = admit(saved, socket)
            do {
                try restored.append((client.begin(saved, state), saved, saved.ordered))
            } catch {
                failures.append((client, "\(error)"))
            }
        }
        for phase in RestorationPhase.allCases {
            restored.removeAll { entry in
                do {
                    for object in entry.objects where object.phase == phase { try object.restore(entry.reader) }
                    return false
                } catch {
                    failures.append((entry.reader.client, "\(error)"))
                    return true
                }
            }
            guard phase == .lastBeforeFocus else { continue }
            for (seat, saved) in zip(seats, saved.seats) { try saved.restoreFocus(of: seat) }
        }
        for (seat, saved) in zip(seats, saved.seats) { saved.restoreSelections(of: seat) }
        restored.removeAll { entry in
            do {
                try entry.reader.client.end(entry.saved, entry.reader, state)
                return false
            } catch {
                failures.append((entry.reader.client, "\(error)"))
                return true
            }
        }
        restoreSandboxes(state)
        if gone > 0 { log(.info, "\(gone) clients have hung up, or their sockets were not handed over") }
        lastSerial = saved.serial
        frames = FrameNumbers(latest: saved.frame)
        isTakingOver = false
        globals.announce(added: news.added, removed: news.removed)
        resume(restored.map(\.reader.client), failures)
    }

    /// The current policy decides the client's rights. The client stays even if the policy would no longer admit it.
    private func admit(_ saved: SavedClient, _ socket: OwnedDescriptor) -> Client {
        // An X server's are its manager's, which has connected before.
        let peer =
            saved.manager.flatMap { clients[$0]?.credentials }
            ?? Credentials(ofPeerOf: socket.rawValue, sandbox: saved.sandbox)
        let account = accounts.account(of: peer.uid, pools: pools)
        let client = Client(
            self, socket: socket, credentials: peer, permissions: peerPolicy.permissions(of: peer), account: account,
            takingOver: saved)
        clients[client.application] = client
        account.clients.append(client)
        return client
    }

    private func restoreSeats(_ saved: SavedServer) throws {
        guard saved.seats.map(\.id) == model.seats else { throw HandOverError("seats are missing") }
        for id in model.seats.dropFirst(seats.count) { serve(id) }
        for (seat, saved) in zip(seats, saved.seats) { try saved.restoreKeyboard(of: seat) }
        keyboard = saved.keyboard.configuration
    }

    private func restoreOutputs(_ saved: SavedServer) throws -> (added: [UInt32], removed: [UInt32]) {
        if let time = saved.manualTime { clock.restore(time: time) }
        guard Set(saved.outputs.map(\.screen)) == Set(model.screens) else {
            throw HandOverError("screens are missing")
        }
        plugOptions = saved.plugOptions.filter { model.pluggedScreen(named: $0.key) != nil }
        if let memory = saved.screenMemory {
            do {
                try screenMemory.restore(memory.bytes)
            } catch {
                log(.warning, "settings of unplugged screens are forgotten: \(error)")
            }
        }
        var names: [UInt32: UInt32] = [:]
        for saved in saved.outputs {
            guard let screen = model.screen(saved.screen), outputs[saved.screen] == nil else {
                throw HandOverError("screen \(saved.screen) is listed twice")
            }
            let output = ScreenOutput(self, screen: screen)
            names[output.globalName] = saved.globalName
            output.globalName = saved.globalName
            output.cascadeSteps = max(0, min(saved.cascadeSteps, 1 << 30))
            output.clock.restore(start: saved.clockStart, next: saved.clockNext, firstFrame: saved.clockFrame)
            outputs[saved.screen] = output
            remember(saved.screen)
        }
        outputManagement.update()
        outputManagement.serial = saved.outputManagementSerial
        return try globals.restore(saved.globals, outputs: names)
    }

    private func restoreSandboxes(_ state: HandOverState) {
        for saved in state.server.sandboxes {
            // Without its descriptors, or when the socket no longer listens, the sandbox has ended.
            guard let listening = state.files[saved.listening]?.duplicate(),
                let closing = state.files[saved.closing]?.duplicate()
            else { continue }
            do throws(EventLoopError) {
                guard UnixSocket.adoptListener(listening) else { continue }
                let account = accounts.account(of: saved.user, pools: pools)
                (listening.closer, closing.closer) = (account.closer, account.closer)
                sandboxes.append(
                    try SandboxListener(self, saved.sandbox, listening, closing, SandboxShare(of: account)))
            } catch {
                log(
                    .warning, "the socket of the sandbox \(saved.sandbox) is closed: \(error)",
                    about: LogSubject(uid: saved.user))
            }
        }
    }

    /// Serves the restored clients; from here on events are sent again.
    private func resume(_ restored: [Client], _ failures: [(client: Client, reason: String)]) {
        for (client, reason) in failures {
            logEnd(
                of: client, .warning,
                "client \(client.description) is disconnected: it cannot be taken over: \(reason)",
                because: reason)
            client.close(because: nil)
        }
        for x11 in x11Servers where x11.hasLostServer { x11.serverDidEnd() }
        for client in restored where client.manager != nil && client.x11Server == nil {
            let reason = "its manager has ended"
            logEnd(of: client, .info, "client \(client.description) is disconnected: \(reason)", because: reason)
            client.close(because: nil)
        }
        for client in restored where !client.isClosed {
            do {
                try client.watch()
                client.queueFlush()
            } catch {
                logEnd(of: client, .warning, "cannot serve a client: \(error)", because: "\(error)")
                client.close(because: nil)
            }
        }
        for application in model.applications where clients[application] == nil {
            // The client has disconnected between the two servers (W7).
            logErrors { () throws(ModelError) in try model.removeApplication(application) }
        }
        watchersNeedUpdate = true
        // Including its surfaces, in windows or not.
        for surface in model.allSurfaces where surfaces[surface] == nil {
            logErrors { () throws(ModelError) in try model.destroySurface(surface) }
        }
        // Before toplevels are asked for their area.
        arrangeLayers()
        // The previous server's bars were among those.
        titleBars.decorationsDidChange()
        rotationTimer.arm()
        deliverAndFlush()
    }
}

extension SavedClient {
    /// The objects of each phase, in the order in which they are restored.
    fileprivate var ordered: [SavedObject] {
        objects.enumerated().sorted { a, b in
            (a.element.order, a.offset) < (b.element.order, b.offset)
        }.map(\.element)
    }
}

extension Client {
    fileprivate func begin(_ saved: SavedClient, _ state: HandOverState) throws -> HandOverReader {
        beginRestoring(
            usedIDs: (saved.usedClientIDs, saved.usedServerIDs), freeServerIDs: saved.freeServerIDs ?? [])
        try start(display: { connection throws(ProtocolError) in
            try unsafe DisplayResource(unsafeDowncast(connection, to: Client.self))
        })
        return try HandOverReader(self, saved, state.files)
    }

    /// Restores what needs all objects: pending commits, and unhandled input and output.
    fileprivate func end(_ saved: SavedClient, _ reader: HandOverReader, _ state: HandOverState) throws {
        for object in saved.objects { try object.finishRestoring(reader) }
        func descriptors(_ names: [FileName]) throws -> [OwnedDescriptor] {
            try names.map { name in
                guard let descriptor = state.files[name]?.duplicate() else {
                    throw HandOverError("a descriptor was not handed over")
                }
                return descriptor
            }
        }
        guard failure == nil else { throw HandOverError("it has too many objects") }
        transport.restore(
            ConnectionBacklog(
                received: saved.received.bytes, receivedDescriptors: try descriptors(saved.receivedFiles),
                hasHeldBack: saved.hasHeldBack, queued: saved.queued.bytes,
                queuedDescriptors: try descriptors(saved.queuedFiles)))
    }
}
