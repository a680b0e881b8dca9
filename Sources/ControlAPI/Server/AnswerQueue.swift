// Limits answers that take much time and memory.

import DisplayServer
import EventLoop

/// Makes a few pictures or long documents at once. Others wait, and are dropped when their client hangs up. A picture
/// or document takes memory from the moment it is drawn or collected until it is encoded, and its answer until the
/// client has read it.
final class AnswerQueue {
    /// The limit of bytes of all answers being made, encoded or sent. A larger one is made alone.
    let bytesAtOnce: Int
    /// The number of requests that may wait.
    static let mostWaiting = 64
    static let mostWaitingBytes = 128 << 20

    init(bytesAtOnce: Int) { self.bytesAtOnce = bytesAtOnce }

    /// A request, and the bytes that it currently needs.
    final class Job {
        fileprivate let request: HTTPRequest
        fileprivate var bytes: Int

        /// - Parameter bytes: the size of the pictures, or of the document.
        init(_ request: HTTPRequest, bytes: Int) {
            self.request = request
            self.bytes = bytes + request.body.count
        }
    }

    private var busyBytes = 0
    private var waiting: [(job: Job, begin: () -> Void)] = []

    /// Begins immediately, or when others have ended.
    /// - Throws: 503 when too many are waiting.
    func add(_ job: Job, _ begin: @escaping () -> Void) throws(Problem) {
        waiting.removeAll { !$0.job.request.isOpen }
        if waiting.isEmpty, hasRoom(for: job) { return start(job, begin) }
        let bodies = waiting.reduce(job.request.body.count) { $0 + $1.job.request.body.count }
        guard waiting.count < Self.mostWaiting, bodies <= Self.mostWaitingBytes else {
            throw Problem(
                503,
                "limit reached: \(waiting.count) requests are waiting for their answers; try again later")
        }
        waiting.append((job, begin))
    }

    /// Sends the encoded answer; from now on only the answer is kept, until the client has read it.
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
