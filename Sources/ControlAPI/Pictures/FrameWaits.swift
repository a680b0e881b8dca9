// Requests that wait for the next picture.

import DisplayServer
import EventLoop
import MullionSystem
import WindowModel

/// Answers requests when a screen may have changed. Costs nothing without them.
final class FrameWaits {
    struct Wait {
        let request: HTTPRequest
        /// Nil for a holder of the token.
        let user: UInt32?
        let frame: UInt64
        /// The only one of interest; nil: what screens show.
        let window: Window.ID?
        let answer: () throws -> Answer
    }

    private unowned let server: DisplayServer
    /// The requests that wait at a time.
    private let limit: SharedLimit
    private(set) var waits: [Wait] = []

    init(_ server: DisplayServer, _ limit: SharedLimit) { (self.server, self.limit) = (server, limit) }

    /// The number of the present pictures.
    /// - Parameter window: of this one by itself; nil: of screens.
    func number(_ window: Window.ID?) -> UInt64 {
        window == nil ? server.frameNumber : server.windowFrameNumber
    }

    /// Whether a wait has not seen the present pictures.
    func isDue(_ wait: Wait) -> Bool {
        if let window = wait.window, server.model.window(window) == nil { return true }
        return number(wait.window) > wait.frame
    }

    /// Calls `answer` once the frame's number is greater, or the window is gone.
    /// - Throws: 503 when too many wait.
    func add(
        _ request: ControlRequest, after frame: UInt64, window: Window.ID?, _ answer: @escaping () throws -> Answer
    ) throws(Problem) {
        let (user, request) = (request.user, request.http)
        let own = waits.count { $0.user == user }
        try limit.check("requests that wait for a picture", for: user, own: own, all: waits.count, "close one")
        waits.append(Wait(request: request, user: user, frame: frame, window: window, answer: answer))
        request.onClose = { [weak self, unowned request] in self?.waits.removeAll { $0.request === request } }
    }

    /// Called when the frame's number may have changed.
    func serverDidFlush() {
        guard !waits.isEmpty else { return }
        let due = waits.filter(isDue)
        guard !due.isEmpty else { return }
        waits.removeAll(where: isDue)
        for wait in due {
            wait.request.onClose = nil
            do {
                if case .reply(let response) = try wait.answer() { wait.request.reply(response) }
            } catch {
                wait.request.reply(Problem(error).response)
            }
        }
    }

    /// Answers all of them.
    func end() {
        let all = waits
        waits = []
        for wait in all { wait.request.reply(Problem(.shuttingDown, "the server is shutting down").response) }
    }
}
