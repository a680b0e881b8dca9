// Waits until every client has handled its events.

import EventLoop
import MullionWayland
import WindowModel

/// Reports when everything is quiet: every client has read and handled its events, has acknowledged and
/// committed its configures, nothing is in transit, no frame is due, and nothing is being drawn.
///
/// A client is sent a ping and answers with a pong after all earlier events. Since it may do its work in an idle
/// handler after its pong, it is quiet only when two consecutive pings are answered with nothing else sent in either
/// direction. One that shows no window and reads pings without answering them is quiet as well, since it may not listen
/// to xdg_wm_base. While there is no wait, no pings are sent and no timer runs.
public final class Settler {
    /// How a wait ended.
    public enum Outcome: Equatable {
        case settled
        /// The time is up.
        case unsettled([Unfinished])
    }

    /// A wait in progress.
    public final class Waiting {
        fileprivate weak var settler: Settler?
        fileprivate var timer: Timer?
        /// Nil once it has ended.
        fileprivate var body: ((Outcome) -> Void)?

        fileprivate init(_ settler: Settler, _ body: @escaping (Outcome) -> Void) {
            self.settler = settler
            self.body = body
        }

        /// Cancels the wait; its body is not called.
        public func cancel() {
            body = nil
            settler?.remove(self)
        }
    }

    /// Further conditions of the server: each describes what is in progress without stepping the time.
    var conditions: [() -> [String]] = []

    private unowned let server: DisplayServer
    private var waitings: [Waiting] = [] {
        didSet { server.isSettling = !waitings.isEmpty }
    }
    private var rounds: [Application.ID: SettlingRound] = [:]
    private var phase = Phase.off
    private var timer: Timer?
    private var lastSerial: UInt32 = 0
    /// Receipts that wait for single answers.
    private var receipts: [ReadReceipts] = []

    private enum Phase {
        /// No wait is in progress.
        case off
        /// A round begins as soon as no obstacle is left.
        case ready
        /// Pings are being answered.
        case asking
        /// Clients get a moment for their idle handlers.
        case pausing
    }

    init(_ server: DisplayServer) {
        self.server = server
        timer = Timer(server.loop) { [unowned self] _, _ in
            // The current turn continues with the new round.
            if phase == .pausing { phase = .ready }
        }
        conditions.append { [unowned server] in
            server.turns.isDestroying ? ["the surfaces of a client that has closed are being destroyed"] : []
        }
        conditions.append { [unowned server] in server.captures.isBusy ? ["a picture is being drawn"] : [] }
        conditions.append { [unowned server] in
            server.keymapCompiler.isBusy ? ["a program's keymap is being compiled"] : []
        }
        // A rotation that needs stepping is not waited for, just like a frame.
        conditions.append { [unowned server] in server.clock.mode == .real ? server.rotationTimer.turns : [] }
    }

    /// Waits until everything is quiet, or until `microseconds` (of real time) are over, then calls `body`. Call it
    /// from a handler of the loop, or call `DisplayServer.deliverAndFlush()` after it.
    @discardableResult
    public func settle(within microseconds: UInt64, _ body: @escaping (Outcome) -> Void) -> Waiting {
        let waiting = Waiting(self, body)
        waiting.timer = Timer(server.loop) { [unowned self, unowned waiting] _, _ in giveUp(waiting) }
        waiting.timer?.arm(at: server.loop.now + microseconds)
        waitings.append(waiting)
        return waiting
    }

    /// Continues as far as possible, after everything queued was sent.
    /// - Returns: whether there is something to send or deliver again.
    func advance() -> Bool {
        guard !waitings.isEmpty else { return false }
        switch phase {
        case .off: return ask()
        case .ready: return !hasObstacle && ask()
        case .asking: return hear()
        case .pausing: return false
        }
    }

    /// Called when a client has sent a pong.
    func didAnswer(_ client: Client, _ serial: UInt32) {
        client.ignoresPings = false
        rounds[client.application]?.didAnswer(client, serial)
        for receipt in receipts { receipt.didAnswer(client.application, serial) }
    }

    // MARK: Single pings

