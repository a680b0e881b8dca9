// Drawings in progress that somebody waits for.

/// What to call when all of these drawings are done.
final class CaptureBarrier {
    var remaining: [Capture]
    let body: () -> Void

    init(_ remaining: [Capture], _ body: @escaping () -> Void) {
        self.remaining = remaining
        self.body = body
    }
}

/// Captures to be drawn, and what to call then.
final class CaptureJob {
    var remaining: [Capture]
    /// Called when one of its views is drawn, before anything else can be drawn there.
    let didDraw: (Capture) -> Void
    let finish: () -> Void

    init(
        _ remaining: [Capture], didDraw: @escaping (Capture) -> Void, finish: @escaping () -> Void
    ) {
        self.remaining = remaining
        self.didDraw = didDraw
        self.finish = finish
    }
}
