// GET /v1/hit

import DisplayServer
import MullionGeometry
import WindowModel

extension ControlServer {
    var hitTestRoutes: [Route] {
        [
            Route(.get, "/v1/hit", rights: .view, query: ["screen", "window", "x", "y"]) { [unowned self] in
                .reply(.json(try hitTest($0)))
            }
        ]
    }

    /// H1, H3: the window that a touch or a click at a point would hit; nothing is delivered.
    private func hitTest(_ request: ControlRequest) throws -> HitTestPayload {
        func coordinate(_ name: String) throws(Problem) -> Double {
            guard let text = request.http.queryItem(name) else {
                throw Problem(.missingParameter, "the point needs x and y")
            }
            return try WordReader.number(name, text, in: -1e9...1e9)
        }
        var point = Point(x: try coordinate("x"), y: try coordinate("y"))
        let found: Screen?
        if let name = request.http.queryItem("window") {
            guard request.http.queryItem("screen") == nil else {
                throw Problem(.invalidParameter, "use a window or a screen, not both")
            }
            let id = try window(named: name).id
            let own = try server.model.screenOfPoints(in: id)
            point = try server.model.convert(point, from: .window(id), to: .screen(own))
            found = server.model.screen(own)
        } else if let name = request.http.queryItem("screen") {
            found = try self.screen(named: name)
        } else {
            found = server.screen(nil)
        }
        guard let screen = found else { throw Problem(.noConnectedScreen, "no screen is connected", rule: .s2) }
        return HitTestPayload(server.model.hitTest(point, on: screen.id, explain: true), on: screen, in: server.model)
    }
}

/// The answer to `GET /v1/hit`.
struct HitTestPayload: Encodable, Sendable {
    var screen: UInt32
    var screenName: String
    /// The tested point, in the screen's coordinates.
    var point: PointPayload
    /// Absent if there is none.
    var hit: InputPayload.Hit?
    /// Why there is none.
    var reason: String?
    /// The windows in front, front to back, with the reason each is not hit.
    var candidates: [InputPayload.Candidate]
    /// How many windows in front are not listed; nil if all of them are.
    var moreCandidates: Int?

    init(_ found: HitTest, on screen: Screen, in model: WindowModel) {
        let routing = model.routing(found)
        var budget = CandidateBudget()
        (candidates, moreCandidates) = budget.take(routing.candidates, in: model, .all)
        (self.screen, screenName, point) = (screen.id.rawValue, screen.name, PointPayload(found.point))
        // Switches directly, as for `InputPayload`.
        switch routing.outcome {
        case .hit(let taken): hit = InputPayload.Hit(taken, in: model, .all)
        case .dropped(let why): reason = why.rawValue
        case .received: break
        }
    }
}
