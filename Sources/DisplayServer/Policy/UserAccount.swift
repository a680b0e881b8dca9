// The server's resources used by one user.

import MullionSystem
import MullionWayland

/// The totals of a user's connections, and of the sandboxes that outlive them.
final class UserAccount {
    let uid: UInt32
    /// In order of connection.
    var clients: [Client] = []
    /// In buffers that exist or are still shown.
    var pixels = 0
    let pools: SharedMemory.Account
    fileprivate(set) var sandboxes = 0
    /// The connections' sockets and descriptors in transit.
    var descriptorsInUse = 0
    /// Closes descriptors received from the user's clients.
    let closer: DescriptorCloser

    /// The server's memory for the user's clients, in bytes.
    var memoryUse = 0

    init(_ uid: UInt32, pools: SharedMemory.Account, closer: DescriptorCloser) {
        self.uid = uid
        self.closer = closer
        self.pools = SharedMemory.Account(partOf: pools)
    }

    /// All descriptors that the server has open for the user.
    var descriptors: Int { descriptorsInUse + pools.descriptors + otherDescriptors }

    /// Those that no client has: of sandboxes, and those that are not closed yet.
    var otherDescriptors: Int { sandboxes * SandboxShare.descriptors + closer.waiting }
}

/// The accounts of the users with resources here. Each is retained by what is charged to it.
struct UserAccounts {
    private struct Entry {
        weak var account: UserAccount?
        // A user who leaves files that cannot be closed is recognized on the next connection.
        let closer: DescriptorCloser
    }
    private var entries: [UInt32: Entry] = [:]

    /// All descriptors that the server has open for users.
    var descriptors: Int { entries.values.reduce(0) { $0 + ($1.account?.descriptors ?? $1.closer.waiting) } }

    subscript(uid: UInt32) -> UserAccount? { entries[uid]?.account }

    /// The user's account, created if necessary.
    mutating func account(of uid: UInt32, pools: SharedMemory.Account) -> UserAccount {
        if let account = entries[uid]?.account { return account }
        entries = entries.filter { $0.value.account != nil || $0.value.closer.waiting > 0 }
        let account = UserAccount(uid, pools: pools, closer: entries[uid]?.closer ?? DescriptorCloser())
        entries[uid] = Entry(account: account, closer: account.closer)
        return account
    }
}

/// One of a user's sandboxes, from the request that creates it until its engine hangs up.
final class SandboxShare {
    /// The listening descriptor, and the one for the hang-up.
    static let descriptors = 2
    let account: UserAccount

    init(of account: UserAccount) {
        self.account = account
        account.sandboxes += 1
    }

    deinit { account.sandboxes -= 1 }
}
