// The parts of the model's behaviour that an administrator can configure.

/// The model's policy. Changes take effect from the next call on.
public struct Policy: Hashable, Sendable {
    /// What happens to windows whose screen is unplugged (S8).
    public enum Orphans: String, Hashable, Sendable {
        /// They wait, hidden, for a screen of the same identity.
        case keep
        /// They move to the main screen.
        case main
    }

    /// K7: touching a window that was created with `keyOnTouch` makes it key and brings it to the front.
    public var keyOnTouch: Bool
    /// S8.
    public var orphans: Orphans

    public init(keyOnTouch: Bool = true, orphans: Orphans = .keep) {
        self.keyOnTouch = keyOnTouch
        self.orphans = orphans
    }
}
