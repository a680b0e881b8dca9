// What a protocol object's copies have shown so far.

import Compositor

/// The state shared by an object that creates copies and these copies: what they last showed of each view. Lives as long
/// as one of them.
final class CaptureHistory {
    /// How many idle sessions are kept.
    private static let mostKept = 8

    private var sessions: [CaptureSession] = []
    private var users = 0

    func join(_ client: Client) {
        if users == 0 { client.captureHistories += 1 }
        users += 1
    }

    func leave(_ client: Client) {
        users -= 1
        guard users == 0 else { return }
        client.captureHistories -= 1
        client.server.captures.endSessions(sessions)
    }

    func session(of view: CaptureView, area: IntRect, for client: Client) -> CaptureSession {
        if let known = sessions.first(where: { $0.view == view && $0.area == area && !$0.hasEnded }) { return known }
        let new = CaptureSession(of: view, area: area, owner: client)
        sessions.append(new)
        if sessions.count > Self.mostKept, let old = sessions.firstIndex(where: { $0 !== new && !$0.isWaiting }) {
            client.server.captures.endSessions([sessions.remove(at: old)])
        }
        return new
    }
}
