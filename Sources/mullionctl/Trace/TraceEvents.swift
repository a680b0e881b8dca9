// The events of a trace.

import Glibc
import JSON5
import MullionSystem

/// The first and the latest events of a run, as text that is read at the end.
struct TraceEvents {
    /// How many of each are kept.
    private static let (most, mostFirst) = (6000, 1000)
    /// The largest event, in bytes.
    private static let longest = 16 << 10
    /// What happens all the time, and is seen in the pictures.
    private static let ignored = ["needsDisplay", "pointerFocus"]
    /// In this process's own requests.
    private static let own = "\"pid\":\(getpid()),"

    struct Event {
        /// When it arrived, in seconds since the beginning.
        var time: Double
        var name: String
        /// JSON.
        var data: String
    }

    private var first: [Event] = []
    private var latest: [Event] = []
    /// Where the ring of the latest begins.
    private var begin = 0
    private(set) var omitted = 0

    mutating func add(_ name: String, _ data: String, at time: Double) {
        guard !Self.ignored.contains(name), data.utf8.count <= Self.longest else { return }
        if name == "request", data.has(text: Self.own) { return }
        let event = Event(time: time, name: name, data: data)
        if first.count < Self.mostFirst {
            first.append(event)
        } else if latest.count < Self.most - Self.mostFirst {
            latest.append(event)
        } else {
            latest[begin] = event
            begin = (begin + 1) % latest.count
            omitted += 1
        }
    }

    /// In order.
    var all: [Event] { first + latest[begin...] + latest[..<begin] }
}

extension Double {
    /// Seconds, to the microsecond.
    var toMicroseconds: Double { (self * 1e6).rounded() / 1e6 }
}
