// What clients may do beyond showing windows of their own, and who may do it.

import Glibc

/// What a peer may do beyond showing windows of its own.
public struct Rights: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// To read what there is: screens, windows, applications, events.
    public static let view = Rights(rawValue: 1)
    /// To see the pixels of screens and of other applications' windows.
    public static let capture = Rights(rawValue: 2)
    /// To act as a person: touches, keys, the pointer.
    public static let inject = Rights(rawValue: 4)
    /// To change screens and other applications' windows.
    public static let administer = Rights(rawValue: 8)

    public static let all: Rights = [.view, .capture, .inject, .administer]
}

/// Who has which rights. A peer's are decided once, when its connection is accepted, from the credentials that the
/// kernel names; a later policy counts for later connections.
public struct RightsPolicy: Hashable, Sendable {
    /// What every peer has that the kernel names.
    public var everyone: Rights
    /// By user id.
    public var users: [UInt32: Rights]
    /// By group id; the peer's effective group counts.
    public var groups: [UInt32: Rights]

    /// Default: the server's own user and root have all rights, everybody else has none.
    public init(
        everyone: Rights = [], users: [UInt32: Rights] = RightsPolicy.ownUserAndRoot, groups: [UInt32: Rights] = [:]
    ) {
        self.everyone = everyone
        self.users = users
        self.groups = groups
    }

    /// Whoever can end the server, or read its memory, may as well use it.
    public static var ownUserAndRoot: [UInt32: Rights] {
        var users: [UInt32: Rights] = [0: .all]
        users[geteuid()] = .all
        return users
    }

    /// All that the peer is granted in any way; none for one that the kernel does not name.
    func rights(of peer: Credentials) -> Rights {
        guard peer.isKnown else { return [] }
        return everyone.union(users[peer.uid] ?? []).union(groups[peer.gid] ?? [])
    }

    /// Who has a right, for messages: "user 0, user 1000, group 27".
    func holders(of right: Rights) -> String {
        if everyone.contains(right) { return "every user" }
        let users = users.filter { $0.value.contains(right) }.keys.sorted().map { "user \($0)" }
        let groups = groups.filter { $0.value.contains(right) }.keys.sorted().map { "group \($0)" }
        return users.isEmpty && groups.isEmpty ? "nobody" : (users + groups).joined(separator: ", ")
    }
}
