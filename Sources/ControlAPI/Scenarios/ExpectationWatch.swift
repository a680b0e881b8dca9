// Waits for an expectation to be met.

import DisplayServer
import EventLoop

/// Checks an expectation whenever something happens, and reports once how it ended. Dropping the watch cancels it.
final class ExpectationWatch {
    private let expectation: Expectation
    private let server: DisplayServer
    private let deadline: UInt64
    private let body: (Mismatch?) -> Void
    private var timer: Timer?
    private var isDrawing = false
    private var isOver = false
    /// The mismatch at the last check.
    private var mismatch: Mismatch?
    /// The mismatch of pixels, and its `DisplayServer.frameNumber`: while that is the same, so are the pixels.
    private var drawn: (frameNumber: UInt64, mismatch: Mismatch)?

    /// - Parameters:
    ///   - patience: how long it may take to be met, in microseconds of real time.
    ///   - body: called with the final mismatch; nil when the expectation was met.
    init(
        _ expectation: Expectation, on server: DisplayServer, patience: UInt64, _ body: @escaping (Mismatch?) -> Void
    ) {
        self.expectation = expectation
        self.server = server
        self.body = body
        deadline = server.loop.now + patience
        guard patience > 0 else { return }
        let timer = Timer(server.loop) { [unowned self] _, _ in giveUpIfLate() }
        timer.arm(at: deadline)
        self.timer = timer
    }

    /// Call this whenever something has happened.
    func look() {
        guard !isDrawing, !isOver else { return }
        if let mismatch = expectation.firstMismatch(on: server) { return notYet(mismatch) }
        guard !expectation.pixels.isEmpty else { return end(nil) }
        if let drawn, drawn.frameNumber == server.frameNumber { return notYet(drawn.mismatch) }
        isDrawing = true
        expectation.checkPixels(on: server) { [weak self] frameNumber, mismatch in
            guard let self else { return }
            isDrawing = false
            guard let mismatch else { return end(nil) }
            drawn = (frameNumber, mismatch)
            notYet(mismatch)
        }
    }

    private func notYet(_ mismatch: Mismatch) {
        self.mismatch = mismatch
        giveUpIfLate()
    }

    /// Ends the wait when time is over, unless a drawing is in progress.
    private func giveUpIfLate() {
        guard !isDrawing, let mismatch, server.loop.now >= deadline else { return }
        end(mismatch)
    }

    private func end(_ mismatch: Mismatch?) {
        isOver = true
        timer = nil
        body(mismatch)
    }
}
