// Readers of the event stream that receive the same events.

import EventLoop

/// Streams, and what they are to be sent at the end of the turn.
struct ReaderGroup {
    /// What the readers may learn about API requests and injected input; nil if they did not ask for those.
    let requests: Disclosure?
    /// With the user of each; nil for a holder of the token.
    private var readers: [(stream: HTTPStream, user: UInt32?)] = []
    /// Encoded but not sent yet: one piece per turn of the loop.
    var pending = ""

    init(requests: Disclosure?) { self.requests = requests }

    var isEmpty: Bool { readers.isEmpty }
    var count: Int { readers.count }

    func count(of user: UInt32?) -> Int { readers.count { $0.user == user } }

    mutating func add(_ stream: HTTPStream, of user: UInt32?) { readers.append((stream, user)) }

    mutating func remove(_ stream: HTTPStream) { readers.removeAll { $0.stream === stream } }

    /// Sends the collected events to the streams that keep up.
    /// - Returns: those that do not.
    mutating func flush(backlog: Int) -> [HTTPStream] {
        guard !pending.isEmpty else { return [] }
        let bytes = Array(pending.utf8)
        pending = ""
        var slow: [HTTPStream] = []
        for (stream, _) in readers {
            if stream.queuedBytes == 0 || stream.queuedBytes + bytes.count <= backlog {
                stream.write(bytes)
            } else {
                slow.append(stream)
            }
        }
        return slow
    }
}
