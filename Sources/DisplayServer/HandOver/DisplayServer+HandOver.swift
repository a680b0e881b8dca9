// Hands over the state to another server.

import MullionSystem
import MullionWayland
import StateCoding
import WindowModel

extension DisplayServer {
    /// Whether the server keeps the descriptor of a client's memory, for reading it and for a server that takes over. It
    /// need not for a trusted client, and does not when the server or the client's user has too many.
    func keepsPoolDescriptor(of client: Client) -> Bool {
        !client.isTrusted
            || accounts.descriptors < limits.allDescriptors.total / 2
                && client.account.descriptors < limits.allDescriptors.share / 2
    }

    /// Ends this server and returns its state: it reads and sends nothing more, and clients are not notified. First,
    /// touches and drags are cancelled (E2) and keys released. A client that cannot be handed over is disconnected, and
    /// the log says why.
    public func handOver() -> HandOver {
        stopListening()
        cancelInput()
        flushUntilNoClientCloses()
        var (writer, savedClients, refused) = saveClients()
        // Disconnecting a client can change the state of others.
        while !refused.isEmpty {
            for (client, reason) in refused {
                logEnd(
                    of: client, .warning, "client \(client.description) is disconnected: \(reason)",
                    because: "\(reason)")
                client.close(because: nil)
            }
            flushUntilNoClientCloses()
            (writer, savedClients, refused) = saveClients()
        }
        let saved = SavedServer(
            version: Self.version, model: model.snapshot(), clients: savedClients, globals: globals.savedState,
            outputs: outputs.values.sorted { $0.screen < $1.screen }.map {
                SavedServer.Output(
                    screen: $0.screen, globalName: $0.globalName, cascadeSteps: $0.cascadeSteps,
                    clockStart: $0.clock.grid.start, clockNext: $0.clock.grid.next,
                    clockFrame: $0.clock.grid.firstFrame)
            }, plugOptions: plugOptions, screenMemory: StateBytes(screenMemory.state),
            sandboxes: sandboxes.compactMap { writer.save($0) },
            outputManagementSerial: outputManagement.serial, foreignToplevels: foreignToplevels.savedState,
            seats: seats.map { SavedSeat($0) }, keyboard: SavedKeyboard(keyboard), serial: serial, frame: frames.latest,
            manualTime: clock.mode == .manual ? clock.now : nil)
        sandboxes = []
        let left = clientsInOrder
        for client in left { client.leave() }
        for client in left {
            client.close()
            clients[client.application] = nil
            forget(client)
        }
        forgetTurn()
        do {
            return HandOver(payload: try StateEncoder.encode(saved), descriptors: writer.descriptors)
        } catch {
            log(.error, "the state of the server cannot be encoded: \(error)")
            return HandOver(payload: [], descriptors: [])
        }
    }

    /// Delivers and flushes until no more clients close, which leaves effects behind, and no commits wait: these are
    /// applied now, since the next server's frames do not follow this one's.
    private func flushUntilNoClientCloses() {
        repeat { deliverAndFlush() } while turns.destroyClosedClients() || emptyCommitQueues()
    }

    /// Saves every client.
    /// - Returns: also the clients that cannot be handed over.
    private func saveClients() -> (
        writer: HandOverWriter, savedClients: [SavedClient], refused: [(client: Client, reason: HandOverError)]
    ) {
        // This server will not present pending commits, and cannot know whether the next one will do so in time.
        // Flushing can have resumed requests that back-pressure had delayed, so repeat this each time.
        for surface in surfaces.all { surface.discardFeedbacks() }
        captures.endRequests()
        for client in clientsInOrder { client.sendReleases() }
        let writer = HandOverWriter()
        var (savedClients, refused) = ([SavedClient](), [(client: Client, reason: HandOverError)]())
        var sizes: [(client: Client, size: Int)] = []
        for client in clientsInOrder {
            do throws(HandOverError) {
                let saved = try writer.save(client)
                savedClients.append(saved.client)
                sizes.append((client, saved.size))
            } catch {
                refused.append((client, error))
            }
        }
        // If the states are too long for the available time, the users with the most lose their largest clients.
        let limit = HandOverWriter.mostBytes
        let surplus = sizes.reduce(0) { $0 + $1.size } - limit.total
        for (client, size) in limit.excess(
            surplus, of: sizes, user: { $0.client.credentials.trustedUser }, size: { $0.size })
        {
            let reason = "all clients' states together have more than \(limit.total) bytes"
            refused.append((client, HandOverError(reason + ", and its own about \(size)")))
        }
        return (writer, savedClients, refused)
    }

    /// Releases all held input, because nobody could do so between two servers.
    private func cancelInput() {
        deliverEffects()
        for seat in seats { seat.keyboard.releaseAll() }
        model.cancelInput(time: clock.now)
        deliverEffects()
        // Those that nothing holds any more.
        for seat in seats { seat.dragAndDrop.endReleased() }
        for client in clientsInOrder {
            for offer in client.resources(of: DataOfferResource.self) { offer.negotiation?.abandon() }
        }
    }
}
