// /v1/screens and what is under it, GET /v1/screenshot.png

import Compositor
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
            Route(.get, "/v1/screens/{screen}/screenshot.png") { [unowned self] in
                capture([try screen($0)], for: $0.http)
                return .later
            },
            Route(.get, "/v1/screenshot.png") { [unowned self] request in
                let all = server.model.screens.compactMap { server.model.screen($0) }
                guard !all.isEmpty else { throw Problem(409, "there is no screen to be shown", rule: "S2") }
                capture(all, for: request.http)
                return .later
            },
        ]
    }

    /// The screen that the path names; 404 without it.
    private func screen(_ request: ControlRequest) throws(Problem) -> Screen {
        do {
            return try server.screen(request.parameter("screen"))
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

    // MARK: Pictures

    private struct Part: Sendable {
        var bitmap: Bitmap
        var x: Int
        var y: Int
    }

    /// Draws in slices of the loop, encodes on the worker, and answers.
    private func capture(_ screens: [Screen], for request: HTTPRequest) {
        // One pixel grid for all: that of the finest screen, so that none covers another.
        let scale = screens.map(\.scale).max() ?? 1
        let places = Dictionary(uniqueKeysWithValues: screens.map { ($0.id, $0.position) })
        let done = server.loop.completion(of: Result<[UInt8], EncodingProblem>.self) { result in
            switch result {
            case .success(let bytes):
                let headers: HTTPHeaders = ["Content-Type": "image/png", "Cache-Control": "no-store"]
                request.reply(HTTPResponse(headers: headers, body: bytes))
            case .failure(let problem): request.reply(Problem(problem.status, problem.detail).response)
            }
        }
        server.captures.capture(screens.map(\.id)) { [worker] pictures in
            guard request.isOpen else { return }
            guard !pictures.isEmpty else { return done(.failure(EncodingProblem(404, "the screen was unplugged"))) }
            let parts = pictures.map { id, bitmap in
                let place = places[id] ?? .zero
                return Part(bitmap: bitmap, x: Self.pixel(place.x * scale), y: Self.pixel(place.y * scale))
            }
            worker.perform { done(Self.encode(parts)) }
        }
    }

    private struct EncodingProblem: Error {
        var status: Int
        var detail: String
        init(_ status: Int, _ detail: String) {
            self.status = status
            self.detail = detail
        }
    }

    private static func encode(_ parts: [Part]) -> Result<[UInt8], EncodingProblem> {
        let whole =
            parts.count == 1
            ? parts[0].bitmap : Bitmap(joining: parts.map { (bitmap: $0.bitmap, x: $0.x, y: $0.y) })
        guard let whole else {
            return .failure(EncodingProblem(409, "the screens lie too far apart for one picture; take one each"))
        }
        do {
            return .success(try PNG.encode(whole))
        } catch {
            return .failure(EncodingProblem(500, "\(error)"))
        }
    }

    private static func pixel(_ value: Double) -> Int {
        let limit = Double(Bitmap.maximumPosition)
        return Int(max(-limit, min(limit, value.rounded())))
    }
}
