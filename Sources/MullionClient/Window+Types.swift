// What a window's properties are made of, and the token that holds back interaction.

/// What of a window's frame changes when the bounds of its screen do (W1, R2).
public struct Autoresizing: OptionSet, Hashable, Sendable {
    /// The bits, as the wire carries them.
    public let rawValue: UInt32

    /// A set from its bits; bits that mean nothing are not sent.
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

/// Holds back interaction with a window until `end()`, or until nobody keeps it (E8).
public final class InteractionToken {
    private var release: (() -> Void)?

    init(_ release: @escaping () -> Void) { self.release = release }

    deinit { end() }

    /// Lets the window be; a second call does nothing.
    public func end() {
        release?()
        release = nil
    }
}

extension Window {
    /// The properties whose order among each other does not matter.
    enum Property {
        case frame, transform, autoresizing, alpha, background, clips, title, interaction
    }
}
