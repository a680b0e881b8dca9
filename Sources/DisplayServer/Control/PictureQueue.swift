// Pictures that are asked for at the same time.

import EventLoop

/// Lets a few pictures be made at once; the others wait for their turn, and those whose asker hung up do not come to it.
/// A picture is memory from the moment when it is drawn until its asker has all of it.
final class PictureQueue {
    /// Bytes of all pictures that are drawn, compared, coded or sent at once: four of a 4K screen. A larger one is alone.
    static let bytesAtOnce = 128 << 20
    /// Requests that wait besides, and the bytes of their bodies.
    static let mostWaiting = 64
    static let mostWaitingBytes = 128 << 20

    private struct Job {
        let request: HTTPRequest
        let bytes: Int
        let begin: () -> Void
    }

    private var busyBytes = 0
    private var waiting: [Job] = []

    /// Begins at once, or when others have ended.
    /// - Parameter pixels: of the pictures.
    /// - Throws: 503 when as many wait as may.
    func add(_ request: HTTPRequest, pixels: Int, _ begin: @escaping () -> Void) throws(Problem) {
        let job = Job(request: request, bytes: pixels * 4 + request.body.count, begin: begin)
        waiting.removeAll { !$0.request.isOpen }
        if waiting.isEmpty, hasRoom(for: job) { return start(job) }
        let bodies = waiting.reduce(request.body.count) { $0 + $1.request.body.count }
        guard waiting.count < Self.mostWaiting, bodies <= Self.mostWaitingBytes else {
            throw Problem(
                503,
                "limit reached: \(waiting.count) requests wait for their pictures; ask again when some have theirs")
        }
        waiting.append(job)
    }

    private func hasRoom(for job: Job) -> Bool { busyBytes == 0 || busyBytes + job.bytes <= Self.bytesAtOnce }

    private func start(_ job: Job) {
        busyBytes += job.bytes
        job.request.onFinish = { [weak self] in self?.didFinish(job.bytes) }
        job.begin()
    }

    private func didFinish(_ bytes: Int) {
        busyBytes -= bytes
        while let next = waiting.first, !next.request.isOpen || hasRoom(for: next) {
            waiting.removeFirst()
            if next.request.isOpen { start(next) }
        }
    }
}
