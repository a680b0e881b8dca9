// zwp_input_popup_surface_v2

import MullionGeometry
import MullionWayland
import WindowModel

/// A pop-up of the input method: while text is edited it is part of that window, directly above it (C3), next to the
/// cursor. It receives events like any pop-up (H1), for the input method's client.
final class InputPopupResource: Resource, SurfaceRole {
    static let roleName = RoleName.inputPopup

    weak var surface: SurfaceResource?
    weak var inputMethod: InputMethodResource?
    /// The window that shows it, and its position in that window's points.
    var shown: (window: Window.ID, position: Point)?
    /// The rectangle last sent to the client.
    var sent: Rect?

    /// - Parameter inputMethod: nil for an inert one.
    func start(
        _ surface: SurfaceResource, inputMethod: InputMethodResource?, errorOn object: ObjectID
    ) throws(ProtocolError) {
        try surface.setRole(self, errorOn: object, code: ZwpInputMethodV2.Error.role.rawValue)
        self.surface = surface
        self.inputMethod = inputMethod
        update()
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpInputPopupSurfaceV2.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        inputMethodWillBeDestroyed()
        let surface = surface
        self.surface = nil
        surface?.clearRole()
    }

    /// Makes the pop-up inert.
    func inputMethodWillBeDestroyed() {
        inputMethod?.remove(self)
        inputMethod = nil
        hide()
    }

    // MARK: Role

    var containingWindow: Window.ID? { shown?.window }

    func didCommit(on surface: SurfaceResource) throws(ProtocolError) { update() }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        hide()
        self.surface = nil
    }

    // MARK: Placement

    /// Follows the cursor while the input method is active; hidden otherwise.
    func update() {
        guard let surface, let inputMethod, inputMethod.isActive, let place = inputMethod.seat.textInputs.place
        else { return hide() }
        if shown?.window != place.window { hide() }
        let position = position(of: surface.size ?? .zero, at: place.rectangle, in: place.window)
        if shown == nil {
            shown = (place.window, position)
            server.logErrors { () throws(ModelError) in
                try server.model.addPopup(surface.node, to: place.window, at: position)
            }
            surface.updateEnteredScreen()
            server.scheduleFrame(for: surface)
        } else if shown?.position != position {
            shown?.position = position
            server.logErrors { () throws(ModelError) in try server.model.setPosition(surface.node, position) }
        }
        sendRectangle(place.rectangle.offsetBy(x: -position.x, y: -position.y))
    }

    /// Below the cursor if there is room on the screen, else above it, and shifted sideways as needed.
    private func position(of size: Size, at rectangle: Rect, in window: Window.ID) -> Point {
        var rules = PopupRules()
        rules.size = size
        rules.anchorRect = rectangle
        (rules.anchor.x, rules.anchor.y) = (-1, 1)
        (rules.gravity.x, rules.gravity.y) = (1, 1)
        rules.adjustment = [.flipY, .slideX, .slideY]
        guard let frame = server.model.frame(of: window),
            let screen = server.model.screen(of: window).flatMap({ server.model.screen($0) })
        else { return rules.place(within: rectangle).origin }
        return rules.place(within: screen.bounds.offsetBy(x: -frame.minX, y: -frame.minY)).origin
    }

    private func sendRectangle(_ rectangle: Rect) {
        guard rectangle != sent else { return }
        sent = rectangle
        send(
            ZwpInputPopupSurfaceV2.Event.textInputRectangle(
                x: Int32(clamped: rectangle.minX), y: Int32(clamped: rectangle.minY),
                width: Int32(clamped: rectangle.size.width), height: Int32(clamped: rectangle.size.height)))
    }

    private func hide() {
        guard let window = shown?.window else { return }
        shown = nil
        sent = nil
        guard let surface else { return }
        // A destroyed window has removed it already.
        if server.model.window(of: surface.node) == window {
            server.logErrors { () throws(ModelError) in try server.model.removePopup(surface.node) }
        }
        surface.updateEnteredScreen()
    }
}
