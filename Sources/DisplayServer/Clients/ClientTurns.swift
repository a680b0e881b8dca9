// Schedules clients when there is more work than fits into one turn of the loop.

import EventLoop
import MullionWayland
import WindowModel

/// Shares the time of each turn of the loop among the clients. A client's slice ends by time, not by bytes, because a
/// request may cost a thousand times as much as another. The remaining requests wait for the next turn, and every
/// waiting client gets a slice before any gets a second one.
final class ClientTurns {
    /// A client's slice ends after this many effects on windows, about 0.3 ms of work, and no other slice begins in a
    /// turn with as many.
    private static let mostEffects = 256

    /// The most commits, or changes in them, that frames and times bring about in a turn; others that are due wait for
    /// their client's slice.
    private static let mostDueWork = 64

    /// Measures the current client's slice.
    let stopwatch = Stopwatch()

    /// How long clients' requests may occupy a turn of the loop, in microseconds; a single client gets half of it.
    var time: UInt64 = 1000

    private let loop: EventLoop
    private let model: WindowModel
    private let work: CurrentWork
    /// The clients waiting longest come first.
    private var waiting: [Client] = []
    /// The time used in this turn, in microseconds.
    private var used: UInt64 = 0
    /// Whether clients are served in the next turn, because there was more to do than fits into one.
    private(set) var isBusy = false
    /// The time that clients used in the last turn.
    private(set) var usedBefore: UInt64 = 0
    /// Closed clients that still have objects.
    private var closed: [Client] = []
    /// The number of other clients' effects when the current client's slice began.
    private var effectsBefore = 0
    /// Whether a client is served, in its slice.
    private var isServing = false
    /// What had waited and was applied in the slice, and in the turn outside of slices.
    private var dueWork = (inSlice: 0, outside: 0)
    /// The sum of all clients' `freezes`.
    private var freezes = 0

    init(_ loop: EventLoop, _ model: WindowModel, _ work: CurrentWork) {
        (self.loop, self.model, self.work) = (loop, model, work)
    }

    /// Serves a client that has sent something, now or when it is its turn.
    func serve(_ client: Client) {
        guard !client.isWaitingForTurn else { return }
        guard used < time, client.freezes == 0 else { return add(client) }
        measure(client)
    }

    /// Queues a client with unhandled requests for the next turn.
    func add(_ client: Client) {
        guard !client.isWaitingForTurn else { return }
        client.isWaitingForTurn = true
        waiting.append(client)
        if client.freezes == 0 { schedule() }
    }

    /// Stops serving a client until `unfreeze` has been called as often.
    func freeze(_ client: Client) {
        client.freezes += 1
        freezes += 1
        client.awaitMore()
    }

    /// Serves the client again once this has been called as often as `freeze`.
    func unfreeze(_ client: Client) {
        client.freezes -= 1
        freezes -= 1
        guard client.freezes == 0, !client.isClosed else { return }
        client.awaitMore()
        if client.isWaitingForTurn { schedule() }
    }

    /// Called before a commit, which can take long and change windows. The resulting effects are delivered at the end
    /// of the turn, so a client that changes many windows continues in the next one.
    func clientWillCommit() {
        stopwatch.expectMore()
        let count = model.effectCount
        // There can be fewer effects than at the beginning, because wl_display.sync delivers them.
        effectsBefore = min(effectsBefore, count)
        if count - effectsBefore >= Self.mostEffects { stopwatch.end() }
    }

    /// Called before a commit that was made earlier is applied.
    /// - Parameter work: the number of commits that are applied, and of changes in them.
    /// - Returns: false if it must wait for its client's next slice, each of which applies at least one.
    func mayApplyDueCommit(ofWork work: Int) -> Bool {
        if isServing {
            clientWillCommit()
            guard dueWork.inSlice == 0 || !stopwatch.isOver else { return false }
            dueWork.inSlice += work
            return true
        }
        guard dueWork.outside == 0 || dueWork.outside + work <= Self.mostDueWork,
            model.effectCount < Self.mostEffects
        else { return false }
        dueWork.outside += work
        return true
    }

    /// Called at the end of a turn of the loop.
    func endTurn() {
        (usedBefore, used) = (used, 0)
        dueWork.outside = 0
    }

    /// Serves at least one waiting client per turn, however long the newly arrived requests took.
    private func serveWaiting() {
        isBusy = false
        goOnDestroying()
        var queue = waiting
        waiting = []
        if freezes > 0 {
            waiting = queue.filter { $0.freezes > 0 }
            queue.removeAll { $0.freezes > 0 }
        }
        var served = 0
        while served < queue.count, served == 0 || used < time {
            queue[served].isWaitingForTurn = false
            measure(queue[served])
            served += 1
        }
        // Unfinished clients queue up behind those that were not served.
        waiting = queue[served...] + waiting
        if freezes > 0 ? waiting.contains(where: { $0.freezes == 0 }) : !waiting.isEmpty { schedule() }
    }

    /// Destroys the remaining objects of a closed client in the next turns.
    func add(closed client: Client) {
        closed.append(client)
        schedule()
    }

    /// Whether any closed client still has objects.
    var isDestroying: Bool { !closed.isEmpty }

    /// Destroys the remaining objects of all closed clients now.
    /// - Returns: false if there were none.
    @discardableResult
    func destroyClosedClients() -> Bool {
        let clients = closed
        closed = []
        for client in clients { client.destroyObjects() }
        return !clients.isEmpty
    }

    /// Destroys objects of closed clients for a slice of time. The slice grows with the number of closed clients, so
    /// that clients that connect and disconnect repeatedly cannot create objects faster than they are destroyed.
    private func goOnDestroying() {
        guard !closed.isEmpty else { return }
        work.begin("destroying the objects of clients that have closed")
        let slice = Stopwatch()
        slice.start(microseconds: time / 2 * UInt64(min(closed.count, 4)))
        while let client = closed.first {
            guard client.destroyObjects(within: slice) else { return schedule() }
            closed.removeFirst()
        }
    }

    /// Releases the waiting clients when the server stops.
    func forget() { waiting = [] }

    private func schedule() {
        guard !isBusy else { return }
        isBusy = true
        loop.runInNextTurn { [weak self] in self?.serveWaiting() }
    }

    private func measure(_ client: Client) {
        effectsBefore = model.effectCount
        stopwatch.start(microseconds: time / 2)
        (isServing, dueWork.inSlice) = (true, 0)
        client.serve()
        isServing = false
        used += stopwatch.elapsed
        if model.effectCount >= Self.mostEffects { used = max(used, time) }
    }
}
