// How often screens are drawn for waits.

import EventLoop

/// Leaves time between drawings: drawing takes at most half of the time, however large a screen is.
final class DrawingPace {
    /// The least time from one drawing to the next, in microseconds of real time: half a frame of 60 Hz.
    private static let pause: UInt64 = 8000

    private let loop: EventLoop
    private(set) var isDrawing = false
    private var begunAt: UInt64 = 0
    /// When the next drawing may begin, in microseconds of real time.
    private var next: UInt64 = 0
    private var timer: Timer?

    /// - Parameter body: called when a drawing that was not allowed to begin may begin.
    init(_ loop: EventLoop, _ body: @escaping () -> Void) {
        self.loop = loop
        timer = Timer(loop) { _, _ in body() }
    }

    /// Whether a drawing is in progress, or waits for its time.
    var isBusy: Bool { isDrawing || timer?.isArmed == true }

    /// Begins a drawing, unless there is one or it is too early.
    func begin() -> Bool {
        guard !isBusy else { return false }
        guard loop.now >= next else {
            timer?.arm(at: next)
            return false
        }
        (isDrawing, begunAt) = (true, loop.now)
        return true
    }

    func end() {
        isDrawing = false
        next = begunAt + max(Self.pause, 2 * (loop.now - begunAt))
    }
}
