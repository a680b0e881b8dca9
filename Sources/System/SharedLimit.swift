// A limit on what all users share.

import Glibc

/// A limit on something of which the server has only so much for all users together, such as connections. One user gets
/// a share of it, and the last part is reserved for the server's own user and root, so that no user keeps others, or
/// those who could help, out.
public struct SharedLimit: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// For all users together.
    public var total: Int
    private var chosenShare = 0
    /// Whether the server's own user and root may use all of it. False only in tests, whose clients are that user.
    public var trustsOwner = true

    /// - Parameter share: by default a quarter.
    public init(_ total: Int, share: Int = 0) { (self.total, chosenShare) = (total, share) }

    public init(integerLiteral total: Int) { self.init(total) }

    /// The most of each user other than the server's own and root.
    public var share: Int {
        get { min(total, chosenShare > 0 ? chosenShare : max(1, total / 4)) }
        set { chosenShare = newValue }
    }

    /// The part that only the server's own user and root get: an eighth.
    public var reserve: Int { min(max(1, total / 8), max(0, total - 1)) }

    /// - Parameter user: nil for one that is never trusted: a holder of the token, or a program in a sandbox.
    public func trusts(_ user: UInt32?) -> Bool { trustsOwner && (user == 0 || user == geteuid()) }

    /// The most of a user, and of all users together when this one gets more.
    public func bounds(for user: UInt32?) -> (own: Int, all: Int) {
        trusts(user) ? (total, total) : (share, total - reserve)
    }

    /// Why a user gets no more; nil if there is room.
    /// - Parameters:
    ///   - noun: what is limited, in the plural.
    ///   - own: what the user has.
    ///   - all: what all users have together.
    public func refusal(
        _ noun: String, adding count: Int = 1, for user: UInt32?, own: @autoclosure () -> Int,
        all: @autoclosure () -> Int
    ) -> String? {
        let bounds = bounds(for: user)
        if bounds.own < total, own() > bounds.own - count {
            return "limit reached: a user has at most \(bounds.own) \(noun)"
        }
        guard all() > bounds.all - count else { return nil }
        guard bounds.all < total else { return "limit reached: \(total) \(noun)" }
        return "limit reached: \(bounds.all) \(noun) of all users; the other \(reserve) are reserved for the server's "
            + "own user and root"
    }

    /// What to end when there is too much of everything together: one after the other, the largest item of the user who
    /// has the most left. Items of the server's own user and root come last.
    /// - Parameters:
    ///   - surplus: how much has to go.
    ///   - more: what a user has besides the items.
    public func excess<Item>(
        _ surplus: Int, of items: some Sequence<Item>, user: (Item) -> UInt32?, size: (Item) -> Int,
        more: (UInt32?) -> Int = { _ in 0 }
    ) -> [Item] {
        let sized = items.map { (item: $0, size: size($0)) }.filter { $0.size > 0 }
        var users = Dictionary(grouping: sized) { user($0.item) }.map { user, items in
            (
                isTrusted: trusts(user), sum: items.reduce(more(user)) { $0 + $1.size },
                items: items.sorted { $0.size < $1.size }
            )
        }
        func rank(_ place: Int) -> (Int, Int) { (users[place].isTrusted ? 0 : 1, users[place].sum) }
        var (rest, ended) = (surplus, [Item]())
        while rest > 0, let worst = users.indices.max(by: { rank($0) < rank($1) }) {
            let largest = users[worst].items.removeLast()
            users[worst].sum -= largest.size
            if users[worst].items.isEmpty { users.remove(at: worst) }
            rest -= largest.size
            ended.append(largest.item)
        }
        return ended
    }
}
