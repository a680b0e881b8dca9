// GET /v1/openapi.json

import DisplayServer
import EventLoop

extension ControlServer {
    var openAPIRoutes: [Route] {
        [
            // The document is constant and tells clients which rights the other routes require, so it requires none.
            Route(.getOpenapiJson) { [unowned self] _ in
                .reply(openAPI)
            }
        ]
    }
}
