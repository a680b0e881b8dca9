// GET /v1/events

import DisplayServer
import EventLoop

extension ControlServer {
    var eventRoutes: [Route] {
        [
            Route(.getEvents) { [unowned self] request in
                guard request.http.method == .get else {
                    var problem = Problem(.methodNotAllowed, "an event stream does not support HEAD; use GET")
                    problem.allow = [.get]
                    throw problem
                }
                let withRequests = try request.flag("requests")
                try events.add(
                    request, lastEventID: request.http.headers["Last-Event-ID"], withRequests: withRequests)
                return .later
            }
        ]
    }
}
