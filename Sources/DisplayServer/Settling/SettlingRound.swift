// One ping to one client, and its answer.

import EventLoop
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

    /// How long a client may take to answer a ping that it has read if it may never do so, in microseconds of real time.
    /// Without a visible window: some bind xdg_wm_base, because they may need it, and listen to it only once they have a
    /// surface, such as wl-copy; others are about to show their first window.
    private static let patience: UInt64 = 1_500_000
    /// The same with the manual clock: time must not go on while a program starts on a busy machine. Here a client may
    /// also be waiting for a frame before it does anything else, as OpenGL and Vulkan do when they swap buffers.
    private static let manualPatience: UInt64 = 4_000_000
    /// The pause between two pings to a client that may have idle handlers, and between two checks of the socket of one
    /// that cannot be pinged, in microseconds.
    static let pause: UInt64 = 1000
    /// The pause between two checks of the socket of a client that may still answer.
    private static let longPause: UInt64 = 20_000

    let question: Question
    private let askedAt: UInt64
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
        askedAt = client.server.loop.now
        followsSilence = before.map { $0.isAnswered && $0.written == client.transport.bytesWritten } ?? false
        requests = before?.requests ?? client.requestCount
        hadRequests = before?.hadRequests ?? false
        if let application = client.applicationResources.first {
            question = .application
            application.send(MullionApplicationV1.Event.ping(serial: serial))
        } else if let base = client.wmBases.first, !client.ignoresPings || client.hasVisibleWindow {
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

    /// Checks whether a client whose answer is not awaited has read everything.
    mutating func look(_ client: Client) {
        guard !isAnswered, mayLeaveUnanswered(client), client.transport.isFlushed, client.transport.unreadBytes == 0
        else { return }
        if question == .shell { client.ignoresPings = true }
        answer(client, own: 0)
    }

    /// Whether an empty socket is as good as an answer.
    private func mayLeaveUnanswered(_ client: Client) -> Bool {
        switch question {
        case .application: false
        case .shell: client.server.loop.now >= giveUpAt(client) && client.mayIgnorePings
        case .socket: true
        }
    }

    /// When to check the socket of a client that has not answered, in microseconds of real time; nil if its answer is
    /// awaited.
    func nextLook(_ client: Client) -> UInt64? {
        guard !isAnswered else { return nil }
        let now = client.server.loop.now
        return switch question {
        case .application: nil
        case .shell: client.mayIgnorePings ? max(giveUpAt(client), now + Self.longPause) : nil
        case .socket: now + Self.pause
        }
    }

    private func giveUpAt(_ client: Client) -> UInt64 {
        guard !client.ignoresPings else { return askedAt }
        return askedAt + (client.server.clock.mode == .manual ? Self.manualPatience : Self.patience)
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

    /// What the client has not done yet.
    func unfinished(_ client: Client) -> Unfinished? {
        let isUnread = !client.transport.isFlushed
        // For a client that is busy and pinged repeatedly, a missing answer means nothing.
        if !isUnread, isAnswered || hadRequests { return nil }
        return isUnread || client.transport.unreadBytes > 0
            ? Unfinished(.notReading, client, "does not read its events")
            : Unfinished(.notAnswering, client, "does not answer a ping")
    }
}

extension Client {
    /// Whether it may have reasons to read pings without answering them.
    fileprivate var mayIgnorePings: Bool {
        !hasVisibleWindow || server.clock.mode == .manual && framesAwaited > 0
    }
}
