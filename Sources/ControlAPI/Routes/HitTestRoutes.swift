// GET /v1/hit

import ControlProtocol
import DisplayServer
import MullionGeometry
import WindowModel

extension ControlServer {
    var hitTestRoutes: [Route] {
        [
            Route(.getHit) { [unowned self] in
                .reply(.json(try hitTest($0)))
            }
        ]
    }

    /// H1, H3: the window that a touch or a click at a point would hit; nothing is delivered.
    private func hitTest(_ request: ControlRequest) throws -> API.HitTest {
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
        return API.HitTest(server.model.hitTest(point, on: screen.id, explain: true), on: screen, in: server.model)
    }
}

extension API.HitTest {
    fileprivate init(_ found: HitTest, on screen: Screen, in model: WindowModel) {
        let routing = model.routing(found)
        var budget = CandidateBudget()
        let (candidates, more) = budget.take(routing.candidates, in: model, .all)
        self.init(
            screen: screen.id.rawValue, screenName: screen.name, point: API.Point(found.point),
            candidates: candidates, moreCandidates: more)
        // Switches directly, as for `API.InputReport`.
        switch routing.outcome {
        case .hit(let taken): hit = API.Hit(taken, in: model, .all)
        case .dropped(let why): reason = API.Reason(why)
        case .received: break
        }
    }
}
