// The MIME types of a source.

import MullionWayland

/// The MIME types of a source, in order and bounded, because all of them are sent to every client that may paste.
final class OfferedTypes {
    /// Typical sources have at most a few dozen.
    private static let maximumCount = 256
    /// A message of more than 4096 bytes would break a receiver that uses libwayland.
    private static let maximumLength = 4000
    /// All types are sent to every client that gets the keyboard, and must not fill its queue.
    private static let maximumBytes = 16_384
    private(set) var all: [String] = []
    private var bytes = 0
    private var charge: MemoryCharge

    init(of client: Client) { charge = MemoryCharge(to: client.holdings) }

    func contains(_ type: String) -> Bool { all.contains(type) }

    /// - Throws: `no_memory` of `source` when a bound is reached.
    func append(_ type: String, of source: ObjectID) throws(ProtocolError) {
        let length = type.utf8.count
        try Self.check(all.count < Self.maximumCount, "\(Self.maximumCount) types", source)
        try Self.check(length <= Self.maximumLength, "a type has at most \(Self.maximumLength) bytes", source)
        try Self.check(bytes + length <= Self.maximumBytes, "\(Self.maximumBytes) bytes of types", source)
        bytes += length
        charge.bytes += MemoryCost.text(type)
        all.append(type)
    }

    private static func check(_ condition: Bool, _ limit: String, _ source: ObjectID) throws(ProtocolError) {
        guard condition else { throw ProtocolError(.noMemory, object: source, message: "limit reached: \(limit)") }
    }
}
