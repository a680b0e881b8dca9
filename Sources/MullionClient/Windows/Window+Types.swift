// The token that disables interaction, and the kinds of properties.

/// Disables interaction with a window until `end()` is called or the token is released (E8).
@MainActor public final class InteractionToken {
    private var release: (() -> Void)?

    init(_ release: @escaping () -> Void) { self.release = release }

    isolated deinit { end() }

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
