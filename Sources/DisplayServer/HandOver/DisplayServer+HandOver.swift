// Handing everything over to another server.

import FoundationEssentials
import Wayland
import WindowModel

extension DisplayServer {
    /// Whether the descriptor of a client's memory is kept: a server that takes over would need it, and there are not
    /// too many.
    func keepsPoolDescriptor(_ descriptor: OwnedDescriptor) -> Bool {
        isHandOverPossible && descriptor.rawValue < descriptorCeiling / 2
    }

    /// Ends this server, and leaves everything that it is: nothing more is read or sent here, and no client is told. What
    /// is held and dragged is cancelled before (E2), and keys go up. A client that cannot be handed over is disconnected,
    /// and the log says why.
    public func handOver() -> HandOver {
        stopListening()
        letGoOfInput()
        settle()
        var (writer, records) = (HandOverWriter(), [ClientRecord]())
        while let refused = putIntoWords(&records, writer) {
            log(.warning, "client \(refused.client.description) is disconnected: \(refused.reason)")
            refused.client.close(because: nil)
            settle()
            (writer, records) = (HandOverWriter(), [])
        }
        let record = ServerRecord(
            version: Self.version, model: model.snapshot(), clients: records, globals: globals.record,
            outputs: outputs.values.sorted { $0.screen < $1.screen }.map {
                ServerRecord.Output(
                    screen: $0.screen, globalName: $0.globalName, isConfigured: $0.isConfigured,
                    isHostile: $0.isHostile, cascadeSteps: $0.cascadeSteps, clockStart: $0.clock.start,
                    clockNext: $0.clock.next, clockFrame: $0.clock.firstFrame)
            }, switchedOff: switchedOff, sandboxes: sandboxes.compactMap { writer.record($0) },
            outputManagementSerial: outputManagement.serial,
            seats: seats.map { SeatRecord($0) }, keyboard: KeyboardRecord(keyboard), serial: serial, frame: frame,
            manualTime: clock.mode == .manual ? clock.now : nil)
        sandboxes = []
        let left = clientsInOrder
        for client in left { client.leave() }
        for client in left {
            client.close()
            clients[client.application] = nil
            forget(client)
        }
        do {
            return HandOver([UInt8](try JSON.encoder.encode(record)), writer.descriptors)
        } catch {
            log(.error, "the server cannot be put into words: \(error)")
            return HandOver([], [])
        }
    }

    /// - Returns: the first client that cannot be handed over.
    private func putIntoWords(
        _ records: inout [ClientRecord], _ writer: HandOverWriter
    ) -> (client: Client, reason: HandOver.Refusal)? {
        for client in clientsInOrder {
            do throws(HandOver.Refusal) {
                records.append(try writer.record(client))
            } catch {
                return (client, error)
            }
        }
        return nil
    }

    /// Nothing is held while nobody is there to let go of it.
    private func letGoOfInput() {
        carryOutEffects()
        for seat in seats { seat.keyboard.releaseAll() }
        model.cancelInput(time: clock.now)
        carryOutEffects()
        // Whether it will show in time nobody can say who does not show it.
        for surface in surfaces.all { surface.discardFeedbacks() }
        for client in clientsInOrder {
            for offer in client.resources(of: DataOfferResource.self) { offer.negotiation?.abandon() }
            client.sendReleases()
        }
    }
}
