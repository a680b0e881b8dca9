// GET /v1/openapi.json

import EventLoop

extension ControlServer {
    var openAPIRoutes: [Route] {
        [
            // It is the same for everybody, and says which rights the others need.
            Route(.get, "/v1/openapi.json", rights: []) { [unowned self] _ in
                .reply(.json(OpenAPI(routes: router.routes).document))
            }
        ]
    }
}
