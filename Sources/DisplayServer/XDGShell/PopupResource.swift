// xdg_popup

import MullionGeometry
import MullionWayland
import WindowModel

/// A pop-up: part of its parent's window, directly above it (C3).
final class PopupResource: Resource {
    weak var xdg: XdgSurfaceResource?
    weak var parent: XdgSurfaceResource?
    /// Its parent if that is a layer surface.
    weak var layer: LayerSurfaceResource?
    var rules = PopupRules()
    /// In the parent's window geometry.
    var frame = Rect.zero
    /// The new frame once the client acknowledges that configure (C4).
    var next: (serial: UInt32, frame: Rect)?
    /// The frame last sent, in the parent's window geometry.
    var configuredPlace = Rect.zero
    var isAttached = false
    /// The seat whose keyboard it grabs.
    var grabSeat: ServerSeat?
    var isDismissed = false

    func start(_ xdg: XdgSurfaceResource?, parent: XdgSurfaceResource?, rules: PopupRules) {
        client.popupCount += 1
        self.xdg = xdg
        self.parent = parent
        self.rules = rules
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgPopup.Request.self, opcode, &reader) {
        case .destroy:
            guard xdg?.hasMappedPopups != true else {
                throw xdg?.base?.error(.notTheTopmostPopup, "a pop-up above this one must be destroyed first")
                    ?? ProtocolError(.implementation, object: id, message: "not the topmost pop-up")
            }
            destroy()
        case .grab(let seat, _):
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            guard let xdg, !xdg.isMapped else {
                throw ProtocolError(
                    object: id, code: XdgPopup.Error.invalidGrab.rawValue, message: "a mapped pop-up cannot grab")
            }
            if case .popup(let below)? = parent?.part, below.grabSeat == nil {
                throw ProtocolError(
                    object: id, code: XdgPopup.Error.invalidGrab.rawValue,
                    message: "a pop-up cannot grab unless its parent pop-up has a grab")
            }
            guard client.permissions.xdg.contains(.grab) else { return send(XdgPopup.Event.popupDone) }
            grabSeat = seat
        case .reposition(let positionerID, let token):
            let positioner = try connection.resource(positionerID, as: PositionerResource.self)
            guard let rules = positioner.complete else {
                throw xdg?.base?.error(.invalidPositioner, "the positioner has no size or no anchor rectangle")
                    ?? ProtocolError(.implementation, object: id, message: "incomplete positioner")
            }
            self.rules = rules
            send(XdgPopup.Event.repositioned(token: token))
            configure()
        }
    }

    override func willDestroy() {
        client.popupCount -= 1
        end()
        parent?.popupWasDestroyed(self)
        layer?.popupWasDestroyed(self)
        xdg?.partWasDestroyed()
    }

    func willCommit() throws(ProtocolError) {
        guard parent != nil || layer != nil || isDismissed else {
            throw xdg?.base?.error(.invalidPopupParent, "the pop-up has no parent")
                ?? ProtocolError(.implementation, object: id, message: "the pop-up has no parent")
        }
    }

    // MARK: Placement

    /// The window that the pop-up belongs to (C3).
    var window: Window.ID? { parent?.containingWindow ?? layer?.window }

    /// Whether it can still get a parent.
    var isWithoutParent: Bool { parent == nil && layer == nil && xdg?.hasCommittedFirst != true }

    /// The origin of the pop-up's geometry in the window's points.
    private var origin: Point {
        guard let parent else { return frame.origin }
        if case .popup(let below) = parent.part { return below.origin + frame.origin }
        return frame.origin
    }

    func configure() {
        let place = rules.place(within: limits)
        configuredPlace = place
        // The numbers are the client's: clamp them to the wire's range.
        send(
            XdgPopup.Event.configure(
                x: Int32(clamped: place.minX), y: Int32(clamped: place.minY), width: Int32(clamped: place.size.width),
                height: Int32(clamped: place.size.height)))
        if let serial = xdg?.sendConfigure() { next = (serial, place) }
    }

    /// The screen's bounds in the parent's geometry.
    private var limits: Rect {
        let endless = Rect(x: -1e6, y: -1e6, width: 2e6, height: 2e6)
        guard let window, let value = server.model.window(window), let id = value.screen,
            let screen = server.model.screen(id)
        else { return endless }
        var shift = value.frame.origin
        if let parent, case .popup(let below) = parent.part { shift = shift + below.origin }
        return screen.bounds.offsetBy(x: -shift.x, y: -shift.y)
    }

    func didCommit() {
        guard !isDismissed, let surface = xdg?.surface, let window else { return }
        // Serials count up and wrap around.
        if let next, let seen = xdg?.serials.acknowledged, Int32(bitPattern: seen &- next.serial) >= 0 {
            frame = next.frame
            self.next = nil
            xdg?.popupsFollow()
        }
        guard !isAttached else { return updatePosition() }
        isAttached = true
        server.logErrors { () throws(ModelError) in
            try server.model.addPopup(surface.node, to: window, at: surfacePosition)
        }
        surface.updateEnteredScreen()
        server.scheduleFrame(for: surface)
        grabSeat?.popupGrabs.push(self)
    }

    /// The position of the surface's origin in the window.
    private var surfacePosition: Point {
        let geometry = xdg?.geometry ?? .zero
        return origin - geometry.origin
    }

    private func updatePosition() {
        guard isAttached, let surface = xdg?.surface else { return }
        server.logErrors { () throws(ModelError) in try server.model.setPosition(surface.node, surfacePosition) }
    }

    /// Follows the window or the pop-up below when it moves; a reactive pop-up is also placed again.
    func followParent() {
        guard !isDismissed, xdg?.hasCommittedFirst == true else { return }
        updatePosition()
        if rules.isReactive, rules.place(within: limits) != configuredPlace { configure() }
        xdg?.popupsFollow()
    }

    func didUnmap() { detach() }

    /// Whether the parent pop-up was dismissed.
    var isParentDismissed: Bool {
        if case .popup(let below)? = parent?.part { below.isDismissed } else { false }
    }

    /// Whether it is on the screen.
    var isMapped: Bool { isAttached }

    /// Unmaps the pop-up and asks the client to destroy it.
    func dismiss() {
        guard !isDismissed else { return }
        isDismissed = true
        xdg?.dismissPopups()
        detach()
        send(XdgPopup.Event.popupDone)
    }

    /// Called when the surface or the window is destroyed.
    func end() { detach() }

    private func detach() {
        grabSeat?.popupGrabs.remove(self)
        guard isAttached else { return }
        isAttached = false
        guard let surface = xdg?.surface else { return }
        // A destroyed window has already removed its pop-ups (W7).
        if server.model.window(of: surface.node) != nil {
            server.logErrors { () throws(ModelError) in try server.model.removePopup(surface.node) }
        }
        surface.updateEnteredScreen()
    }
}
