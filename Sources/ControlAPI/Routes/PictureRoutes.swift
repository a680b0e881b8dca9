// GET /v1/screens/{screen}/screenshot.png, GET /v1/screenshot.png, GET /v1/capture

import Compositor
import DisplayServer
import EventLoop
import WindowModel

extension ControlServer {
    var pictureRoutes: [Route] {
        [
            Route(
                .get, "/v1/screens/{screen}/screenshot.png", rights: .capture, query: ["upright", "cursor"]
            ) { [unowned self] request in
                let style = try request.flag("upright") ? PictureLayout.Style.upright : .native
                return try screenshot([try screen(request).id], style, request)
            },
            Route(.get, "/v1/screenshot.png", rights: .capture, query: ["cursor"]) { [unowned self] request in
                try screenshot(try allScreens, .joined, request)
            },
            Route(
                .get, "/v1/capture", rights: [.view, .capture], query: ["screen", "upright", "joined", "cursor"]
            ) { [unowned self] in try capture($0) },
        ]
    }

    /// - Throws: 409 when there is none.
    var allScreens: [Screen.ID] {
        get throws(Problem) {
            let all = server.model.screens
            guard !all.isEmpty else { throw Problem(409, "no screen is connected", rule: .s2) }
            return all
        }
    }

    /// Draws screens now, in slices of the loop, and runs `work` on the worker to make the answer. With `?cursor=true`
    /// they show the cursor.
    /// - Parameter state: returns further contents of the answer; called at the moment of the pictures.
    func draw<State: Sendable>(
        _ screens: [Screen.ID], _ style: PictureLayout.Style, for asked: ControlRequest,
        state: @escaping (PictureLayout) -> State,
        work: @escaping @Sendable (_ pictures: [Picture], State) throws -> HTTPResponse
    ) throws(Problem) -> Answer {
        let (request, cursor) = (asked.http, try asked.flag("cursor"))
        let pixels = screens.compactMap { server.model.screen($0)?.nativeBounds.size }
            .reduce(0) { $0 + Int($1.width) * Int($1.height) }
        guard pixels <= PNG.maximumPixels || screens.count == 1 else {
            throw Problem(
                409,
                "the \(screens.count) screens have \(pixels) pixels in total, more than an answer's limit of "
                    + "\(PNG.maximumPixels); capture them one by one")
        }
        let job = AnswerQueue.Job(request, bytes: pixels * 4)
        let done = server.loop.completion(of: HTTPResponse.self) { [pictures] in pictures.answer(job, with: $0) }
        var moment: (frameNumber: UInt64, layout: PictureLayout, state: State)?
        let fix = { [server] in
            let layout = PictureLayout(screens.compactMap { server.model.screen($0) }, style)
            moment = (server.frameNumber, layout, state(layout))
        }
        let isWanted = Wanted()
        let finish = { [worker] (bitmaps: [(Screen.ID, Bitmap)]) in
            guard request.isOpen, let moment else { return }
            guard bitmaps.count == screens.count else { return done(Problem(404, "the screen was unplugged").response) }
            let pictures = bitmaps.map { Picture(screen: $0, bitmap: $1, place: moment.layout[$0]) }
            let (frameNumber, state) = (moment.frameNumber, moment.state)
            // The worker may be busy with other jobs until then.
            request.onClose = { isWanted.end() }
            worker.perform {
                guard isWanted.value else { return }
                do {
                    var response = try work(pictures, state)
                    response.headers["Mullion-Frame"] = String(frameNumber)
                    done(response)
                } catch {
                    done(Problem(error).response)
                }
            }
        }
        try pictures.add(job) { [server] in
            server.captures.capture(screens, cursor: cursor, moment: fix, finish)
        }
        return .later
    }

    private func screenshot(
        _ screens: [Screen.ID], _ style: PictureLayout.Style, _ request: ControlRequest
    ) throws(Problem) -> Answer {
        try draw(screens, style, for: request, state: { _ in () }) { pictures, _ in
            let headers: HTTPHeaders = ["Content-Type": "image/png", "Cache-Control": "no-store"]
            return HTTPResponse(headers: headers, body: try PNG.encode(try Picture.joined(pictures)))
        }
    }

    /// The complete state of one moment. The query items select the pictures: `screen` only that one's, `upright` as a
    /// person sees it, `joined` a single one of all screens.
    private func capture(_ request: ControlRequest) throws -> Answer {
        let isJoined = try request.flag("joined")
        var screens = server.model.screens
        if let name = request.http.queryItem("screen") {
            guard !isJoined else { throw Problem(400, "use screen or joined, not both") }
            screens = [try screen(named: name).id]
        } else if isJoined {
            screens = try allScreens
        }
        let style: PictureLayout.Style = isJoined ? .joined : try request.flag("upright") ? .upright : .native
        return try draw(screens, style, for: request) { [server] layout in
            CapturePayload(server, layout)
        } work: { pictures, state in
            var state = state
            if isJoined {
                state.png = Base64(try PNG.encode(try Picture.joined(pictures)))
            } else {
                for picture in pictures { state.add(Base64(try PNG.encode(picture.turned)), of: picture.screen) }
            }
            return .json(state)
        }
    }
}
