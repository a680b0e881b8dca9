// Answers that take much time and memory.

import DisplayServer
import EventLoop

/// Lets a few pictures or long documents be made at once; the others wait for their turn, and those whose asker has hung up
/// do not get one. Each takes memory from the moment when it is drawn or collected until it is encoded, and its answer until
/// the asker has all of it.
final class AnswerQueue {
    /// The bytes of all answers that are being made, encoded or sent. A larger one is made alone.
    let bytesAtOnce: Int
    /// Requests that wait besides, and the bytes of their bodies.
    static let mostWaiting = 64
    static let mostWaitingBytes = 128 << 20

    init(bytesAtOnce: Int) { self.bytesAtOnce = bytesAtOnce }

    /// A request, and the bytes that it needs at present.
    final class Job {
        fileprivate let request: HTTPRequest
        fileprivate var bytes: Int

        /// - Parameter bytes: of the pictures, or of the document.
        init(_ request: HTTPRequest, bytes: Int) {
            self.request = request
            self.bytes = bytes + request.body.count
        }
    }

    private var busyBytes = 0
    private var waiting: [(job: Job, begin: () -> Void)] = []

    /// Begins at once, or when others have ended.
    /// - Throws: 503 when as many wait as may.
    func add(_ job: Job, _ begin: @escaping () -> Void) throws(Problem) {
        waiting.removeAll { !$0.job.request.isOpen }
        if waiting.isEmpty, hasRoom(for: job) { return start(job, begin) }
        let bodies = waiting.reduce(job.request.body.count) { $0 + $1.job.request.body.count }
        guard waiting.count < Self.mostWaiting, bodies <= Self.mostWaitingBytes else {
            throw Problem(
                503,
                "limit reached: \(waiting.count) requests wait for their answers; ask again when some have theirs")
        }
        waiting.append((job, begin))
    }

    /// All is encoded: from now on only the answer is kept, until the asker has taken it.
    func answer(_ job: Job, with response: HTTPResponse) {
        job.request.reply(response)
        guard job.bytes > 0 else { return }
        charge(job, with: response.body.count)
    }

    private func hasRoom(for job: Job) -> Bool { busyBytes == 0 || busyBytes + job.bytes <= bytesAtOnce }

    private func start(_ job: Job, _ begin: () -> Void) {
        busyBytes += job.bytes
        job.request.onFinish = { [weak self] in self?.charge(job, with: 0) }
        begin()
    }

    private func charge(_ job: Job, with bytes: Int) {
        busyBytes += bytes - job.bytes
        job.bytes = bytes
        while let next = waiting.first, !next.job.request.isOpen || hasRoom(for: next.job) {
            waiting.removeFirst()
            if next.job.request.isOpen { start(next.job, next.begin) }
        }
    }
}
