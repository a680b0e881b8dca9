// A request for one picture of a screen.

import Compositor

/// A request for one picture of a screen.
protocol CaptureRequest: AnyObject {
    /// Whether it waits until the picture differs from the session's previous one.
    var waitsForChange: Bool { get }
    /// Called before the picture is drawn.
    /// - Parameters:
    ///   - damage: what may differ from the session's previous picture, in native pixels.
    ///   - time: when the screen showed it, in microseconds of the server's clock.
    func begin(_ renderer: Renderer, damage: Region, at time: UInt64)
    /// Called when the picture is drawn, to copy about this many pixels of it.
    /// - Returns: whether it is complete.
    func take(_ renderer: Renderer, maximumPixels: Int) -> Bool
    /// Called when there will be no picture: the screen is unplugged, or the server stops.
    func fail()
}
