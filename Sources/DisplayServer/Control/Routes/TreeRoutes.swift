// GET /v1/tree

import EventLoop

extension ControlServer {
    var treeRoutes: [Route] {
        [
            Route(.get, "/v1/tree") { [unowned self] request in
                let tree = TreePayload(server.model)
                guard request.http.headers.prefersText else { return .reply(.json(tree)) }
                return .reply(.text(TreeText(tree).text))
            }
        ]
    }
}

extension HTTPHeaders {
    /// Whether `Accept` names plain text, and does not name JSON before it.
    var prefersText: Bool {
        let accepted = (self["Accept"] ?? "").split(separator: ",").map { part in
            part.prefix { $0 != ";" }.filter { $0 != " " }
        }
        let text = accepted.firstIndex(of: "text/plain")
        let json = accepted.firstIndex(of: "application/json")
        guard let text else { return false }
        return json.map { text < $0 } ?? true
    }
}
