// The value types of a window's properties, and the token that disables interaction.

/// Which parts of a window's frame change with the bounds of its screen (W1, R2).
public struct Autoresizing: OptionSet, Hashable, Sendable {
    /// The bits, as the wire carries them.
    public let rawValue: UInt32

    /// A set from its bits; unknown bits are not sent.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The left margin.
    public static let leftMargin = Autoresizing(rawValue: 1)
    /// The width.
    public static let width = Autoresizing(rawValue: 2)
    /// The right margin.
    public static let rightMargin = Autoresizing(rawValue: 4)
    /// The top margin.
    public static let topMargin = Autoresizing(rawValue: 8)
    /// The height.
    public static let height = Autoresizing(rawValue: 16)
    /// The bottom margin.
    public static let bottomMargin = Autoresizing(rawValue: 32)
}

/// Disables interaction with a window until `end()` is called or the token is released (E8).
public final class InteractionToken {
    private var release: (() -> Void)?

    init(_ release: @escaping () -> Void) { self.release = release }

    deinit { end() }

    /// Enables interaction again; further calls do nothing.
    public func end() {
        release?()
        release = nil
    }
}

extension Window {
    /// The properties whose relative order does not matter.
    enum Property {
        case frame, transform, autoresizing, alpha, background, clips, title, interaction
    }
}
