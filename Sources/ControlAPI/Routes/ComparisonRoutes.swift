// POST /v1/screens/{screen}/compare, POST /v1/compare

import Compositor
import DisplayServer
import EventLoop
import WindowModel

extension ControlServer {
    var comparisonRoutes: [Route] {
        [
            Route(
                .post, "/v1/screens/{screen}/compare", rights: .capture,
                query: ["tolerance", "diff", "upright", "cursor"], bodyBytes: Self.bodyBytes
            ) { [unowned self] request in
                let style = try request.flag("upright") ? PictureLayout.Style.upright : .native
                return try compare([try screen(request).id], style, request)
            },
            Route(
                .post, "/v1/compare", rights: .capture, query: ["tolerance", "diff", "cursor"],
                bodyBytes: Self.bodyBytes
            ) { [unowned self] request in try compare(try allScreens, .joined, request) },
        ]
    }

    /// Compares a screenshot with the PNG in the body.
    private func compare(
        _ screens: [Screen.ID], _ style: PictureLayout.Style, _ request: ControlRequest
    ) throws(Problem) -> Answer {
        let golden = request.http.body
        let type = request.http.headers["Content-Type"] ?? "image/png"
        guard type == "image/png" else {
            throw Problem(415, "\(type) is not a picture; use a PNG with Content-Type image/png or none")
        }
        guard !golden.isEmpty else { throw Problem(400, "the request needs a PNG as its body") }
        let tolerance = UInt8(clamping: try request.wholeNumber("tolerance", in: 0...255, default: 0))
        let wantsDifferences = try request.flag("diff")
        return try draw(screens, style, for: request, state: { [server] _ in server.frameNumber }) { pictures, number in
            let expected: Bitmap
            do {
                expected = try PNG.decode(golden)
            } catch {
                throw Problem(400, "the body is not a PNG: \(error)")
            }
            let seen = try Picture.joined(pictures)
            var answer = ComparisonPayload(
                seen.compare(to: expected, tolerance: tolerance), seen: seen, expected: expected, frame: number)
            if wantsDifferences, !answer.equal {
                let picture = seen.differences(from: expected, tolerance: tolerance)
                answer.diff = try picture.map { Base64(try PNG.encode($0)) }
            }
            return .json(answer)
        }
    }
}
