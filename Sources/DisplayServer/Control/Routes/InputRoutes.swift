// POST /v1/input

import EventLoop

extension ControlServer {
    var inputRoutes: [Route] {
        [Route(.post, "/v1/input") { [unowned self] in .reply(try inject($0)) }]
    }

    /// One event, or a list that is injected as a whole or not at all; each is explained (H3).
    private func inject(_ request: ControlRequest) throws -> HTTPResponse {
        guard let first = request.http.body.first(where: { !" \t\r\n".utf8.contains($0) }) else {
            throw Problem(400, "the request needs a JSON body: an event or a list of events")
        }
        let isList = first == UInt8(ascii: "[")
        let events = isList ? try request.decode([InputEvent].self) : [try request.decode(InputEvent.self)]
        do {
            let reports = try server.injector.inject(events).map { InputPayload($0, in: server.model) }
            return isList ? .json(InputList(events: reports)) : .json(reports.first)
        } catch {
            var problem = Problem(error.reason)
            problem.index = isList ? error.index : nil
            throw problem
        }
    }
}
