// Waiting until every client has carried out what it was told.

import EventLoop
import Wayland
import WindowModel

/// Tells those who wait when all is quiet: every client has read and handled its events, has acknowledged and committed
/// what it was configured to, nothing is on its way, no frame is owed, and nothing is being drawn.
///
/// A client is asked by a ping and answers by a pong after all events before it. Since it may do its work in an idle
/// handler after its pong, it is quiet only when two pings are answered one after the other with nothing else sent in
/// either direction. Nobody is asked, and no timer runs, while nobody waits.
public final class Settler {
    /// How a wait ended.
    public enum Outcome: Equatable {
        case settled
        /// Time is over: for each client what it still owes, in words.
        case unsettled([String])
    }

    /// One who waits.
    public final class Waiting {
        fileprivate weak var settler: Settler?
        fileprivate var timer: Timer?
        fileprivate let body: (Outcome) -> Void

        fileprivate init(_ settler: Settler, _ body: @escaping (Outcome) -> Void) {
            self.settler = settler
            self.body = body
        }

        /// Waits no more; the body does not run.
        public func cancel() { settler?.remove(self) }
    }

    /// Between two questions to a client that is not known to have no idle handlers, in microseconds; and between two
    /// looks at the socket of one that answers no question.
    private static let pause: UInt64 = 1000

    /// What else of the server's own must be over: each says in words what is under way without anybody stepping time.
    var conditions: [() -> [String]] = []

    private unowned let server: DisplayServer
    private var waitings: [Waiting] = []
    private var rounds: [Application.ID: SettlingRound] = [:]
    private var phase = Phase.off
    private var timer: Timer?
    private var lastSerial: UInt32 = 0
    /// Those that wait for single answers.
    private var receipts: [ReadReceipts] = []

    private enum Phase {
        /// Nobody waits.
        case off
        /// A round begins as soon as nothing stands in its way.
        case ready
        /// Clients are being asked.
        case asking
        /// Clients get a moment for their idle handlers.
        case pausing
    }

    init(_ server: DisplayServer) {
        self.server = server
        timer = Timer(server.loop) { [unowned self] _, _ in
            // The turn that this belongs to goes on with it.
            if phase == .pausing { phase = .ready }
        }
        conditions.append { [unowned server] in
            server.turns.isDestroying ? ["the surfaces of a client that has closed are being destroyed"] : []
        }
        conditions.append { [unowned server] in server.captures.isBusy ? ["a picture is being drawn"] : [] }
        // A turn that is to be stepped is no more owed than a frame is.
        conditions.append { [unowned server] in server.clock.mode == .real ? server.rotationTimer.turns : [] }
    }

    /// Waits until all is quiet; `body` runs then, or when `microseconds` (of real time) are over. To be called from a
    /// handler of the loop, or with `DisplayServer.settle()` after it.
    @discardableResult
    public func settle(within microseconds: UInt64, _ body: @escaping (Outcome) -> Void) -> Waiting {
        let waiting = Waiting(self, body)
        waiting.timer = Timer(server.loop) { [unowned self, unowned waiting] _, _ in giveUp(waiting) }
        waiting.timer?.arm(at: server.loop.now + microseconds)
        waitings.append(waiting)
        return waiting
    }

    /// Goes on as far as it can, after everything that is to be sent was sent.
    /// - Returns: whether something is to be sent or carried out again.
    func advance() -> Bool {
        guard !waitings.isEmpty else { return false }
        switch phase {
        case .off: return ask()
        case .ready: return !hasObstacle && ask()
        case .asking: return hear()
        case .pausing: return false
        }
    }

    /// A pong.
    func didAnswer(_ client: Client, _ serial: UInt32) {
        rounds[client.application]?.didAnswer(client, serial)
        for receipt in receipts { receipt.didAnswer(client.application, serial) }
    }

    // MARK: Single questions

    /// Asks a client whether it has handled its events so far.
    /// - Returns: the serial of its answer; nil when it cannot be asked.
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

    /// Tells it of answers from now on.
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
            if rounds.values.contains(where: { !$0.isAnswered && $0.question == .socket }) { armTimer() }
            return false
        }
        if !hasObstacle, server.clients.values.allSatisfy({ rounds[$0.application]?.isQuiet($0) == true }) {
            finish()
            return true
        }
        if rounds.values.contains(where: { $0.question != .application }) {
            phase = .pausing
            armTimer()
            return false
        }
        phase = .ready
        return !hasObstacle
    }

    private func armTimer() {
        if let timer, !timer.isArmed { timer.arm(at: server.loop.now + Self.pause) }
    }

    // MARK: The end

    private func finish() {
        let done = waitings
        waitings = []
        reset()
        for waiting in done { waiting.end(.settled) }
    }

    private func giveUp(_ waiting: Waiting) {
        let reasons = reasons
        remove(waiting)
        waiting.end(.unsettled(reasons))
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

    // MARK: What is waited for

    /// Whether something is known to be open, so that it is of no use to ask.
    private var hasObstacle: Bool {
        server.clients.values.contains { $0.owesFrame || $0.transport.hasHeldBack || $0.isWaitingForTurn }
            || server.surfaces.all.contains { $0.openConfigure != nil }
            || conditions.contains { !$0().isEmpty }
    }

    private var reasons: [String] {
        var result: [String] = []
        for client in server.clientsInOrder {
            var owed: [String] = []
            if let reason = rounds[client.application]?.openAnswer(client) { owed.append(reason) }
            owed += server.surfaces.all.filter { $0.client === client }.compactMap(\.openConfigure)
            if client.owesFrame { owed.append("a frame callback is due") }
            result += owed.map { "\(client.shortDescription): \($0)" }
        }
        result += conditions.flatMap { $0() }
        guard result.isEmpty else { return result }
        // Work that follows from the events is no fault; only when nothing else is open it is what is waited for.
        let busy = server.clientsInOrder.filter { rounds[$0.application]?.hadRequests == true }
        return busy.isEmpty
            ? ["clients were still being asked"]
            : busy.map { "\($0.shortDescription): does not stop sending requests" }
    }
}

extension Settler.Waiting {
    fileprivate func end(_ outcome: Settler.Outcome) {
        timer?.cancel()
        settler = nil
        body(outcome)
    }
}
