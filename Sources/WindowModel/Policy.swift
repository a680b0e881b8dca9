// What an administrator may decide about the model's behaviour.

/// The model's policy; it may change while the model runs and counts from the next call on.
public struct Policy: Hashable, Sendable {
    /// What becomes of windows whose screen is unplugged (S8).
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
