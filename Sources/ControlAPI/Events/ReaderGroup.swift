// Readers of the event stream that receive the same events.

import EventLoop

/// Streams, and what they are to be sent at the end of the turn.
struct ReaderGroup {
    private(set) var streams: [HTTPStream] = []
    /// The user of each stream; nil for a holder of the token.
    private var users: [UInt32?] = []
    /// Encoded but not sent yet: one piece per turn of the loop.
    var pending = ""

    var isEmpty: Bool { streams.isEmpty }

    func count(of user: UInt32?) -> Int { users.count { $0 == user } }

    mutating func add(_ stream: HTTPStream, of user: UInt32?) {
        streams.append(stream)
        users.append(user)
    }

    mutating func remove(_ stream: HTTPStream) {
        guard let index = streams.firstIndex(where: { $0 === stream }) else { return }
        streams.remove(at: index)
        users.remove(at: index)
    }

    /// Sends the collected events to the streams that keep up.
    /// - Returns: those that do not.
    mutating func flush(backlog: Int) -> [HTTPStream] {
        guard !pending.isEmpty else { return [] }
        let bytes = Array(pending.utf8)
        pending = ""
        var slow: [HTTPStream] = []
        for stream in streams {
            if stream.queuedBytes == 0 || stream.queuedBytes + bytes.count <= backlog {
                stream.write(bytes)
            } else {
                slow.append(stream)
            }
        }
        return slow
    }
}
