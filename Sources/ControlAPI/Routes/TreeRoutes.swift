// GET /v1/tree

import ControlProtocol
import DisplayServer
import EventLoop

extension ControlServer {
    var treeRoutes: [Route] {
        [
            Route(.getTree) { [unowned self] request in
                let model = server.model
                let isText = request.http.headers.prefersText
                return try reply(to: request, entries: model.windows.count + model.surfaceCount) {
                    API.Tree(model)
                } encode: { tree in
                    isText ? .text(TreeText(tree).text) : .json(tree)
                }
            }
        ]
    }
}

extension HTTPHeaders {
    /// Whether `Accept` lists plain text, and not JSON before it.
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
