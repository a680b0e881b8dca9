// A request for one picture.

import Compositor

/// A request for one picture of a screen, a window or a cursor.
protocol CaptureRequest: AnyObject {
    /// Whether it waits until the picture differs from the session's previous one.
    var waitsForChange: Bool { get }
    /// Called before the picture is drawn.
    /// - Parameters:
    ///   - damage: what may differ from the session's previous picture, in its pixels.
    ///   - time: when the screen showed it, in microseconds of the server's clock.
    func begin(_ renderer: Renderer, damage: Region, at time: UInt64)
    /// The part that it can draw itself, instead of copying it from the framebuffer; nil: none.
    var directArea: IntRect? { get }
    /// Called when the picture is drawn, or can be drawn directly, to take about this many pixels of it.
    /// - Returns: whether it is complete.
    func take(_ renderer: Renderer, maximumPixels: Int) -> Bool
    /// Called when there will be no picture: the screen is unplugged, the window is gone, or the server stops.
    func fail()
}

extension CaptureRequest {
    var directArea: IntRect? { nil }
}
