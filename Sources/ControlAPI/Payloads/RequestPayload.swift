// Requests to the control API and the results of injected input, as events.

import DisplayServer
import EventLoop
import JSON5
import MullionSystem
import WindowModel

/// A request that was answered, or whose streamed answer began.
struct RequestPayload: Encodable {
    let event = "request"
    /// When it was answered, in microseconds of the server's clock.
    var time: UInt64
    var method: String
    /// With the query, unless the request is about pixels that the reader may not capture.
    var path: String
    var status: Int
    /// Microseconds of real time.
    var duration: UInt64
    /// Of the program that sent it, on the control socket.
    var pid: Int32?
    /// Why it was refused; under the same condition.
    var code: String?
    var detail: String?
}

/// A request whose answer is to be reported.
final class RequestReport {
    private var payload: RequestPayload
    private let query: String
    private let began: UInt64
    /// Whether it needs the right to capture: then the question and its success tell of pixels, too.
    private var isAboutPixels = false

    /// - Parameters:
    ///   - pid: the process that sent it, if that is known.
    ///   - began: real time.
    init(_ request: HTTPRequest, pid: Int32?, at began: UInt64) {
        self.began = began
        let query = request.query.map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }.joined(separator: "&")
        self.query = query.isEmpty ? "" : "?\(query)"
        payload = RequestPayload(
            time: 0, method: request.method.rawValue, path: "/" + request.path.joined(separator: "/"), status: 0,
            duration: 0, pid: pid)
    }

    func note(needed rights: Rights) { isAboutPixels = isAboutPixels || rights.contains(.capture) }

    /// - Parameters:
    ///   - time: of the server's clock.
    ///   - now: real time.
    func answer(_ status: Int, _ body: [UInt8], at time: UInt64, _ now: UInt64) {
        (payload.status, payload.time, payload.duration) = (status, time, now - began)
        guard status >= 400 else { return }
        let refusal = try? JSON5Document(body, .json).decode(Refusal.self)
        (payload.code, payload.detail) = (refusal?.code, refusal?.detail)
    }

    private struct Refusal: Decodable {
        var code: String
        var detail: String
    }

    func payload(for reader: Disclosure) -> RequestPayload {
        var payload = payload
        if isAboutPixels, !reader.includesPixels {
            (payload.code, payload.detail) = (nil, nil)
        } else {
            payload.path += query
        }
        return payload
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
