// POST /v1/input

import ControlProtocol
import DisplayServer
import EventLoop

extension ControlServer {
    var inputRoutes: [Route] {
        [
            Route(.postInput) { [unowned self] request in
                try inject(request)
                return .later
            }
        ]
    }

    /// Injects one event, or a list, atomically; explains the result of each (H3).
    private func inject(_ request: ControlRequest) throws {
        guard let first = request.http.body.first(where: { !" \t\r\n".utf8.contains($0) }) else {
            throw Problem(.emptyBody, "the request needs a JSON body: an event or a list of events")
        }
        let isList = first == UInt8(ascii: "[")
        var events = isList ? try request.decode([InputRequest].self) : [try request.decode(InputRequest.self)]
        // The answer discloses where the window is.
        if events.contains(where: { $0.window != nil }) { try request.require(.view, to: "points of a window") }
        if try request.flag("wait") {
            for index in events.indices { events[index].waits = true }
        }
        if try request.flag("mustHit") {
            for index in events.indices where events[index].mustHit == nil { events[index].mustHit = true }
        }
        let needed = events.indices.filter { events[$0].mustHit == true }
        let (http, server, disclosure) = (request.http, server, request.disclosure)
        let job = server.injector.queue.inject(events) { [weak self] outcome in
            switch outcome {
            case .success(let reports):
                // The clients have their events before the answer is composed, which takes longer than injecting them.
                server.deliverAndFlush()
                Self.whenRead(reports) {
                    var budget = CandidateBudget()
                    let payloads = reports.map { API.InputReport($0, in: server.model, disclosure, &budget) }
                    if let index = needed.first(where: { reports[$0].isMissed }) {
                        var problem = Problem(.noReceiver, payloads[index].explanation, rule: .h3)
                        problem.index = isList ? index : nil
                        problem.input = payloads[index]
                        return http.reply(problem.response)
                    }
                    guard isList else { return http.reply(.json(payloads.first)) }
                    self?.reply(API.InputReportList(events: payloads), to: request)
                }
            case .failure(let refusal):
                var problem = Problem(refusal.reason)
                problem.index = isList ? refusal.index : nil
                http.reply(problem.response)
            }
        }
        // Lists with times are cancelled when their client disconnects.
        if http.isOpen {
            http.onClose = { [weak server, weak job] in
                if let job { server?.injector.queue.cancel(job) }
            }
        }
    }

    private func reply(_ list: API.InputReportList, to request: ControlRequest) {
        let entries = list.events.reduce(0) { $0 + 1 + $1.candidates.count }
        do throws(Problem) {
            if case .reply(let response) = try reply(to: request, entries: entries, { list }, encode: { .json($0) }) {
                request.http.reply(response)
            }
        } catch {
            request.http.reply(error.response)
        }
    }

    /// Calls `body` once no receiver is waited for, without blocking the loop.
    private static func whenRead(_ reports: [InputInjector.Report], _ body: @escaping () -> Void) {
        guard let open = reports.lazy.compactMap(\.receipts).first(where: { !$0.isDone }) else { return body() }
        open.onDone = { whenRead(reports, body) }
    }
}
