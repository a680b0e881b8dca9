// GET /v1/widgets

import DisplayServer
import EventLoop
import System
import WindowModel

extension ControlServer {
    /// The keys of `mullionctl find`.
    private static let widgetItems = [
        "window", "role", "name", "text", "description", "application", "state", "id", "nth",
    ]

    var widgetRoutes: [Route] {
        [
            // Widget texts include hidden content, window titles and application names.
            Route(.get, "/v1/widgets", rights: [.view, .capture], query: Self.widgetItems) { [unowned self] request in
                let items = request.http.query
                if let id = request.http.queryItem("window").flatMap({ DecimalText.whole($0, as: UInt32.self) }),
                    server.model.window(Window.ID(rawValue: id)) == nil
                {
                    throw Problem(404, "there is no window \(id), or it was closed", rule: .w7)
                }
                let http = request.http
                let words = items.map { "\($0.name)=\($0.value)" }
                let cancel = try widgets.read(words, widgetHelper, user: request.user) { result in
                    http.onClose = nil
                    switch result {
                    case .success(let document): http.reply(Self.document(document))
                    case .failure(let problem): http.reply(problem.response)
                    }
                }
                http.onClose = cancel
                return .later
            }
        ]
    }

    private static func document(_ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"], body: bytes)
    }
}
