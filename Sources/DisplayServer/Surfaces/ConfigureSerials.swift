// The configure events of a surface that its client has yet to handle.

import MullionWayland

/// Which configure events were sent, acknowledged, and followed by a commit.
struct ConfigureSerials: Codable {
    /// The most that are remembered, for clients that never acknowledge.
    private static let maximum = 64

    /// Sent but not acknowledged, in order.
    private(set) var sent: [UInt32] = []
    /// The last serial dropped from `sent`: a slow client may still acknowledge it, or an earlier one.
    private var forgotten: UInt32?
    /// The last one acknowledged; nil before the first, and again after unmapping.
    var acknowledged: UInt32?
    /// Acknowledged but not yet followed by a commit.
    private var uncommitted: UInt32?

    /// The approximate size of the state in bytes, as in `ObjectState`.
    var variableSize: Int { sent.count * 6 }

    init() {}

    /// Restores those of another server.
    init(_ saved: ConfigureSerials) {
        self = saved
        sent = saved.sent.suffix(Self.maximum)
    }

    mutating func didSend(_ serial: UInt32) {
        sent.append(serial)
        if sent.count > Self.maximum { forgotten = sent.removeFirst() }
    }

    /// - Returns: whether the serial is that of a configure event that can be acknowledged.
    mutating func acknowledge(_ serial: UInt32) -> Bool {
        if let index = sent.firstIndex(of: serial) {
            sent = index + 1 == sent.count ? [] : Array(sent[(index + 1)...])
        } else {
            guard let forgotten, serial <= forgotten, serial > acknowledged ?? 0 else { return false }
        }
        acknowledged = serial
        uncommitted = serial
        return true
    }

    mutating func didCommit() { uncommitted = nil }

    /// Called when the surface was unmapped: its next configure must be acknowledged before it shows content again.
    mutating func didUnmap() { acknowledged = nil }

    /// Called when what was configured is gone. A serial that was dropped can come late even then.
    mutating func reset() {
        sent = []
        acknowledged = nil
        uncommitted = nil
    }

    /// What the client has not done yet with the last configure; nil if nothing is left to do.
    /// - Parameters:
    ///   - place: what was configured, for the description.
    ///   - surface: the surface that is to be committed.
    func description(of place: String, _ surface: SurfaceResource?) -> String? {
        if let serial = sent.last { return "has not acknowledged configure \(serial) of \(place)" }
        // A client that waits for a frame callback draws and commits when it arrives.
        guard surface?.frameCallbacks.isEmpty != false else { return nil }
        return uncommitted.map { "has not committed after acknowledging configure \($0) of \(place)" }
    }
}
