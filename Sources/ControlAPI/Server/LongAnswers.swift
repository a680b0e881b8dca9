// Answers that take long to encode.

import DisplayServer
import EventLoop
import Synchronization

extension ControlServer {
    /// A document with fewer entries is encoded immediately, which takes a fraction of a millisecond.
    private static let fewEntries = 100
    /// The approximate size of an entry, as values and as JSON.
    private static let entryBytes = 1024

    /// Replies with a document whose length depends on the clients. A long one is encoded by a worker, because encoding
    /// it on the loop would block all clients.
    /// - Parameters:
    ///   - entries: the approximate number of windows and surfaces in it.
    ///   - document: collects the contents; called when its turn comes.
    /// - Throws: 503 when too many requests are waiting.
    func reply<Document: Sendable>(
        to request: ControlRequest, entries: Int, _ document: @escaping () -> Document,
        encode: @escaping @Sendable (Document) -> HTTPResponse
    ) throws(Problem) -> Answer {
        guard entries >= Self.fewEntries else { return .reply(encode(document())) }
        let job = AnswerQueue.Job(request, bytes: entries * Self.entryBytes)
        let done = server.loop.completion(of: HTTPResponse.self) { [documents] in documents.answer(job, with: $0) }
        try documents.add(job) { [documentWorker] in
            let document = document()
            let isWanted = Wanted()
            request.http.onClose = { isWanted.end() }
            documentWorker.perform { if isWanted.value { done(encode(document)) } }
        }
        return .later
    }
}

/// Whether a worker's result is still wanted.
final class Wanted: Sendable {
    private let flag = Atomic(true)
    var value: Bool { flag.load(ordering: .relaxed) }
    func end() { flag.store(false, ordering: .relaxed) }
}
