// The memory that the server uses for a client, in bytes.

import MullionWayland

/// Adds up the variable-size data stored for a client: regions, types, titles … The cost of fixed-size objects is
/// computed from their number.
final class MemoryAccount {
    fileprivate(set) var bytes = 0
}

/// Bytes charged to an account as long as this value exists. Changing it costs no time or memory.
struct MemoryCharge: ~Copyable {
    private let account: MemoryAccount
    var bytes: Int { didSet { account.bytes += bytes - oldValue } }

    init(to account: MemoryAccount, bytes: Int = 0) {
        self.account = account
        self.bytes = bytes
        account.bytes += bytes
    }

    deinit { account.bytes -= bytes }
}

/// The costs of objects, in bytes; measured, and rounded up.
enum MemoryCost {
    /// Any protocol object.
    static let object = 192
    /// An id that was ever used.
    static let id = 8
    /// In addition to its object: its node in the model, pending and current state.
    static let surface = 768
    /// In addition to its objects and its surface.
    static let window = 768
    /// A rectangle of a region that the client builds.
    static let rectangle = 24
    /// A rectangle of a surface's region, in the server's types and in the model's.
    static let keptRectangle = 56
    /// A commit that waits, in addition to what it changes.
    static let commit = 768
    /// A pending change.
    static let change = 64

    /// A string.
    static func text(_ text: String) -> Int { 96 + text.utf8.count }
}

extension Client {
    /// The memory used for it, in bytes; an upper bound rather than a measurement.
    var memoryUse: Int {
        let ids = usedIDs
        return objectCount * MemoryCost.object + (ids.client + ids.server) * MemoryCost.id
            + surfaceCount * MemoryCost.surface + holdings.bytes + transport.waitingBytes
    }

    /// Checks that the client may use this much more memory.
    func checkRoom(for bytes: Int) throws(ProtocolError) {
        guard memoryUse + bytes <= transport.limits.clientBytes else { throw tooMuchMemory }
    }

    /// Disconnects the client when it uses too much memory, or its user's largest client when all of these together do.
    func checkMemory() {
        countMemory()
        if countedMemory > transport.limits.clientBytes { return post(tooMuchMemory) }
        guard account.memoryUse > transport.limits.userBytes else { return }
        account.endLargestClient()
    }

    private var tooMuchMemory: ProtocolError {
        ProtocolError(
            .noMemory,
            message: "limit reached: the server keeps at most \(transport.limits.clientBytes) bytes for a client "
                + "(policy.limits.clientBytes)")
    }
}

extension UserAccount {
    /// Disconnects the user's largest client to make room for the others.
    fileprivate func endLargestClient() {
        // One at a time: its memory is freed at the end of this turn.
        guard !clients.contains(where: { $0.failure != nil }) else { return }
        guard let largest = clients.max(by: { $0.countedMemory < $1.countedMemory }) else { return }
        let limit = largest.transport.limits.userBytes
        largest.post(
            ProtocolError(
                .noMemory,
                message: "limit reached: the server keeps at most \(limit) bytes for all clients of a user "
                    + "(policy.limits.userBytes), and this is the largest"))
        largest.queueFlush()
    }
}
