// Who may connect, and what they may do: rules, the first that matches and speaks of a thing decides it.

import Glibc

/// Rules in order. What none of them speaks of is as in `Permissions()`: to connect and to show windows is allowed, no
/// right is given.
///
/// A peer's permissions are decided once, from the credentials that the kernel names, before a byte of it is read; a
/// later policy counts for later connections.
public struct PeerPolicy: Hashable, Sendable {
    public var rules: [PeerRule]

    public init(rules: [PeerRule]) { self.rules = rules }

    /// The server's own user and root have all rights, everybody else has none: whoever can end the server, or read its
    /// memory, may as well use it.
    public static var standard: PeerPolicy { PeerPolicy(rules: [PeerRule(users: [0, geteuid()], rights: .all)]) }

    /// What a peer may do.
    package func permissions(of peer: Credentials) -> Permissions {
        var result = Permissions()
        // One that the kernel does not name has no rights; nothing matches it but rules for everybody.
        let matching = rules.filter { $0.matches(peer) }
        func first<T>(_ value: (PeerRule) -> T?) -> T? { matching.lazy.compactMap(value).first }
        result.mayConnect = first(\.mayConnect) ?? result.mayConnect
        result.highestLevel = first(\.highestLevel) ?? result.highestLevel
        result.xdg = first(\.xdg) ?? result.xdg
        result.connections = first(\.connections) ?? result.connections
        result.windows = first(\.windows) ?? result.windows
        result.screens = first(\.screens) ?? result.screens
        result.pixels = first(\.pixels) ?? result.pixels
        guard peer.isKnown else { return result }
        // A sandbox takes away what its user has: only rules that speak of sandboxes give something there.
        let giving = matching.filter { peer.sandbox == nil || $0.isSandboxed == true }
        result.rights = giving.lazy.compactMap(\.rights).first ?? result.rights
        result.isSystemApplication = giving.lazy.compactMap(\.isSystemApplication).first ?? result.isSystemApplication
        return result
    }

    /// Who has a right, for messages: "user 0, group 27".
    package func holders(of right: Rights) -> String {
        let holders = rules.filter { $0.rights?.contains(right) == true && $0.isSandboxed != true }.map(\.whom)
        return holders.isEmpty ? "nobody" : holders.joined(separator: ", ")
    }
}

/// One rule: whom it is for, and what it says of them. Nil: it does not speak of it.
public struct PeerRule: Hashable, Sendable {
    /// User ids; nil: any.
    public var users: Set<UInt32>?
    /// Group ids, of which a peer has one as effective or supplementary group; nil: any.
    public var groups: Set<UInt32>?
    /// Whether it is for programs in a sandbox (wp_security_context_v1), or for all others; nil: both.
    public var isSandboxed: Bool?

    public var mayConnect: Bool?
    public var rights: Rights?
    public var isSystemApplication: Bool?
    public var highestLevel: Double?
    public var xdg: XdgPermissions?
    public var connections: Int?
    public var windows: Int?
    public var screens: Int?
    public var pixels: Int?

    public init(
        users: Set<UInt32>? = nil, groups: Set<UInt32>? = nil, isSandboxed: Bool? = nil, rights: Rights? = nil
    ) {
        self.users = users
        self.groups = groups
        self.isSandboxed = isSandboxed
        self.rights = rights
    }

    func matches(_ peer: Credentials) -> Bool {
        if let users, !users.contains(peer.uid) { return false }
        if let groups, groups.isDisjoint(with: peer.groups) { return false }
        if let isSandboxed, isSandboxed != (peer.sandbox != nil) { return false }
        return true
    }

    /// For messages.
    fileprivate var whom: String {
        let names =
            (users ?? []).sorted().map { "user \($0)" } + (groups ?? []).sorted().map { "group \($0)" }
        return names.isEmpty ? "every user" : names.joined(separator: ", ")
    }
}
