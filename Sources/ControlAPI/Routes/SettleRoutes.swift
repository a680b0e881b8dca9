// POST /v1/settle

import ControlProtocol
import DisplayServer
import EventLoop

extension ControlServer {
    var settleRoutes: [Route] {
        [
            Route(.postSettle) { [unowned self] request in
                let seconds = try request.number("timeout", in: 0...600, default: 5)
                if !request.http.body.isEmpty { _ = try request.body(EmptyPayload.self) }
                settle(within: UInt64(seconds * 1_000_000), for: request.http)
                return .later
            }
        ]
    }

    private func settle(within microseconds: UInt64, for request: HTTPRequest) {
        let waiting = server.settler.settle(within: microseconds) { outcome in
            switch outcome {
            case .settled: request.reply(.json(API.Settled(settled: true)))
            case .unsettled(let unfinished):
                request.reply(Problem(.unsettled, "not settled in time", unfinished, .all).response)
            }
        }
        request.onClose = { [weak waiting] in waiting?.cancel() }
    }
}

/// A body without fields.
struct EmptyPayload: Decodable, StrictlyDecodable {
    enum Keys: CodingKey, CaseIterable {}
}
