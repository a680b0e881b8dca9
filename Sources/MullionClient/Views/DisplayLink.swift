// Animations driven by frame callbacks.

/// Calls a function before each frame of a window (UIKit: CADisplayLink), at the rate of the screen that shows it, and
/// once a second while no screen does (V3).
@MainActor public final class DisplayLink {
    /// Whether frames are not reported; setting it to false continues.
    public var isPaused = false {
        didSet { if isPaused != oldValue { request() } }
    }
    private weak var window: Window?
    private var body: ((DisplayLink) -> Void)?
    private var isRequested = false

    /// The time of the current frame in seconds of the server's clock; 0 before the first one.
    public private(set) var timestamp = 0.0

    /// Calls `body` before each frame until `invalidate()` or until the window closes.
    public init(_ window: Window, _ body: @escaping (DisplayLink) -> Void) {
        self.window = window
        self.body = body
        request()
    }

    /// Ends the calls for good.
    public func invalidate() { body = nil }

    private func request() {
        guard let window, body != nil, !isPaused, !isRequested else { return }
        isRequested = true
        window.onNextFrame { [self] timestamp in
            isRequested = false
            self.timestamp = timestamp
            guard !isPaused else { return }
            body?(self)
            request()
        }
    }
}
