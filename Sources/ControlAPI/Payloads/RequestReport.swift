// Requests to the control API and the results of injected input, as events.

import ControlProtocol
import DisplayServer
import EventLoop
import JSON5
import MullionSystem
import WindowModel

/// A request whose answer is to be reported.
final class RequestReport {
    private var payload: API.EventRequest
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
        payload = API.EventRequest(
            time: 0, method: API.Method(rawValue: request.method.rawValue),
            path: "/" + request.path.joined(separator: "/"), status: 0,
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
        var code: API.Code
        var detail: String
    }

    func payload(for reader: Disclosure) -> API.EventRequest {
        var payload = payload
        if isAboutPixels, !reader.includesPixels {
            (payload.code, payload.detail) = (nil, nil)
        } else {
            payload.path += query
        }
        return payload
    }
}

extension API.EventInjected {
    init(_ reports: [InputInjector.Report], at time: UInt64, in model: WindowModel) {
        var budget = CandidateBudget()
        let listed = reports.prefix(API.Limits.mostInjected)
        let events = listed.map { API.InputReport($0, in: model, .all, &budget) }
        self.init(
            time: time, events: events,
            moreEvents: reports.count > listed.count ? reports.count - listed.count : nil,
            missed: zip(listed, events).filter { $0.0.isMissed }.map { $0.1.explanation })
    }
}
