// POST /v1/input

import EventLoop

extension ControlServer {
    var inputRoutes: [Route] {
        [
            Route(.post, "/v1/input") { [unowned self] request in
                try inject(request)
                return .later
            }
        ]
    }

    /// One event, or a list that is injected as a whole or not at all; each is explained (H3).
    private func inject(_ request: ControlRequest) throws {
        guard let first = request.http.body.first(where: { !" \t\r\n".utf8.contains($0) }) else {
            throw Problem(400, "the request needs a JSON body: an event or a list of events")
        }
        let isList = first == UInt8(ascii: "[")
        let events = isList ? try request.decode([InputEvent].self) : [try request.decode(InputEvent.self)]
        let (http, server) = (request.http, server)
        server.injector.paced.inject(events) { outcome in
            switch outcome {
            case .success(let reports):
                let payloads = reports.map { InputPayload($0, in: server.model) }
                http.reply(isList ? .json(InputList(events: payloads)) : .json(payloads.first))
            case .failure(let refusal):
                var problem = Problem(refusal.reason)
                problem.index = isList ? refusal.index : nil
                http.reply(problem.response)
            }
        }
    }
}
