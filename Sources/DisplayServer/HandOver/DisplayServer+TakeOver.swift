// Taking everything over from another server.

import EventLoop
import FoundationEssentials
import System
import Wayland
import WindowModel

extension DisplayServer {
    /// A server that goes on with what another one has left; `takeOver` is to follow, once it is configured.
    public convenience init(
        loop: EventLoop, policy: Policy = Policy(), limits: Limits = Limits(), takingOver state: HandOverState
    ) {
        state.model.policy = policy
        self.init(loop: loop, policy: policy, limits: limits, clock: state.clock, model: state.model)
    }

    /// Makes all objects of the clients again, and goes on to serve them. A client that cannot be taken over, or has gone
    /// meanwhile, is disconnected, and the log says why.
    /// - Throws: why nothing can be taken over; the server is of no use then.
    public func takeOver(_ state: HandOverState) throws(HandOver.Refusal) {
        do {
            try restore(state)
        } catch {
            // Whoever is there already is disconnected.
            stop()
            throw error as? HandOver.Refusal ?? HandOver.Refusal("\(error)")
        }
    }

    private func restore(_ state: HandOverState) throws {
        let record = state.record
        isTakingOver = true
        try restoreSeats(record)
        let news = try restoreOutputs(record)
        var failures: [(client: Client, reason: String)] = []
        var restored: [(reader: HandOverReader, record: ClientRecord, objects: [SavedObject])] = []
        var gone = 0
        for record in record.clients {
            guard let socket = state.files[record.socket], model.application(record.application) != nil else {
                gone += 1
                continue
            }
            let client = admit(record, socket)
            do {
                try restored.append((client.begin(record, state), record, record.ordered))
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
            for (seat, record) in zip(seats, record.seats) { try record.restoreFocus(of: seat) }
        }
        for (seat, record) in zip(seats, record.seats) { record.restoreSelections(of: seat) }
        restored.removeAll { entry in
            do {
                try entry.reader.client.end(entry.record, entry.reader, state)
                return false
            } catch {
                failures.append((entry.reader.client, "\(error)"))
                return true
            }
        }
        restoreSandboxes(state)
        if gone > 0 { log(.info, "\(gone) clients have gone meanwhile, or their sockets did not come along") }
        lastSerial = record.serial
        frame = record.frame
        isTakingOver = false
        globals.tell(added: news.added, removed: news.removed)
        goOn(restored.map(\.reader.client), failures)
    }

    /// What it may is decided by the present policy; it stays even if it could not come any more.
    private func admit(_ record: ClientRecord, _ socket: OwnedDescriptor) -> Client {
        let peer = Credentials(ofPeerOf: socket.rawValue, sandbox: record.sandbox)
        let account = accounts.account(of: peer.uid, pools: pools)
        let client = Client(
            self, socket: socket, credentials: peer, permissions: peerPolicy.permissions(of: peer), account: account,
            takingOver: record)
        clients[client.application] = client
        account.clients.append(client)
        return client
    }

    private func restoreSeats(_ record: ServerRecord) throws {
        guard record.seats.map(\.id) == model.seats else { throw HandOver.Refusal("seats are missing") }
        for id in model.seats.dropFirst(seats.count) { serve(id) }
        for (seat, record) in zip(seats, record.seats) { try record.restoreKeyboard(of: seat) }
        keyboard = record.keyboard.configuration
    }

    private func restoreOutputs(_ record: ServerRecord) throws -> (added: [UInt32], removed: [UInt32]) {
        if let time = record.manualTime { clock.restore(time: time) }
        guard Set(record.outputs.map(\.screen)) == Set(model.screens) else {
            throw HandOver.Refusal("screens are missing")
        }
        switchedOff = record.switchedOff
        var names: [UInt32: UInt32] = [:]
        for record in record.outputs {
            guard let screen = model.screen(record.screen), outputs[record.screen] == nil else {
                throw HandOver.Refusal("screen \(record.screen) is there twice")
            }
            let output = ScreenOutput(
                self, screen: screen, isConfigured: record.isConfigured, isHostile: record.isHostile)
            names[output.globalName] = record.globalName
            output.globalName = record.globalName
            output.cascadeSteps = max(0, min(record.cascadeSteps, 1 << 30))
            output.clock.restore(start: record.clockStart, next: record.clockNext, frame: record.clockFrame)
            outputs[record.screen] = output
            memory.remember(screen, isPassing: record.isConfigured)
        }
        outputManagement.update()
        outputManagement.serial = record.outputManagementSerial
        return try globals.restore(record.globals, outputs: names)
    }

    private func restoreSandboxes(_ state: HandOverState) {
        for record in state.record.sandboxes {
            // Without them, or when nobody can connect any more, the sandbox has ended meanwhile.
            guard let listening = state.files[record.listening]?.duplicate(),
                let closing = state.files[record.closing]?.duplicate()
            else { continue }
            do throws(EventLoopError) {
                guard UnixSocket.adoptListener(listening) else { continue }
                let account = accounts.account(of: record.user, pools: pools)
                (listening.closer, closing.closer) = (account.closer, account.closer)
                sandboxes.append(
                    try SandboxListener(self, record.sandbox, listening, closing, SandboxShare(of: account)))
            } catch {
                log(
                    .warning, "nobody listens for the sandbox \(record.sandbox) any more: \(error)",
                    about: LogSubject(uid: record.user))
            }
        }
    }

    /// Serves those that are there again; from here on everybody is told everything.
    private func goOn(_ restored: [Client], _ failures: [(client: Client, reason: String)]) {
        for (client, reason) in failures {
            log(
                .warning, "client \(client.description) is disconnected: it cannot be taken over: \(reason)",
                about: client.subject())
            client.close(because: nil)
        }
        for client in restored {
            do {
                try client.watch()
                client.queueFlush()
            } catch {
                log(.warning, "cannot serve a client: \(error)", about: client.subject())
                client.close(because: nil)
            }
        }
        for application in model.applications where clients[application] == nil {
            // It has gone while nobody looked (W7).
            ignore { () throws(ModelError) in try model.removeApplication(application) }
        }
        // Its surfaces too, those in no window included.
        for surface in model.allSurfaces where surfaces[surface] == nil {
            ignore { () throws(ModelError) in try model.destroySurface(surface) }
        }
        rotationTimer.arm()
        settle()
    }
}

extension ClientRecord {
    /// Each phase's in the order in which they are made.
    fileprivate var ordered: [SavedObject] {
        objects.enumerated().sorted { a, b in
            (a.element.order, a.offset) < (b.element.order, b.offset)
        }.map(\.element)
    }
}

extension Client {
    fileprivate func begin(_ record: ClientRecord, _ state: HandOverState) throws -> HandOverReader {
        beginRestoring(usedIDs: (record.usedClientIDs, record.usedServerIDs))
        try start(display: { connection throws(ProtocolError) in
            try unsafe DisplayResource(unsafeDowncast(connection, to: Client.self))
        })
        return try HandOverReader(self, record, state.files)
    }

    /// All objects are there: what waited for a commit, and what was on its way.
    fileprivate func end(_ record: ClientRecord, _ reader: HandOverReader, _ state: HandOverState) throws {
        for object in record.objects { try object.finishRestoring(reader) }
        endRestoring()
        func descriptors(_ names: [FileName]) throws -> [OwnedDescriptor] {
            try names.map { name in
                guard let descriptor = state.files[name]?.duplicate() else {
                    throw HandOver.Refusal("a descriptor did not come along")
                }
                return descriptor
            }
        }
        guard failure == nil else { throw HandOver.Refusal("it has too many objects") }
        transport.restore(
            ConnectionBacklog(
                received: [UInt8](record.received), receivedDescriptors: try descriptors(record.receivedFiles),
                hasHeldBack: record.hasHeldBack, queued: [UInt8](record.queued),
                queuedDescriptors: try descriptors(record.queuedFiles)))
    }
}
