// One question to one client, and its answer.

import Wayland
import WindowModel

/// What a client was asked, and whether it did anything else meanwhile.
struct SettlingRound {
    /// How one knows that a client has handled its events.
    enum Question {
        /// mullion_application_v1.ping: answered after all that came before it was told and committed.
        case application
        /// xdg_wm_base.ping: answered after the events before it, but idle handlers may come later.
        case shell
        /// Nothing to be asked: whether its socket is empty.
        case socket
    }

    let question: Question
    private let serial: UInt32
    /// All bytes that were sent to the client, the ping included.
    private let written: UInt64
    /// Whether nothing but the ping was sent since the ping before, which was answered.
    private let followsSilence: Bool
    /// The requests of the client up to its last answer.
    private var requests: UInt64
    private(set) var isAnswered = false
    /// Whether there were requests between the last answer and the one before.
    private(set) var hadRequests = false

    /// Asks; the question is queued and not sent yet.
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

    /// A pong came; one that answers an earlier question counts as any other request.
    mutating func didAnswer(_ client: Client, _ serial: UInt32) {
        guard question != .socket, serial == self.serial, !isAnswered else { return }
        answer(client, own: 1)
    }

    /// Looks whether a client that cannot be asked has read everything.
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

    /// Whether the client has handled all that it was sent and had nothing to say to it.
    func isQuiet(_ client: Client) -> Bool {
        isAnswered && followsSilence && !hadRequests && client.requestCount == requests
            && client.transport.bytesWritten == written && client.transport.isFlushed
    }

    /// What the client still owes, in words.
    func openAnswer(_ client: Client) -> String? {
        if !client.transport.isFlushed { return "does not read its events" }
        // Of one that is asked again and again because it does more, an open question says nothing.
        if isAnswered || hadRequests { return nil }
        return client.transport.unreadBytes > 0 ? "does not read its events" : "does not answer a ping"
    }
}
