// Who may connect, and with which permissions: the first matching rule that sets a permission decides it.

import Glibc

/// An ordered list of rules. Permissions that no rule sets are those of `Permissions()`: connecting and showing windows
/// is allowed, and no rights are granted.
///
/// A peer's permissions are decided once, from the kernel's credentials, before anything is read; a later policy
/// applies to later connections.
public struct PeerPolicy: Hashable, Sendable {
    public var rules: [PeerRule]

    public init(rules: [PeerRule]) { self.rules = rules }

    /// Grants all rights to the server's own user and root, and none to others: those who can kill the server or read
    /// its memory gain nothing from them.
    public static var standard: PeerPolicy { PeerPolicy(rules: [PeerRule(users: [0, geteuid()], rights: .all)]) }

    /// The permissions of a peer.
    package func permissions(of peer: Credentials) -> Permissions {
        var result = Permissions()
        // A peer without credentials has no rights; only rules for everybody match it.
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
        // A sandbox loses its user's rights: only rules about sandboxes grant it any.
        let giving = matching.filter { peer.sandbox == nil || $0.isSandboxed == true }
        result.rights = rights(of: peer)
        result.isSystemApplication = giving.lazy.compactMap(\.isSystemApplication).first ?? result.isSystemApplication
        return result
    }

    /// The rights of a peer, as in its permissions.
    package func rights(of peer: Credentials) -> Rights {
        let none = Permissions().rights
        guard peer.isKnown else { return none }
        let giving = rules.first { rule in
            rule.rights != nil && (peer.sandbox == nil || rule.isSandboxed == true) && rule.matches(peer)
        }
        return giving?.rights ?? none
    }

    /// Who has a right, for messages: "user 0, group 27".
    package func holders(of right: Rights) -> String {
        let holders = rules.filter { $0.rights?.contains(right) == true && $0.isSandboxed != true }.map(\.whom)
        return holders.isEmpty ? "nobody" : holders.joined(separator: ", ")
    }
}

/// A rule: the peers it matches, and the permissions it sets. Nil where it does not set one.
public struct PeerRule: Hashable, Sendable {
    /// User ids; nil for any.
    public var users: Set<UInt32>?
    /// Group ids, one of which the peer must have as effective or supplementary group; nil for any.
    public var groups: Set<UInt32>?
    /// Whether it applies to programs in a sandbox (wp_security_context_v1) or to all others; nil for both.
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

    /// A description of the matched peers, for messages.
    fileprivate var whom: String {
        let names =
            (users ?? []).sorted().map { "user \($0)" } + (groups ?? []).sorted().map { "group \($0)" }
        return names.isEmpty ? "every user" : names.joined(separator: ", ")
    }
}
