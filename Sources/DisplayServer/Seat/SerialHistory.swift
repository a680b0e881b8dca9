// The serials that a seat has issued.

/// The latest serials of one seat's events; all seats share one counter.
struct SerialHistory {
    private static let capacity = 256

    /// Runs of consecutive serials; at the limit, the oldest is dropped.
    private var runs: [(first: UInt32, last: UInt32)] = []
    private var newest = 0

    mutating func append(_ serial: UInt32) {
        // A run does not wrap around.
        if !runs.isEmpty, serial != 0, serial == runs[newest].last &+ 1 {
            runs[newest].last = serial
        } else if runs.count < Self.capacity {
            newest = runs.count
            runs.append((serial, serial))
        } else {
            newest = (newest + 1) % Self.capacity
            runs[newest] = (serial, serial)
        }
    }

    /// The first and last serial of each run, from the oldest to the newest, for another server to continue with.
    var all: [UInt32] {
        let order = runs.isEmpty ? [] : runs[(newest + 1)...] + runs[...newest]
        return order.flatMap { [$0.first, $0.last] }
    }

    /// Continues with those of another server.
    mutating func restore(_ all: [UInt32]) {
        let firsts = stride(from: 0, to: all.count - all.count % 2, by: 2).suffix(Self.capacity)
        runs = firsts.map { (all[$0], all[$0 + 1]) }
        newest = max(0, runs.count - 1)
    }

    func contains(_ serial: UInt32) -> Bool { runs.contains { $0.first <= serial && serial <= $0.last } }
}
