// /v1/screens and what is under it; pictures are in PictureRoutes.swift

import EventLoop
import WindowModel

extension ControlServer {
    var screenRoutes: [Route] {
        [
            Route(.get, "/v1/screens") { [unowned self] _ in
                let model = server.model
                let all = model.screens.compactMap { model.screen($0) }
                return .reply(.json(ScreenList(screens: all.map { ScreenPayload($0, in: model) })))
            },
            Route(.post, "/v1/screens") { [unowned self] in try plug($0) },
            Route(.get, "/v1/screens/{screen}") { [unowned self] in .reply(try describe(screen($0).id)) },
            Route(.patch, "/v1/screens/{screen}") { [unowned self] in try change($0) },
            Route(.delete, "/v1/screens/{screen}") { [unowned self] in
                try server.disconnect(screen($0).id)
                return .reply(HTTPResponse(status: 204))
            },
        ]
    }

    /// The screen that the path names; 404 without it.
    func screen(_ request: ControlRequest) throws(Problem) -> Screen {
        try screen(named: request.parameter("screen"))
    }

    /// The screen of this id or name; 404 without it.
    func screen(named name: String) throws(Problem) -> Screen {
        do {
            return try server.screen(name)
        } catch {
            throw Problem(404, error.message, rule: error.rule)
        }
    }

    private func describe(_ id: Screen.ID, status: Int = 200) throws -> HTTPResponse {
        guard let screen = server.model.screen(id) else { throw Problem(404, "screen \(id) is gone", rule: "S1") }
        return .json(ScreenPayload(screen, in: server.model), status: status)
    }

    private func plug(_ request: ControlRequest) throws -> Answer {
        let id = try server.plug(try request.body(PlugPayload.self).specification())
        var response = try describe(id, status: 201)
        response.headers["Location"] = "/v1/screens/\(id)"
        return .reply(response)
    }

    private func change(_ request: ControlRequest) throws -> Answer {
        let screen = try screen(request)
        let patch = try request.body(ScreenPatch.self)
        var wanted = screen.properties
        wanted.currentMode = screen.currentMode
        if let mode = patch.mode { wanted.currentMode = try wanted.modes.mode(mode, of: "screen \(screen.name)") }
        wanted.scale = patch.scale ?? wanted.scale
        if let text = patch.orientation { wanted.orientation = try Screen.Orientation(parsing: text) }
        wanted.isFlipped = patch.flipped ?? wanted.isFlipped
        if let text = patch.overscan { wanted.overscan = try Screen.Overscan(parsing: text) }
        wanted.mirroring = patch.mirroring.map { Screen.Mirroring(parsing: $0) } ?? wanted.mirroring
        wanted.position = patch.position?.value.point ?? wanted.position
        wanted.brightness = patch.brightness ?? wanted.brightness
        if let duration = patch.duration, !(0...60).contains(duration) {
            throw Problem(422, "a rotation lasts 0 to 60 seconds, not \(duration)", rule: "R1")
        }
        try server.change(screen.id, to: wanted, duration: patch.duration.map { UInt64($0 * 1e6) })
        return .reply(try describe(screen.id))
    }
}
