// What the server keeps for one user.

import System
import Wayland

/// What the connections of one user have together, and the sandboxes that outlive them.
final class UserAccount {
    let uid: UInt32
    /// In order of connection.
    var clients: [Client] = []
    /// In buffers that exist, or are still shown.
    var pixels = 0
    let pools: SharedMemory.Account
    fileprivate(set) var sandboxes = 0
    /// Of connections: their sockets, and what is on its way over them.
    var descriptorsInUse = 0
    /// Closes what they sent.
    let closer: DescriptorCloser

    /// What the server keeps for its clients, in bytes.
    var memory = 0

    init(_ uid: UInt32, pools: SharedMemory.Account, closer: DescriptorCloser) {
        self.uid = uid
        self.closer = closer
        self.pools = SharedMemory.Account(partOf: pools)
    }

    /// Descriptors that the server has open for it.
    var descriptors: Int {
        descriptorsInUse + pools.descriptors + sandboxes * SandboxShare.descriptors + closer.waiting
    }
}

/// The accounts of those who have something here. Whoever charges an account keeps it; it goes with the last of them.
struct UserAccounts {
    private struct Entry {
        weak var account: UserAccount?
        // Who leaves files that cannot be closed is known when he comes again.
        let closer: DescriptorCloser
    }
    private var entries: [UInt32: Entry] = [:]

    /// The user's account; a new one when the user has nothing yet.
    mutating func account(of uid: UInt32, pools: SharedMemory.Account) -> UserAccount {
        if let account = entries[uid]?.account { return account }
        entries = entries.filter { $0.value.account != nil || $0.value.closer.waiting > 0 }
        let account = UserAccount(uid, pools: pools, closer: entries[uid]?.closer ?? DescriptorCloser())
        entries[uid] = Entry(account: account, closer: account.closer)
        return account
    }
}

/// One of the sandboxes that a user may have: from the request that makes it until its engine hangs up.
final class SandboxShare {
    /// The one that listens, and the one that hangs up.
    static let descriptors = 2
    let account: UserAccount

    init(of account: UserAccount) {
        self.account = account
        account.sandboxes += 1
    }

    deinit { account.sandboxes -= 1 }
}
