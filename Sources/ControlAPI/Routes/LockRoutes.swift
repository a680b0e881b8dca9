// DELETE /v1/lock

import DisplayServer
import EventLoop
import WindowModel

extension ControlServer {
    var lockRoutes: [Route] {
        [
            Route(.deleteLock) { [unowned self] _ in
                guard server.sessionLock.unlock() else { throw Problem(.notAllowed, notLocked, rule: .l3) }
                return .reply(HTTPResponse(status: 204))
            }
        ]
    }

    private var notLocked: String {
        guard let holder = server.model.inputHolder else { return "the server is not locked" }
        return "the server is not locked, but input is reserved for application \(holder) until it ends"
    }
}

extension Problem {
    /// L1: only its program changes a window of a lock.
    static func lockWindow(_ id: Window.ID) -> Problem {
        Problem(.notAllowed, "window \(id) belongs to the lock; unlock the server to remove it", rule: .l1)
    }
}
