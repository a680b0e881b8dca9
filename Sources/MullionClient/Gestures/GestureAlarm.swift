// Deadlines of gestures, by the server's clock.

import MullionSystem

/// Calls a function once when the server's clock has passed a time.
///
/// The last word has a frame callback: the server sends it in order with the input, so that everything that happened
/// before the deadline has been delivered, and its time is the manual one where time is manual. Until shortly before,
/// a timer of the loop waits, if the server's clock is the machine's.
@MainActor final class GestureAlarm {
    private weak var window: Window?
    private let deadline: Double
    private var body: (() -> Void)?
    private var timer: Observation?

    /// - Parameters:
    ///   - deadline: in seconds of the server's clock.
    ///   - duration: how far it is away, in seconds.
    init(_ window: Window, _ deadline: Double, within duration: Double, _ body: @escaping () -> Void) {
        self.window = window
        self.deadline = deadline
        self.body = body
        let wait = deadline - MonotonicClock.seconds
        if wait > 0, wait <= duration {
            timer = window.application.after(wait) { [weak self] in self?.watchFrames() }
        } else {
            watchFrames()
        }
    }

    func cancel() {
        timer?.cancel()
        body = nil
    }

    private func watchFrames() {
        window?.onNextFrame { [weak self] timestamp in
            guard let self, let body else { return }
            // Frames have milliseconds in 32 bits, which wrap around.
            let due = UInt32(truncatingIfNeeded: UInt64((deadline * 1000).rounded(.up)))
            let now = UInt32((timestamp * 1000).rounded())
            guard Int32(bitPattern: now &- due) >= 0 else { return watchFrames() }
            self.body = nil
            body()
        }
    }
}