    /// Pings a client to find out whether it has handled its events so far.
    /// - Returns: the serial of its answer; nil when it cannot be pinged.
    func ask(_ client: Client) -> UInt32? {
        lastSerial &+= 1
        if let application = client.applicationResources.first {
            application.send(MullionApplicationV1.Event.ping(serial: lastSerial))
        } else if let base = client.wmBases.first {
            base.send(XdgWmBase.Event.ping(serial: lastSerial))
        } else {
            return nil
        }
        return lastSerial
    }

    /// Reports answers to the receipt from now on.
    func add(_ receipt: ReadReceipts) { receipts.append(receipt) }

    func remove(_ receipt: ReadReceipts) { receipts.removeAll { $0 === receipt } }

    func clientDidClose(_ client: Client) {
        for receipt in receipts { receipt.clientDidClose(client.application) }
    }

    // MARK: Rounds

    private func ask() -> Bool {
        phase = .asking
        lastSerial &+= 1
        let before = rounds
        rounds = [:]
        for client in server.clients.values {
            rounds[client.application] = SettlingRound(client, serial: lastSerial, after: before[client.application])
        }
        return true
    }

    private func hear() -> Bool {
        var hasSilent = false
        for client in server.clients.values {
            if rounds[client.application] == nil {
                rounds[client.application] = SettlingRound(client, serial: lastSerial, after: nil)
                if !client.transport.isFlushed { return true }
            }
            rounds[client.application]?.look(client)
            hasSilent = hasSilent || rounds[client.application]?.isAnswered != true
        }
        guard !hasSilent else {
            let next = server.clients.values.compactMap { rounds[$0.application]?.nextLook($0) }.min()
            if let next { timer?.arm(at: next) }
            return false
        }
        if !hasObstacle, server.clients.values.allSatisfy({ rounds[$0.application]?.isQuiet($0) == true }) {
            finish()
            return true
        }
        if rounds.values.contains(where: { $0.question != .application }) {
            phase = .pausing
            timer?.arm(at: server.loop.now + SettlingRound.pause)
            return false
        }
        phase = .ready
        return !hasObstacle
    }

    // MARK: The end

    private func finish() {
        let done = waitings
        waitings = []
        reset()
        for waiting in done { waiting.end(.settled) }
    }

    private func giveUp(_ waiting: Waiting) {
        let unfinished = unfinished
        remove(waiting)
        waiting.end(.unsettled(unfinished))
    }

    fileprivate func remove(_ waiting: Waiting) {
        waitings.removeAll { $0 === waiting }
        if waitings.isEmpty { reset() }
    }

    private func reset() {
        phase = .off
        rounds = [:]
        timer?.cancel()
    }

    // MARK: Conditions

    /// Whether something is known to be unfinished, so that a round would be useless.
    private var hasObstacle: Bool {
        server.clients.values.contains {
            $0.owesFrame || $0.owesTimedCommit || $0.transport.hasHeldBack || $0.isWaitingForTurn
        }
            || server.surfaces.all.contains { $0.openConfigure != nil }
            || conditions.contains { !$0().isEmpty }
    }

    private var unfinished: [Unfinished] {
        var result: [Unfinished] = []
        for client in server.clientsInOrder {
            if let work = rounds[client.application]?.unfinished(client) { result.append(work) }
            let configures = server.surfaces.all.filter { $0.client === client }.compactMap(\.openConfigure)
            result += configures.map { Unfinished(.configure, client, $0) }
            if client.owesTimedCommit { result.append(Unfinished(laterCommitOf: client)) }
            if client.owesFrame { result.append(Unfinished(.frame, client, "is owed a frame callback")) }
        }
        result += conditions.flatMap { $0() }.map { Unfinished(server: $0) }
        guard result.isEmpty else { return result }
        // Work caused by the events is not a fault; report it only when nothing else is unfinished.
        let busy = server.clientsInOrder.filter { rounds[$0.application]?.hadRequests == true }
        return busy.isEmpty
            ? [Unfinished(kind: .asking, program: nil, text: "clients were still being asked")]
            : busy.map { Unfinished(.sending, $0, "does not stop sending requests") }
    }
}

extension Settler.Waiting {
    fileprivate func end(_ outcome: Settler.Outcome) {
        timer?.cancel()
        settler = nil
        let body = body
        self.body = nil
        body?(outcome)
    }
}
