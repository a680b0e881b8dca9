// POST /v1/convert

import ControlProtocol
import DisplayServer
import EventLoop
import MullionGeometry
import WindowModel

extension ControlServer {
    /// The largest body with points to convert, in bytes: the loop converts them.
    private static let conversionBytes = 64 << 10

    var conversionRoutes: [Route] {
        [
            Route(
                .postConvert, bodyBytes: Self.conversionBytes
            ) { [unowned self] in try convert($0) }
        ]
    }

    /// S4: changes nothing, but is no GET, because what it converts is in the body.
    private func convert(_ request: ControlRequest) throws -> Answer {
        let conversion = try request.body(ConversionRequest.self)
        let (from, to) = (try space(conversion.from), try space(conversion.to))
        var answer = API.Converted()
        switch conversion.subject {
        case .point(let point):
            answer.point = API.Point(try server.model.convert(point, from: from, to: to))
        case .points(let points):
            answer.points = try server.model.convert(points, from: from, to: to).map { API.Point($0) }
        case .rect(let rect): answer.rect = API.Rect(try server.model.convert(rect, from: from, to: to))
        }
        return try reply(to: request, entries: answer.points?.count ?? 1) { [answer] in
            answer
        } encode: {
            .json($0)
        }
    }

    private func space(_ reference: SpaceReference) throws(ModelError) -> CoordinateSpace {
        switch reference {
        case .window(let id): .window(id)
        case .screen(let screen): .screen(try server.screen(screen.text).id)
        case .fixed(let screen): .fixed(try server.screen(screen.text).id)
        case .layout: .layout
        }
    }
}
