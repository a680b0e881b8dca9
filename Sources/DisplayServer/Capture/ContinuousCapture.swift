// Captures a screen continuously.

import Compositor

/// Requests the next picture of a screen whenever one is complete.
final class ContinuousCapture: CaptureRequest {
    private unowned let captures: Captures
    private weak var session: CaptureSession?
    private let body: (Renderer) -> Void
    let waitsForChange = true

    init(_ captures: Captures, of session: CaptureSession, _ body: @escaping (Renderer) -> Void) {
        self.captures = captures
        self.session = session
        self.body = body
    }

    func begin(_ renderer: Renderer, damage: Region, at time: UInt64) {}

    func take(_ renderer: Renderer, maximumPixels: Int) -> Bool {
        body(renderer)
        if let session { captures.add(self, of: session) }
        return true
    }

    func fail() {}
}
