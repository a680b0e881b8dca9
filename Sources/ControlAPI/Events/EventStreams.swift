// Sends events to the readers of the event stream.

import ControlProtocol
import DisplayServer
import EventLoop
import Glibc
import JSON5
import MullionSystem
import WindowModel

/// Sends every effect, and every step of input before its effects, to every reader of `GET /v1/events`, as server-sent
/// events.
///
/// Nothing is recorded before the first reader. From then on the latest effects are kept, so that a disconnected reader
/// can resume; they are encoded only while there are readers.
final class EventStreams {
    /// How many effects a reader can miss and still resume.
    static let capacity = 2048
    /// The largest backlog of a reader, in bytes, before it is disconnected. Larger than everything that can be
    /// resumed.
    static let maximumBacklog = 1 << 20

    private unowned let server: DisplayServer
    /// The simultaneous readers.
    private let limit: SharedLimit
    private var log = EventLog(capacity: capacity)
    private var groups = noReaders
    private static var noReaders: [ReaderGroup] { [nil, Disclosure(.view), .all].map { ReaderGroup(requests: $0) } }
    /// Distinguishes this run's numbers from another's.
    private let run: String
    private(set) var isRecording = false
    /// Called when recording begins.
    private let didBeginRecording: () -> Void
    private var names = EventNames()

    init(_ server: DisplayServer, _ limit: SharedLimit, didBeginRecording: @escaping () -> Void) {
        self.server = server
        self.limit = limit
        self.didBeginRecording = didBeginRecording
        run = String(UInt64(max(0, time(nil))), radix: 36) + String(UInt32(getpid()), radix: 36)
    }

    /// The number of current readers.
    var count: Int { groups.reduce(0) { $0 + $1.count } }

    /// The readers of one user, or the holders of the token (nil).
    private func count(of user: UInt32?) -> Int { groups.reduce(0) { $0 + $1.count(of: user) } }

    /// Whether anyone receives requests.
    private var areRequestsRead: Bool { groups.contains { $0.requests != nil && !$0.isEmpty } }

    /// Starts a stream; `lastEventID` is the last one received by a reader that returns.
    /// - Parameter withRequests: whether it is sent requests to the API and reports of injected input too.
    /// - Throws: 503 when there are too many.
    func add(_ asked: ControlRequest, lastEventID: String?, withRequests: Bool = false) throws(Problem) {
        let (request, user) = (asked.http, asked.user)
        try limit.check("readers of events", for: user, own: count(of: user), all: count, "disconnect one")
        record()
        // Pending events are for the other readers.
        server.deliverAndFlush()
        flush()
        let headers: HTTPHeaders = ["Content-Type": "text/event-stream", "Cache-Control": "no-store"]
        guard let stream = request.stream(headers: headers) else { return }
        stream.onClose = { [weak self, unowned stream] in self?.remove(stream) }
        let reads = withRequests ? asked.disclosure : nil
        for index in groups.indices where groups[index].requests?.includesPixels == reads?.includesPixels {
            groups[index].add(stream, of: user)
        }
        stream.write(Array((": mullion \(DisplayServer.version)\n\n" + resume(lastEventID)).utf8))
    }

    /// Ends all streams properly.
    func end() {
        flush()
        groups = Self.noReaders
    }

    private func remove(_ stream: HTTPStream) {
        for index in groups.indices { groups[index].remove(stream) }
    }

    /// Sends the collected events.
    func flush() {
        for index in groups.indices {
            for stream in groups[index].flush(backlog: Self.maximumBacklog) { cutOff(stream) }
        }
    }

    private func record() {
        guard !isRecording else { return }
        isRecording = true
        names = EventNames(server)
        server.watchesProcesses = true
        didBeginRecording()
        server.injector.onStep = { [unowned self] step in
            send(log.append(.input(API.InputEvent(step, in: server.model)), time: server.clock.now))
        }
        server.injector.queue.onReports = { [unowned self] in note($0) }
        server.onBell = { [unowned self] application, window in
            var bell = API.Effect(event: "bell", time: server.clock.now)
            (bell.application, bell.applicationName) = (application.rawValue, names.name(of: application))
            (bell.window, bell.title) = (window?.rawValue, window.flatMap { names.title(of: $0) })
            send(log.append(.bell(bell), time: bell.time))
        }
    }

