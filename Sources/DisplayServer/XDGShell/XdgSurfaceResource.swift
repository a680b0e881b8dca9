// xdg_surface

import MullionGeometry
import MullionWayland
import WindowModel

/// Common parts of toplevels and pop-ups: configure and acknowledge, window geometry, the first commit.
final class XdgSurfaceResource: Resource, SurfaceRole, PopupParent {
    static let roleName = RoleName.xdgSurface
    static let roleNames = [RoleName.xdgSurface, .toplevel, .popup]

    /// The toplevel or pop-up that this surface belongs to.
    enum Part {
        case toplevel(ToplevelResource)
        case popup(PopupResource)
    }

    /// `toplevel` or `popup`, permanent once constructed (W5).
    var kind: RoleName?
    var hasCommittedFirst = false
    var surface: SurfaceResource?
    var base: WmBaseResource?
    var part: Part?
    private var wasConstructed: Bool { kind != nil }
    var popups: [PopupResource] = []
    var popupsWillFollow = false
    @Boxed var pendingGeometry: Rect?
    @Boxed var requestedGeometry: Rect?
    var serials = ConfigureSerials()
    /// Whether it had content after the last commit.
    var isMapped = false

    func start(surface: SurfaceResource, base: WmBaseResource) throws(ProtocolError) {
        try surface.setRole(self, errorOn: base.id, code: XdgWmBase.Error.role.rawValue)
        self.surface = surface
        self.base = base
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgSurface.Request.self, opcode, &reader) {
        case .destroy:
            guard part == nil else {
                throw error(.defunctRoleObject, "the toplevel or pop-up of this surface must be destroyed first")
            }
            destroy()
        case .getToplevel(let id):
            try checkUnconstructed(.toplevel)
            try client.checkWindow(errorOn: self.id)
            let toplevel = try ToplevelResource(client, id: id, version: version)
            part = .toplevel(toplevel)
            kind = .toplevel
            toplevel.start(self)
        case .getPopup(let id, let parentID, let positionerID):
            try checkUnconstructed(.popup)
            let parent = try connection.resource(parentID, as: XdgSurfaceResource.self)
            try checkParent(parent)
            let positioner = try connection.resource(positionerID, as: PositionerResource.self)
            guard let rules = positioner.complete else {
                throw wmError(.invalidPositioner, "the positioner has no size or no anchor rectangle")
            }
            let limit = connection.transport.limits.popups
            guard client.popupCount < limit else {
                throw ProtocolError(.noMemory, object: self.id, message: "limit reached: \(limit) pop-ups")
            }
            let popup = try PopupResource(client, id: id, version: version)
            part = .popup(popup)
            kind = .popup
            popup.start(self, parent: parent, rules: rules)
            parent?.popups.append(popup)
        case .setWindowGeometry(let x, let y, let width, let height):
            try checkConstructed()
            guard width > 0, height > 0 else {
                throw error(.invalidSize, "\(width)x\(height) is not a window geometry; use at least 1x1")
            }
            pendingGeometry = Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
        case .ackConfigure(let serial):
            try checkConstructed()
            guard serials.acknowledge(serial) else {
                throw error(.invalidSerial, "\(serial) is not the serial of an unacknowledged configure")
            }
        }
    }

    override func willDestroy() {
        surface?.clearRole()
        surface = nil
        base?.didDestroySurface()
        base = nil
    }

    // MARK: Configure

    /// Ends a group of configure events.
    /// - Returns: the serial for the client to acknowledge.
    @discardableResult
    func sendConfigure() -> UInt32 {
        let serial = server.nextSerial()
        serials.didSend(serial)
        send(XdgSurface.Event.configure(serial: serial))
        return serial
    }

    /// Whether the client has acknowledged all configures.
    var isUpToDate: Bool { serials.sent.isEmpty }

    /// A description of the configure event that the client has not completely handled; nil when there is none.
    var openConfigure: String? {
        guard hasCommittedFirst, let part else { return nil }
        var place = containingWindow.map { "window \($0.rawValue)" } ?? "a window"
        if case .popup(let popup) = part {
            guard !popup.isDismissed else { return nil }
            place = "a pop-up of " + place
        }
        // A suspended program may draw nothing until it is shown again.
        if case .toplevel(let toplevel) = part, toplevel.isSuspended, serials.sent.isEmpty { return nil }
        return serials.description(of: place, surface)
    }

    /// The window geometry as set, clipped to the extent of the surface and its sub-surfaces; all of that if not set.
    var geometry: Rect {
        var bounds = Rect(origin: .zero, size: surface?.size ?? .zero)
        // Usually it lies within the surface itself; decorations drawn by sub-surfaces extend beyond it.
        if let requestedGeometry, bounds.contains(requestedGeometry) { return requestedGeometry }
        if let surface, surface.family != nil { bounds = server.model.extent(of: surface.node) ?? bounds }
        guard let requestedGeometry else { return bounds }
        let common = requestedGeometry.intersection(bounds)
        return common.isEmpty ? bounds : common
    }

    // MARK: Role

    var containingWindow: Window.ID? {
        switch part {
        case .toplevel(let toplevel): toplevel.window
        case .popup(let popup): popup.window
        case nil: nil
        }
    }

    /// Nothing is attached before the first configure, which the first commit brings about; unmapping starts again.
    func willAttach(_ buffer: BufferResource) throws(ProtocolError) {
        guard hasCommittedFirst else {
            throw error(.unconfiguredBuffer, "a buffer was attached before the first configure")
        }
    }

    func willCommit(_ state: SurfaceState, on surface: SurfaceResource) throws(ProtocolError) {
        guard wasConstructed else {
            throw error(.notConstructed, "the surface was committed before it became a toplevel or a pop-up")
        }
        // After a role object was destroyed the old content may still be there: the new role starts without it.
        let hasBuffer = state.attaches ?? (part != nil && surface.willHaveContents)
        guard !hasBuffer || serials.acknowledged != nil else {
            throw error(.unconfiguredBuffer, "a buffer was committed before the first configure was acknowledged")
        }
        switch part {
        case .toplevel(let toplevel): try toplevel.willCommit()
        case .popup(let popup): try popup.willCommit()
        case nil: break
        }
        serials.didCommit()
    }

    func willApply(_ state: SurfaceState, to surface: SurfaceResource) {
        if case .toplevel(let toplevel) = part { toplevel.willApply() }
    }

    func didCommit(on surface: SurfaceResource) throws(ProtocolError) {
        if let pendingGeometry {
            requestedGeometry = pendingGeometry
            self.pendingGeometry = nil
        }
        guard let part else { return }
        if !surface.hasContents {
            guard !isMapped else { return resetAfterUnmapping() }
            guard !hasCommittedFirst else { return }
            hasCommittedFirst = true
            surface.updatePreferences()
            switch part {
            case .toplevel(let toplevel): toplevel.configure()
            case .popup(let popup): popup.configure()
            }
            return
        }
        isMapped = true
        switch part {
        case .toplevel(let toplevel): toplevel.didCommit()
        case .popup(let popup): popup.didCommit()
        }
    }

    /// After unmapping by a null buffer, the next commit is treated as the first one again.
    private func resetAfterUnmapping() {
        isMapped = false
        hasCommittedFirst = false
        serials.didUnmap()
        requestedGeometry = nil
        dismissPopups()
        switch part {
        case .toplevel(let toplevel): toplevel.didUnmap()
        case .popup(let popup): popup.didUnmap()
        case nil: break
        }
    }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        switch part {
        case .toplevel(let toplevel): toplevel.end()
        case .popup(let popup): popup.end()
        case nil: break
        }
        dismissPopups()
        self.surface = nil
    }

    /// Called when the toplevel or pop-up was destroyed.
    func partWasDestroyed() {
        part = nil
        // What waits is not the next part's.
        if client.isClosed { surface?.dropQueue() } else { surface?.emptyQueue() }
        isMapped = false
        hasCommittedFirst = false
        serials.reset()
        dismissPopups()
    }

    // MARK: Pop-ups

    /// Whether a pop-up of this surface is on the screen.
    var hasMappedPopups: Bool { popups.contains(where: \.isMapped) }

    func popupWasDestroyed(_ popup: PopupResource) { popups.removeAll { $0 === popup } }

    /// C3: dismisses the pop-ups of this surface, the topmost first.
    func dismissPopups() {
        for popup in popups.reversed() { popup.dismiss() }
    }

    /// A pop-up's parent must be constructed already, so that chains of pop-ups are finite and acyclic.
    private func checkParent(_ parent: XdgSurfaceResource?) throws(ProtocolError) {
        guard let parent else { return }
        guard parent.part != nil else {
            throw wmError(.invalidPopupParent, "surface \(parent.id) is neither a toplevel nor a pop-up")
        }
        let limit = connection.transport.limits.surfaceDepth
        var ancestor: XdgSurfaceResource? = parent
        for _ in 0..<limit {
            guard let current = ancestor else { return }
            guard current !== self else { throw wmError(.invalidPopupParent, "a pop-up cannot be in itself") }
            guard case .popup(let popup) = current.part else { return }
            ancestor = popup.parent
        }
        throw ProtocolError(.noMemory, object: id, message: "limit reached: pop-ups nest at most \(limit) deep")
    }

    private func checkUnconstructed(_ new: RoleName) throws(ProtocolError) {
        guard part == nil, kind == nil || kind == new,
            surface?.refineRole(new, from: Self.roleName) ?? true
        else {
            throw error(.alreadyConstructed, "\(Rule.w5): the surface is already a toplevel or a pop-up")
        }
    }

    private func checkConstructed() throws(ProtocolError) {
        guard wasConstructed else { throw error(.notConstructed, "the surface is not a toplevel or pop-up yet") }
    }

    private func error(_ code: XdgSurface.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }

    private func wmError(_ code: XdgWmBase.Error, _ message: String) -> ProtocolError {
        base?.error(code, message) ?? ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
