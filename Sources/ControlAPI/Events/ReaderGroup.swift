// Readers of the event stream that receive the same events.

import EventLoop

/// Streams, and what they are to be sent at the end of the turn.
struct ReaderGroup {
    private(set) var streams: [HTTPStream] = []
    /// Encoded but not sent yet: one piece per turn of the loop.
    var pending = ""

    var isEmpty: Bool { streams.isEmpty }

    mutating func add(_ stream: HTTPStream) { streams.append(stream) }
    mutating func remove(_ stream: HTTPStream) { streams.removeAll { $0 === stream } }

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
