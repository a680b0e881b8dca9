// Limits answers that take much time and memory.

import DisplayServer
import EventLoop
import MullionSystem

/// Makes a few pictures or long documents at once. Others wait, and are dropped when their client hangs up. A picture
/// or document takes memory from the moment it is drawn or collected until it is encoded, and its answer until the
/// client has read it.
final class AnswerQueue {
    /// The limit of bytes of all answers being made, encoded or sent. A larger one is made alone.
    private let bytesAtOnce: SharedLimit
    /// The number of requests that may wait, and the bytes of their bodies.
    private let waitingLimit: SharedLimit
    private let waitingBytes: SharedLimit

    init(_ bytesAtOnce: SharedLimit, _ limits: ControlLimits) {
        self.bytesAtOnce = bytesAtOnce
        (waitingLimit, waitingBytes) = (limits.waitingAnswers, limits.waitingBytes)
    }

    /// A request, and the bytes that it currently needs.
    final class Job {
        fileprivate let request: HTTPRequest
        fileprivate let user: UInt32?
        fileprivate var bytes: Int

        /// - Parameter bytes: the size of the pictures, or of the document.
        convenience init(_ request: ControlRequest, bytes: Int) {
            self.init(request.http, of: request.user, bytes: bytes)
        }

        init(_ request: HTTPRequest, of user: UInt32?, bytes: Int) {
            (self.request, self.user) = (request, user)
            self.bytes = bytes + request.body.count
        }
    }

    /// The bytes of answers being made, encoded or sent, by user.
    private var busyBytes: [UInt32?: Int] = [:]
    private var waiting: [(job: Job, begin: () -> Void)] = []

    /// Begins immediately, or when others have ended.
    /// - Throws: 503 when too many are waiting.
    func add(_ job: Job, _ begin: @escaping () -> Void) throws(Problem) {
        waiting.removeAll { !$0.job.request.isOpen }
        waiting.append((job, begin))
        beginNext()
        guard let index = waiting.lastIndex(where: { $0.job === job }) else { return }
        let others = waiting.map(\.job).filter { $0 !== job }
        let own = others.filter { $0.user == job.user }
        func bodies(_ jobs: [Job]) -> Int { jobs.reduce(0) { $0 + $1.request.body.count } }
        let reason =
            waitingLimit.refusal(
                "requests that wait for their answers", for: job.user, own: own.count, all: others.count)
            ?? waitingBytes.refusal(
                "bytes of requests that wait for their answers", adding: job.request.body.count, for: job.user,
                own: bodies(own), all: bodies(others))
        guard let reason else { return }
        waiting.remove(at: index)
        throw Problem(.limitReached, "\(reason); try again later")
    }

    /// Sends the encoded answer; from now on only the answer is kept, until the client has read it.
    func answer(_ job: Job, with response: HTTPResponse) {
        job.request.reply(response)
        guard job.bytes > 0 else { return }
        charge(job, with: response.body.count)
    }

    /// Whether the job can begin now.
    private func hasRoom(for job: Job) -> Bool {
        let bounds = bytesAtOnce.bounds(for: job.user)
        let (own, all) = (busyBytes[job.user] ?? 0, busyBytes.values.reduce(0, +))
        // The server's own user and root do not wait for answers that others do not read.
        return all == 0 || (own == 0 && bytesAtOnce.trusts(job.user))
            || ((own == 0 || own + job.bytes <= bounds.own) && all + job.bytes <= bounds.all)
    }

    private func start(_ job: Job, _ begin: () -> Void) {
        busyBytes[job.user, default: 0] += job.bytes
        job.request.onFinish = { [weak self] in self?.charge(job, with: 0) }
        begin()
    }

    private func charge(_ job: Job, with bytes: Int) {
        let busy = (busyBytes[job.user] ?? 0) + bytes - job.bytes
        busyBytes[job.user] = busy > 0 ? busy : nil
        job.bytes = bytes
        beginNext()
    }

    private func beginNext() {
        while let index = nextIndex {
            let next = waiting.remove(at: index)
            if next.job.request.isOpen { start(next.job, next.begin) }
        }
    }

    /// The request that begins next: the oldest one of the user whose answers need the fewest bytes now. While there is no
    /// room for it, only users who have no answer in progress overtake it: they need not wait for slow readers.
    private var nextIndex: Int? {
        if let closed = waiting.firstIndex(where: { !$0.job.request.isOpen }) { return closed }
        var users: Set<UInt32?> = []
        let oldest = waiting.indices.filter { users.insert(waiting[$0].job.user).inserted }
        func rank(_ index: Int) -> (Int, Int) { (busyBytes[waiting[index].job.user] ?? 0, index) }
        let ranked = oldest.sorted { rank($0) < rank($1) }
        return ranked.first { index in
            let job = waiting[index].job
            return (index == ranked.first || busyBytes[job.user] == nil) && hasRoom(for: job)
        }
    }
}
