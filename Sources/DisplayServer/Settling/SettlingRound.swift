// One ping to one client, and its answer.

import MullionWayland
import WindowModel

/// A ping to a client, and whether it did anything else meanwhile.
struct SettlingRound {
    /// How to find out whether a client has handled its events.
    enum Question {
        /// mullion_application_v1.ping: answered after earlier events were handled and the results committed.
        case application
        /// xdg_wm_base.ping: answered after earlier events, but idle handlers may run later.
        case shell
        /// The client cannot be pinged: check whether its socket is empty.
        case socket
    }

    let question: Question
    private let serial: UInt32
    /// Bytes sent to the client so far, including the ping.
    private let written: UInt64
    /// Whether nothing but the ping was sent since the previous ping, which was answered.
    private let followsSilence: Bool
    /// The client's request count at its last answer.
    private var requests: UInt64
    private(set) var isAnswered = false
    /// Whether there were requests between the last two answers.
    private(set) var hadRequests = false

    /// Pings the client; the ping is queued but not sent yet.
    init(_ client: Client, serial: UInt32, after before: SettlingRound?) {
        self.serial = serial
        followsSilence = before.map { $0.isAnswered && $0.written == client.transport.bytesWritten } ?? false
        requests = before?.requests ?? client.requestCount
        hadRequests = before?.hadRequests ?? false
        if let application = client.applicationResources.first {
            question = .application
            application.send(MullionApplicationV1.Event.ping(serial: serial))
        } else if let base = client.wmBases.first {
            question = .shell
            base.send(XdgWmBase.Event.ping(serial: serial))
        } else {
            question = .socket
        }
        written = client.transport.bytesWritten
    }

    /// Handles a pong; one that answers an earlier ping counts as any other request.
    mutating func didAnswer(_ client: Client, _ serial: UInt32) {
        guard question != .socket, serial == self.serial, !isAnswered else { return }
        answer(client, own: 1)
    }

    /// Checks whether a client that cannot be pinged has read everything.
    mutating func look(_ client: Client) {
        guard question == .socket, !isAnswered, client.transport.isFlushed, client.transport.unreadBytes == 0
        else { return }
        answer(client, own: 0)
    }

    private mutating func answer(_ client: Client, own: UInt64) {
        isAnswered = true
        hadRequests = client.requestCount != requests &+ own
        requests = client.requestCount
    }

    /// Whether the client has handled everything it was sent and had nothing to send.
    func isQuiet(_ client: Client) -> Bool {
        isAnswered && followsSilence && !hadRequests && client.requestCount == requests
            && client.transport.bytesWritten == written && client.transport.isFlushed
    }

    /// A description of what the client has not done yet.
    func openAnswer(_ client: Client) -> String? {
        if !client.transport.isFlushed { return "does not read its events" }
        // For a client that is busy and pinged repeatedly, a missing answer means nothing.
        if isAnswered || hadRequests { return nil }
        return client.transport.unreadBytes > 0 ? "does not read its events" : "does not answer a ping"
    }
}
