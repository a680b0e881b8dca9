// Those who wait until clients have been told everything.

import EventLoop
import WindowModel

/// Answers `POST /v1/settle` once no effect is open and every client's socket has taken what was queued for it.
final class SettleWaiters {
    private unowned let server: DisplayServer
    private var waiters: [Waiter] = []

    private final class Waiter {
        let request: HTTPRequest
        var timer: Timer?
        init(_ request: HTTPRequest) { self.request = request }
    }

    init(_ server: DisplayServer) { self.server = server }

    /// Answers at once where nothing is queued, else later; 503 after `microseconds`.
    func add(_ request: HTTPRequest, microseconds: UInt64) {
        let waiter = Waiter(request)
        waiter.timer = Timer(server.loop) { [unowned self, unowned waiter] _, _ in giveUp(waiter) }
        waiter.timer?.arm(at: server.loop.now + microseconds)
        waiters.append(waiter)
        request.onClose = { [weak self, unowned waiter] in self?.waiters.removeAll { $0 === waiter } }
        server.settle()
    }

    /// After each settling.
    func check() {
        guard !waiters.isEmpty, pending.isEmpty else { return }
        let done = waiters
        waiters = []
        for waiter in done { waiter.request.reply(.json(Settled(settled: true))) }
    }

    private struct Settled: Encodable { var settled: Bool }

    private var pending: [Client] { server.clients.values.filter { $0.transport.queuedBytes > 0 } }

    private func giveUp(_ waiter: Waiter) {
        waiters.removeAll { $0 === waiter }
        let names = pending.sorted { $0.application < $1.application }.map(\.description)
        let who = names.isEmpty ? "no client" : names.joined(separator: ", ")
        waiter.request.reply(Problem(503, "not settled in time; does not read its events: \(who)").response)
    }
}
