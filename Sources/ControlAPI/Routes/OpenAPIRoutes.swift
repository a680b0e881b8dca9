// GET /v1/openapi.json

import DisplayServer
import EventLoop

extension ControlServer {
    var openAPIRoutes: [Route] {
        [
            // It is the same for everybody and made once: who has no right may ask for it too. It says which rights the
            // others need.
            Route(.get, "/v1/openapi.json", rights: []) { [unowned self] _ in
                .reply(openAPI)
            }
        ]
    }
}
