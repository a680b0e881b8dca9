// Requests to the control API and the results of injected input, as events.

import DisplayServer
import EventLoop
import JSON5
import System
import WindowModel

/// A request that was answered, or whose streamed answer began.
struct RequestPayload: Encodable {
    let event = "request"
    /// When it was answered, in microseconds of the server's clock.
    var time: UInt64
    var method: String
    /// With the query.
    var path: String
    var status: Int
    /// Microseconds of real time.
    var duration: UInt64
    /// Of the program that sent it, on the control socket.
    var pid: Int32?
    /// Why it was refused.
    var detail: String?

    /// What is known when it arrives.
    init(_ request: HTTPRequest) {
        (time, status, duration) = (0, 0, 0)
        method = request.method.rawValue
        let query = request.query.map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }.joined(separator: "&")
        path = "/" + request.path.joined(separator: "/") + (query.isEmpty ? "" : "?\(query)")
    }

    mutating func answer(_ status: Int, _ body: [UInt8]) {
        self.status = status
        guard status >= 400 else { return }
        detail = (try? JSON5Document(body, .json).decode(Refusal.self))?.detailWithoutPixels
    }

    private struct Refusal: Decodable {
        var detail: String
        var unmet: [Unmet]?

        struct Unmet: Decodable { var instead: [Instead] }
        struct Instead: Decodable { var color: String? }

        /// Readers of events may view, but perhaps not capture: the colours that a wait has seen are not for them.
        var detailWithoutPixels: String {
            let isAboutPixels = unmet?.contains { $0.instead.contains { $0.color != nil } } ?? false
            return isAboutPixels ? String(detail.prefix { $0 != ":" }) : detail
        }
    }
}

/// The results of a list of injected events.
struct InjectedPayload: Encodable {
    /// The most events of a list.
    static let maximumEvents = 100

    let event = "injected"
    var time: UInt64
    /// The first ones.
    var events: [InputPayload]
    /// The number of events that are not listed; nil for 0.
    var moreEvents: Int?
    /// For each listed event that no client received, the reason.
    var missed: [String]

    init(_ reports: [InputInjector.Report], at time: UInt64, in model: WindowModel) {
        self.time = time
        var budget = CandidateBudget()
        let listed = reports.prefix(Self.maximumEvents)
        events = listed.map { InputPayload($0, in: model, .all, &budget) }
        if reports.count > listed.count { moreEvents = reports.count - listed.count }
        missed = zip(listed, events).filter { $0.0.isMissed }.map { $0.1.explanation }
    }
}
