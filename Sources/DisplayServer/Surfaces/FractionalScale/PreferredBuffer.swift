// The scale and the transform that a surface's buffers should have.

import MullionWayland
import WindowModel

/// What wl_surface sends since version 6.
struct PreferredBuffer: Equatable, Codable {
    /// Pixels per point, rounded up like that of wl_output.
    var scale: Int16
    /// As in wl_output.transform.
    var transform: UInt8

    /// What clients assume before they are told.
    static let initial = PreferredBuffer(scale: 1, transform: 0)

    init(scale: Int16, transform: UInt8) { (self.scale, self.transform) = (scale, transform) }

    init(on screen: Screen) {
        scale = Int16(clamping: Int32(clamped: screen.scale.rounded(.up)))
        transform = UInt8(truncatingIfNeeded: screen.outputTransform.rawValue)
    }
}

extension SurfaceResource {
    /// Sends what has changed of the scale and the transform that suit the surface's screen.
    func updatePreferences() {
        fractionalScale?.update()
        guard version >= 6, let screen = preferringScreen(isFirst: preferred == nil) else { return }
        // R3
        let policy = server.model.application(client.application)?.rotationPolicy ?? .rotating
        let next = PreferredBuffer(on: screen.seen(by: policy))
        let old = preferred ?? .initial
        preferred = next
        if next.scale != old.scale { send(WlSurface.Event.preferredBufferScale(factor: Int32(next.scale))) }
        if next.transform != old.transform {
            let transform = WlOutput.Transform(rawValue: UInt32(next.transform))
            send(WlSurface.Event.preferredBufferTransform(transform: transform))
        }
    }

    /// The screen of the surface's window; the main screen while the surface has no window. Nil without one, and for a
    /// window that waits for its screen (S8) and keeps what suited that.
    /// - Parameter isFirst: whether the client has not been told anything yet.
    func preferringScreen(isFirst: Bool) -> Screen? {
        let model = server.model
        if let window {
            if let screen = model.screen(of: window) { return model.screen(screen) }
            guard isFirst else { return nil }
        } else if let screen = shownScreen {
            return model.screen(screen)
        }
        return model.mainScreen.flatMap { model.screen($0) }
    }
}

extension DisplayServer {
    /// Called when a screen was connected, disconnected, or changed its scale or its transform.
    func updatePreferences() {
        for surface in surfaces.all { surface.updatePreferences() }
    }
}
