// GET /v1/wait, GET /v1/waits

import ControlProtocol
import DisplayServer
import EventLoop

extension ControlServer {
    var waitRoutes: [Route] {
        [
            Route(.getWait) { [unowned self] request in
                let (conditions, patience) = try Condition.read(request.http.query)
                try checkRights(to: conditions, request)
                try wait(for: conditions, within: patience, request)
                return .later
            },
            Route(.getWaits) { [unowned self] request in
                .reply(.json(API.OpenWaitList(waits: waits.list(for: request.disclosure))))
            },
        ]
    }

    /// - Throws: 403 for conditions of pixels without the right to capture.
    private func checkRights(to conditions: [Condition], _ request: ControlRequest) throws(Problem) {
        guard let first = conditions.first(where: \.needsPictures) else { return }
        try request.require(.capture, to: "waiting for \(first.kind.rawValue)")
    }

    private func wait(
        for conditions: [Condition], within patience: UInt64, _ request: ControlRequest
    ) throws(Problem) {
        let user = request.user
        try waits.checkCount(of: user)
        let http = request.http
        let began = server.loop.now
        let wait = ConditionWait(conditions, in: waits, patience: patience, user: user) { [server] outcome in
            http.onClose = nil
            switch outcome {
            case .fulfilled(let answer): http.reply(.json(answer))
            case .unfulfilled(let unmet):
                http.reply(Problem(unmet, waited: server.loop.now - began).response)
            case .exiting: http.reply(Problem(.shuttingDown, "the server is shutting down").response)
            }
        }
        http.onClose = { [weak wait] in wait?.cancel() }
    }
}

extension Problem {
    /// A wait whose time is up, after this many microseconds.
    fileprivate init(_ unmet: [API.Unmet], waited: UInt64) {
        let reasons = unmet.map { "\($0.condition): \($0.reason)" }.joined(separator: "; ")
        self.init(.timedOut, "not fulfilled within \(DurationText.text(waited / 1000 * 1000)): \(reasons)")
        self.waited = Double(waited) / 1000
        self.unmet = unmet
    }
}
