// GET /v1/openapi.json

import DisplayServer
import EventLoop

extension ControlServer {
    var openAPIRoutes: [Route] {
        [
            // Made once and the same for everybody, so no right is required. It lists the rights that the other routes
            // need.
            Route(.get, "/v1/openapi.json", rights: []) { [unowned self] _ in
                .reply(openAPI)
            }
        ]
    }
}
