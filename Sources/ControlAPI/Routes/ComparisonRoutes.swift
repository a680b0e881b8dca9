// POST /v1/screens/{screen}/compare, POST /v1/compare, POST /v1/windows/{id}/compare

import Compositor
import ControlProtocol
import DisplayServer
import EventLoop
import JSON5
import WindowModel

extension ControlServer {
    var comparisonRoutes: [Route] {
        [
            Route(
                .postScreensScreenCompare, bodyBytes: Self.bodyBytes
            ) { [unowned self] request in
                let style = try request.flag("upright") ? PictureLayout.Style.upright : .native
                return try compare([try screen(request).id], style, request)
            },
            Route(
                .postCompare,
                bodyBytes: Self.bodyBytes
            ) { [unowned self] request in try compare(try allScreens, .joined, request) },
            Route(
                .postWindowsIdCompare, bodyBytes: Self.bodyBytes
            ) { [unowned self] request in try compare(try window(request), request) },
        ]
    }

    /// Compares a picture of screens with the PNG in the body.
    private func compare(
        _ screens: [Screen.ID], _ style: PictureLayout.Style, _ request: ControlRequest
    ) throws(Problem) -> Answer {
        let (golden, terms) = (try golden(of: request), try ComparisonTerms(request))
        let wishes = try PictureWishes(request)
        return try draw(screens, style, for: request) { [server] layout in
            let resolved = Result { () throws(Problem) in try terms.resolved(in: server, layout) }
            return (number: server.frameNumber, terms: resolved)
        } work: { pictures, state in
            try Self.answer(try Picture.joined(pictures), golden, try state.terms.get(), wishes, state.number)
        }
    }

    /// Compares the picture of a window by itself with the PNG in the body, alpha included.
    private func compare(_ window: Window, _ request: ControlRequest) throws(Problem) -> Answer {
        let (golden, terms) = (try golden(of: request), try ComparisonTerms(request).resolvedAlone())
        let wishes = try PictureWishes(request)
        return try draw(window, for: request) { [server] in
            server.frameNumber
        } work: { picture, number in
            try Self.answer(picture, golden, terms, wishes, number)
        }
    }

    private func golden(of request: ControlRequest) throws(Problem) -> [UInt8] {
        let type = request.http.headers["Content-Type"] ?? "image/png"
        guard type == "image/png" else {
            throw Problem(
                .unsupportedMediaType, "\(type) is not a picture; use a PNG with Content-Type image/png or none")
        }
        guard !request.http.body.isEmpty else { throw Problem(.emptyBody, "the request needs a PNG as its body") }
        return request.http.body
    }

    /// The pictures that an answer contains when the compared ones differ.
    private struct PictureWishes {
        let differences: Bool
        let sideBySide: Bool

        init(_ request: ControlRequest) throws(Problem) {
            differences = try request.flag("diff")
            sideBySide = try request.flag("sideBySide")
        }
    }

    /// Runs on the worker.
    private static nonisolated func answer(
        _ picture: Bitmap, _ golden: [UInt8], _ terms: ResolvedTerms, _ wishes: PictureWishes, _ frame: UInt64
    ) throws -> HTTPResponse {
        let expected: Bitmap
        do {
            expected = try PNG.decode(golden, straightAlpha: picture.hasAlpha)
        } catch let error as PNGError {
            throw Problem(.malformed, "the picture is not a PNG: \(error)")
        }
        let seen = try terms.crop.apply(to: picture).straight
        var answer = API.Comparison(
            seen.compare(to: expected, terms.options), seen: seen, expected: expected, frame: frame)
        if !answer.equal {
            if wishes.differences {
                answer.diff = try seen.differences(from: expected, terms.options).map { Base64(try PNG.encode($0)) }
            }
            if wishes.sideBySide {
                let picture = seen.sideBySide(with: expected, terms.options)
                answer.sideBySide = try picture.map { Base64(try PNG.encode($0)) }
            }
        }
        return .json(answer)
    }
}