    /// Called with every effect of the model while recording.
    func note(_ effect: Effect) {
        let subject = names.note(effect, on: server)
        send(log.append(.effect(effect, subject), time: server.clock.now))
    }

    private func send(_ entry: EventLog.Entry) {
        guard count > 0 else { return }
        let text = text(entry)
        for index in groups.indices where !groups[index].isEmpty { groups[index].pending += text }
    }

    /// Reports a request to the readers that asked for that, when it is answered; does nothing without such readers.
    /// - Parameter pid: the process that sent it, if that is known.
    func watch(_ request: HTTPRequest, pid: @autoclosure () -> Int32?) -> RequestReport? {
        guard areRequestsRead else { return nil }
        let report = RequestReport(request, pid: pid(), at: server.loop.now)
        let counted = request.onAnswer
        request.onAnswer = { [weak self] status, body in
            counted?(status, body)
            guard let self, areRequestsRead else { return }
            report.answer(status, body, at: server.clock.now, server.loop.now)
            tell { reader in
                let payload = report.payload(for: reader)
                return Self.event(payload.event, payload)
            }
        }
        return report
    }

    /// Reports the results of injected events to the readers that asked for that.
    private func note(_ reports: [InputInjector.Report]) {
        guard areRequestsRead else { return }
        let payload = API.EventInjected(reports, at: server.clock.now, in: server.model)
        let text = Self.event(payload.event, payload)
        tell { _ in text }
    }

    /// Sends an event to the readers of requests.
    private func tell(_ text: (Disclosure) -> String) {
        for index in groups.indices where !groups[index].isEmpty {
            if let reader = groups[index].requests { groups[index].pending += text(reader) }
        }
    }

    /// The events that the reader has missed, preceded by a notice if some are no longer available.
    private func resume(_ lastEventID: String?) -> String {
        guard let lastEventID else { return "" }
        let parts = lastEventID.split(separator: "-", maxSplits: 1)
        let number = parts.count == 2 && parts[0] == run ? UInt64(parts[1]) : nil
        let (missed, entries) = log.entries(after: min(number ?? 0, log.last))
        var result = ""
        if missed > 0 || number == nil {
            let detail =
                number == nil ? "the id is not from this run of the server" : "\(missed) events are no longer available"
            result += Self.event("gap", API.EventGap(detail: detail))
        }
        for entry in entries { result += text(entry) }
        return result
    }

    /// Sends a slow reader a final event with the reason; it is dropped with the backlog if the reader stays slow.
    private func cutOff(_ stream: HTTPStream) {
        remove(stream)
        let note = API.EventCutOff(
            detail: "the reader is more than \(Self.maximumBacklog) bytes behind; resume with Last-Event-ID")
        stream.onClose = nil
        stream.write(Array(Self.event("cutOff", note).utf8))
        stream.finish()
        server.log(.info, "control: disconnected a reader of events that was too slow")
    }

    private func text(_ entry: EventLog.Entry) -> String {
        let id = "id: \(run)-\(entry.number)\n"
        switch entry.content {
        case .effect(let effect, let subject):
            let payload = API.Effect(effect, time: entry.time, subject)
            return id + Self.event(payload.event, payload)
        case .input(let step):
            let line = API.EventInput(
                time: entry.time, clock: API.ClockMode(rawValue: server.clock.mode.rawValue), input: step)
            return id + Self.event(line.event, line)
        case .bell(let line):
            return id + Self.event(line.event, line)
        }
    }

    static func event(_ name: String, _ payload: some Encodable) -> String {
        let json = (try? JSONWriter.encode(payload)) ?? Array("{}".utf8)
        return "event: \(name)\ndata: \(String(decoding: json, as: UTF8.self))\n\n"
    }
}
