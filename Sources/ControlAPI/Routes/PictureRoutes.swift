// GET /v1/screens/{screen}/screenshot.png, GET /v1/screenshot.png, GET /v1/windows/{id}/screenshot.png, GET /v1/capture

import Compositor
import ControlProtocol
import DisplayServer
import EventLoop
import JSON5
import MullionSystem
import WindowModel

extension ControlServer {
    var pictureRoutes: [Route] {
        [
            Route(
                .getScreensScreenScreenshotPng
            ) { [unowned self] request in
                let style = try request.flag("upright") ? PictureLayout.Style.upright : .native
                return try screenshot([try screen(request).id], style, request)
            },
            Route(.getScreenshotPng) {
                [unowned self] request in
                try screenshot(try allScreens, .joined, request)
            },
            Route(
                .getWindowsIdScreenshotPng
            ) { [unowned self] request in try windowScreenshot(try window(request), request) },
            Route(
                .getCapture
            ) { [unowned self] request in try captureNowOrLater(request) },
        ]
    }

    /// - Throws: 409 when there is none.
    var allScreens: [Screen.ID] {
        get throws(Problem) {
            let all = server.model.screens
            guard !all.isEmpty else { throw Problem(.noConnectedScreen, "no screen is connected", rule: .s2) }
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
        let cursor = try asked.flag("cursor")
        let pixels = screens.compactMap { server.model.screen($0)?.nativeBounds.size }
            .reduce(0) { $0 + Int($1.width) * Int($1.height) }
        guard pixels <= PNG.maximumPixels || screens.count == 1 else {
            throw Problem(
                .noPicture,
                "the \(screens.count) screens have \(pixels) pixels in total, more than an answer's limit of "
                    + "\(PNG.maximumPixels); capture them one by one")
        }
        if style == .joined, screens.count > 1 {
            try PictureLayout(screens.compactMap { server.model.screen($0) }, style).checkJoined()
        }
        var moment: (layout: PictureLayout, state: State)?
        return try answer(asked, pixels: pixels) { [server] fix, finish in
            server.captures.capture(screens, cursor: cursor) {
                let layout = PictureLayout(screens.compactMap { server.model.screen($0) }, style)
                moment = (layout, state(layout))
                fix()
            } _: { bitmaps in
                guard let moment, bitmaps.count == screens.count else {
                    return finish(.failure(Problem(.noScreen, "the screen was unplugged")))
                }
                let pictures = bitmaps.map { Picture(screen: $0, bitmap: $1, place: moment.layout[$0]) }
                finish(.success((pictures, moment.state)))
            }
        } work: { (drawn: ([Picture], State)) in
            try work(drawn.0, drawn.1)
        }
    }

    /// Draws now, in slices of the loop, and runs `work` on the worker to make the answer.
    /// - Parameters:
    ///   - pixels: about how many are drawn.
    ///   - draw: calls the first closure at the moment of the pictures, and the second one with these.
    private func answer<Drawn: Sendable>(
        _ asked: ControlRequest, pixels: Int,
        draw: @escaping (_ fix: @escaping () -> Void, _ finish: @escaping (Result<Drawn, Problem>) -> Void) -> Void,
        work: @escaping @Sendable (Drawn) throws -> HTTPResponse
    ) throws(Problem) -> Answer {
        let request = asked.http
        let job = AnswerQueue.Job(asked, bytes: pixels * 4)
        let done = server.loop.completion(of: HTTPResponse.self) { [pictures, server] in
            if $0.status == 200, let shortage = Self.shortage { server.logOnce(.info, shortage) }
            pictures.answer(job, with: $0)
        }
        var frameNumber: UInt64 = 0
        let isWanted = Wanted()
        let finish = { [worker] (drawn: Result<Drawn, Problem>) in
            guard request.isOpen else { return }
            let drawnFrame = frameNumber
            switch drawn {
            case .failure(let problem): done(problem.response)
            case .success(let drawn):
                // The worker may be busy with other jobs until then.
                request.onClose = { isWanted.end() }
                worker.perform {
                    guard isWanted.value else { return }
                    do {
                        var response = try work(drawn)
                        response.headers["Mullion-Frame"] = String(drawnFrame)
                        done(response)
                    } catch {
                        done(Problem(error).response)
                    }
                }
            }
        }
        try pictures.add(job) { [server] in draw({ frameNumber = server.frameNumber }, finish) }
        return .later
    }

    /// Draws a window by itself now, without what covers it, visible or not, and runs `work` on the worker to make the
    /// answer.
    /// - Parameter state: returns further contents of the answer; called at the moment of the picture.
    func draw<State: Sendable>(
        _ window: Window, for request: ControlRequest, state: @escaping () -> State,
        work: @escaping @Sendable (_ picture: Bitmap, State) throws -> HTTPResponse
    ) throws(Problem) -> Answer {
        let (popups, cursor) = (try request.flag("popups"), try request.flag("cursor"))
        let area = window.frame.size.width * window.frame.size.height
        let id = window.id
        var moment: State?
        return try answer(request, pixels: Int(min(area, Double(PNG.maximumPixels)))) { [server] fix, finish in
            server.captures.capture(id, withPopups: popups, cursor: cursor) {
                moment = state()
                fix()
            } _: { picture in
                let drawn = picture.flatMap { picture in moment.map { (picture, $0) } }
                finish(
                    drawn.map { .success($0) }
                        ?? .failure(
                            Problem(
                                .noPicture,
                                "window \(id) was closed, or has no picture: it is empty, or larger than "
                                    + "\(PNG.maximumPixels) pixels or \(PNG.maximumEdge) along an edge",
                                rule: .w6)))
            }
        } work: { (drawn: (Bitmap, State)) in
            try work(drawn.0, drawn.1)
        }
    }

    private func windowScreenshot(_ window: Window, _ request: ControlRequest) throws(Problem) -> Answer {
        let crop = try PictureCrop(alone: try request.area("crop"))
        let reduction = try Reduction(request)
        return try draw(window, for: request) {
        } work: { picture, _ in
            try Self.png(reduction.apply(to: crop.apply(to: picture)))
        }
    }

    private func screenshot(
        _ screens: [Screen.ID], _ style: PictureLayout.Style, _ request: ControlRequest
    ) throws(Problem) -> Answer {
        let area = try request.area("crop")
        let reduction = try Reduction(request)
        return try draw(screens, style, for: request) { [server] layout in
            Result { () throws(Problem) in try PictureCrop(area, in: server, layout) }
        } work: { pictures, crop in
            try Self.png(reduction.apply(to: try crop.get().apply(to: try Picture.joined(pictures))))
        }
    }

    /// How much smaller a picture is to be.
    private struct Reduction {
        private let scale: Double
        private let maximumEdge: Int?

        init(_ request: ControlRequest) throws(Problem) {
            scale = try request.number("scale", in: API.Limits.smallestPictureScale...1, default: 1)
            let edge = try request.wholeNumber("maxEdge", in: 1...PNG.maximumEdge, default: 0)
            maximumEdge = edge > 0 ? edge : nil
        }

        func apply(to picture: Bitmap) -> Bitmap { picture.reduced(by: scale, maximumEdge: maximumEdge) }
    }

    /// What compressing pictures lacks, found out when the first one is done.
    private static let shortage = PNG.shortage

    private static nonisolated func png(_ picture: Bitmap) throws -> HTTPResponse {
        let headers: HTTPHeaders = ["Content-Type": "image/png", "Cache-Control": "no-store"]
        return HTTPResponse(headers: headers, body: try PNG.encode(picture))
    }

    private func captureNowOrLater(_ request: ControlRequest) throws -> Answer {
        try checkCapture(request)
        guard let text = request.http.queryItem("after") else { return try capture(request) }
        guard let frame = DecimalText.whole(text, as: UInt64.self) else {
            throw Problem(
                .invalidParameter, "after=\(text) is not the number of a frame; use the frame of an earlier answer")
        }
        var window: Window.ID?
        if let id = request.http.queryItem("window") { window = try self.window(named: id).id }
        guard frameWaits.number(window) <= frame else { return try capture(request) }
        try frameWaits.add(request, after: frame, window: window) { [unowned self] in try capture(request) }
        return .later
    }

    /// - Throws: the mistakes of a request, whether it waits or not.
    private func checkCapture(_ request: ControlRequest) throws {
        _ = try request.flag("cursor")
        let (joined, popups, upright) = (
            try request.flag("joined"), try request.flag("popups"), try request.flag("upright")
        )
        let choices = ["window", "screen"].filter { request.http.queryItem($0) != nil }
        guard choices.count + (joined ? 1 : 0) <= 1 else {
            throw Problem(.invalidParameter, "use window, screen or joined, only one of them")
        }
        guard !popups || choices == ["window"] else {
            throw Problem(.invalidParameter, "popups is not an option of screens; use it with window")
        }
        guard !upright || choices != ["window"] else {
            throw Problem(.invalidParameter, "upright is not an option of a window; use it with screens")
        }
        if let name = request.http.queryItem("screen") { _ = try screen(named: name) }
    }

    /// The complete state of one moment. The query items select the pictures: `screen` only that one's, `upright` as a
    /// person sees it, `joined` a single one of all screens, `window` only that one's, by itself.
    private func capture(_ request: ControlRequest) throws -> Answer {
        if let id = request.http.queryItem("window") { return try capture(window: id, request) }
        let isJoined = try request.flag("joined")
        var screens = server.model.screens
        if let name = request.http.queryItem("screen") {
            screens = [try screen(named: name).id]
        } else if isJoined {
            screens = try allScreens
        }
        let style: PictureLayout.Style = isJoined ? .joined : try request.flag("upright") ? .upright : .native
        return try draw(screens, style, for: request) { [server] layout in
            API.Capture(server, layout)
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

    /// The same with the picture of a window by itself.
    private func capture(window id: String, _ request: ControlRequest) throws -> Answer {
        let window = try window(named: id)
        return try draw(window, for: request) { [server, frameWaits] in
            var state = API.Capture(server, PictureLayout([], .native))
            state.frame = frameWaits.number(window.id)
            return state
        } work: { picture, state in
            var state = state
            state.png = Base64(try PNG.encode(picture))
            return .json(state)
        }
    }
}
