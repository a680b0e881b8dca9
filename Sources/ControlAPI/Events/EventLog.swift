// Recent events, for connected and for returning readers.

import ControlProtocol
import DisplayServer
import WindowModel

/// A bounded buffer of effects, input and bells, encoded as JSON only when read.
struct EventLog {
    struct Entry {
        /// Counts up from 1.
        var number: UInt64
        /// In microseconds of the server's clock.
        var time: UInt64
        var content: Content

        var effect: Effect? {
            if case .effect(let effect, _) = content { effect } else { nil }
        }
    }

    enum Content {
        case effect(Effect, EventNames.Subject)
        /// A step of input, recorded before its effects.
        indirect case input(API.InputEvent)
        indirect case bell(API.Effect)
    }

    let capacity: Int
    private var ring: [Entry] = []
    private(set) var last: UInt64 = 0

    init(capacity: Int) { self.capacity = capacity }

    mutating func append(_ content: Content, time: UInt64) -> Entry {
        last += 1
        let entry = Entry(number: last, time: time, content: content)
        if ring.count < capacity {
            ring.append(entry)
        } else {
            ring[Int((last - 1) % UInt64(capacity))] = entry
        }
        return entry
    }

    /// The entries recorded after `number`, and the number of earlier ones that were already dropped.
    func entries(after number: UInt64) -> (missed: UInt64, entries: [Entry]) {
        let first = last - UInt64(ring.count) + 1
        let missed = number + 1 < first ? first - number - 1 : 0
        let start = max(number + 1, first)
        guard start <= last else { return (missed, []) }
        return (missed, (start...last).map { ring[Int(($0 - 1) % UInt64(capacity))] })
    }
}
