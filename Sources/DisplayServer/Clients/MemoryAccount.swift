// What the server keeps for a client, in bytes.

import Wayland

/// Adds up what a client has said and the server keeps: regions, types, titles … What things cost that have one size is
/// told from how many there are.
final class MemoryAccount {
    fileprivate(set) var bytes = 0
}

/// Bytes that an account is charged with as long as this lives. To change them takes no time and no memory.
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

/// What things cost, in bytes; measured, and rounded up.
enum MemoryCost {
    /// Any protocol object.
    static let object = 192
    /// An id that was ever used.
    static let id = 8
    /// Besides its object: its node in the model, what is pending, what is committed.
    static let surface = 768
    /// Besides its objects and its surface.
    static let window = 768
    /// A rectangle of a region that the client builds.
    static let rectangle = 24
    /// A rectangle of a region that a surface has, in the server's terms and in the model's.
    static let keptRectangle = 56
    /// A change that waits for a commit.
    static let change = 64

    /// A string.
    static func text(_ text: String) -> Int { 96 + text.utf8.count }
}

extension Client {
    /// What the server keeps for it, in bytes; a bound rather than a measure.
    var memoryUse: Int {
        let ids = usedIDs
        return objectCount * MemoryCost.object + (ids.client + ids.server) * MemoryCost.id
            + surfaceCount * MemoryCost.surface + holdings.bytes + transport.waitingBytes
    }

    /// Refuses what would take the client beyond what it may have.
    func checkRoom(for bytes: Int) throws(ProtocolError) {
        guard memoryUse + bytes <= transport.limits.clientBytes else { throw tooMuchMemory }
    }

    /// Ends the client when the server keeps too much for it, or its user's largest client when it keeps too much for
    /// them together.
    func checkMemory() {
        countMemory()
        if countedMemory > transport.limits.clientBytes { return post(tooMuchMemory) }
        guard account.memory > transport.limits.userBytes else { return }
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
    /// Makes room for the user's other clients.
    fileprivate func endLargestClient() {
        // One at a time: it takes until the end of this turn.
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
