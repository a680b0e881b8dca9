// Waiting for an expectation to come true.

import DisplayServer
import EventLoop

/// Looks at what is expected whenever something happened, and says once how it ended. To drop it is to wait no more.
final class ExpectationWatch {
    private let expectation: Expectation
    private let server: DisplayServer
    private let deadline: UInt64
    private let body: (Mismatch?) -> Void
    private var timer: Timer?
    private var isDrawing = false
    private var isOver = false
    /// What was wrong when it was looked at last.
    private var mismatch: Mismatch?
    /// What was wrong with pixels, and `DisplayServer.frame` then: as long as it is the same, so are they.
    private var drawn: (frame: UInt64, mismatch: Mismatch)?

    /// - Parameters:
    ///   - patience: how long it may take to come true, in microseconds of real time.
    ///   - body: gets what is not as expected in the end, nil when all is.
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

    /// To be called whenever something happened.
    func look() {
        guard !isDrawing, !isOver else { return }
        if let mismatch = expectation.firstMismatch(on: server) { return notYet(mismatch) }
        guard !expectation.pixels.isEmpty else { return end(nil) }
        if let drawn, drawn.frame == server.frame { return notYet(drawn.mismatch) }
        isDrawing = true
        expectation.checkPixels(on: server) { [weak self] frame, mismatch in
            guard let self else { return }
            isDrawing = false
            guard let mismatch else { return end(nil) }
            drawn = (frame, mismatch)
            notYet(mismatch)
        }
    }

    private func notYet(_ mismatch: Mismatch) {
        self.mismatch = mismatch
        giveUpIfLate()
    }

    /// What is being drawn is still waited for.
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
