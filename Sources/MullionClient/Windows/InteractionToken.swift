// The token that disables interaction with a window.

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
