// Requests to the server of a run, which may hang.

import Glibc
import MullionControl
import MullionSystem
import Synchronization

/// An answer that another thread fetches.
final class Inquiry<Answer: Sendable>: Sendable {
    private let result = Mutex<Answer?>(nil)

    /// - Parameter body: runs on a thread of its own. It must end when the server does.
    init(_ body: @escaping @Sendable () -> Answer) {
        _ = DetachedThread.start { [self] in
            let answer = body()
            result.withLock { $0 = answer }
            // Wakes the thread that waits for a signal.
            kill(getpid(), SIGCHLD)
        }
    }

    /// Nil until it has arrived.
    var answer: Answer? { result.withLock { $0 } }
}

/// Asks the server of a run, and gives it up when it hangs.
final class ServerInquiries {
    /// How long the server may take for an answer, in seconds: on a busy machine a process may wait long for a processor.
    static let patience = 15

    private let client: ControlClient
    private let keeper: Keeper
    /// Whether the server has left a request unanswered.
    private(set) var isSilent = false

    init(_ client: ControlClient, _ keeper: Keeper) { (self.client, self.keeper) = (client, keeper) }

    /// What a person reads about a server that hangs.
    static let silence = "the server did not answer within \(patience) seconds"

    /// Begins with a request; returns at once. Nil when the server is given up.
    func begin<Answer: Sendable>(_ body: @escaping @Sendable (ControlClient) -> Answer) -> Inquiry<Answer>? {
        guard !isSilent, !keeper.isAlone else { return nil }
        return Inquiry { [client] in body(client) }
    }

    /// Call it when a request was not answered in time.
    func giveUp() { isSilent = true }

    /// Waits for an answer; signals are received later.
    /// - Returns: nil when the server hangs, or when `run` was killed.
    func ask<Answer: Sendable>(_ body: @escaping @Sendable (ControlClient) -> Answer) -> Answer? {
        guard let inquiry = begin(body) else { return nil }
        let deadline = ContinuousClock.now + .seconds(Self.patience)
        while true {
            if let answer = inquiry.answer { return answer }
            guard !keeper.isAlone else { return nil }
            guard ContinuousClock.now < deadline else { break }
            BlockedSignals.waitForChild(milliseconds: 100)
        }
        giveUp()
        return nil
    }
}
