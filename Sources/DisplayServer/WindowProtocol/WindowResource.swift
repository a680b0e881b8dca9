// mullion_window_v1

import MullionGeometry
import MullionWayland
import WindowModel

/// A window of the extension: requests wait for the surface's commit (C4), and are then applied to the model in order.
package final class WindowResource: Resource, SurfaceRole {
    static let roleName = RoleName.window

    var window: Window.ID?
    var surface: SurfaceResource?
    /// The requests since the last commit, in order.
    var pending: [WindowChange] = [] {
        didSet { updateCharge() }
    }
    /// The last title wins, so that a client that never commits stores only one here.
    var pendingTitle: String? {
        didSet { updateCharge() }
    }
    /// The memory charged for the title stored in the model.
    private var titleCost = 0
    /// What the client set or received last.
    var known = KnownProperties()
    /// The number of commits, and the number that the client received last.
    var commits = CommitCount()
    private var charge: MemoryCharge

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        charge = MemoryCharge(to: client.holdings, bytes: MemoryCost.window)
        try super.init(client, id: id, version: version)
    }

    func start(surface: SurfaceResource, screen: ScreenResource?, errorOn object: ObjectID) throws(ProtocolError) {
        try surface.setRole(self, errorOn: object, code: MullionApplicationV1.Error.role.rawValue)
        self.surface = surface
        server.logErrors { () throws(ModelError) in
            // S8: a window for a screen that was just unplugged waits for it and moves nowhere else.
            let id = try server.model.createWindow(
                application: client.application, screen: screen?.screen,
                awaiting: screen?.screen == nil ? screen?.identity : nil)
            window = id
            try server.model.setRoot(surface.node, of: id)
        }
        if let window { server.windows[window] = .window(self) }
        surface.updatePreferences()
        known.frame = window.flatMap { server.model.frame(of: $0) } ?? .zero
        if let screen, screen.screen == nil { screenDidChange(window.flatMap { server.model.screen(of: $0) }) }
    }

    package override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(MullionWindowV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setFrame(let x, let y, let width, let height):
            guard width.rawValue >= 0, height.rawValue >= 0 else {
                throw error(.invalidFrame, "\(Rule.w6): the size \(width.double)x\(height.double) is negative")
            }
            try append(.frame(Rect(x: x.double, y: y.double, width: width.double, height: height.double)))
        case .setLevel(let level):
            guard Window.Level.isValid(level.double) else {
                throw error(.levelOutOfRange, "\(Rule.w2): \(Window.Level.mistake(level.double))")
            }
            try append(.level(level.double))
        case .setHidden(let value): try append(.hidden(boolean(value)))
        case .setAlpha(let alpha): try append(.alpha(Double(alpha) / Double(UInt32.max)))
        case .setBackgroundColor(let argb): try append(.backgroundColor(Color(argb: argb)))
        case .unsetBackgroundColor: try append(.backgroundColor(nil))
        case .setTransform(let a, let b, let c, let d, let tx, let ty):
            let transform = AffineTransform(
                a: Double(a) / 65536, b: Double(b) / 65536, c: Double(c) / 65536, d: Double(d) / 65536,
                tx: tx.double, ty: ty.double)
            try append(.transform(transform))
        case .setUserInteractionEnabled(let value): try append(.userInteractionEnabled(boolean(value)))
        case .setAutoresizing(let mask): try append(.autoresizing(autoresizing(mask)))
        case .setClipsToBounds(let value): try append(.clipsToBounds(boolean(value)))
        case .setCanBecomeKey(let value): try append(.canBecomeKey(boolean(value)))
        case .setScreen(let id):
            let screen = try connection.resource(id, as: ScreenResource.self)
            // S9: ignore a screen that is already unplugged.
            if let screen, screen.screen == nil { return try append(.lostScreen) }
            try append(.screen(screen?.screen))
        case .setTitle(let title): pendingTitle = title.cut(toBytes: connection.transport.limits.titleBytes)
        case .makeKey: try append(.makeKey)
        case .makeKeyAndVisible: try append(.makeKeyAndVisible)
        case .resignKey: try append(.resignKey)
        case .beginEditing: try append(.beginEditing)
        case .disableInteraction(let id):
            try InteractionResource(client, id: id, version: version).start(window)
        }
    }

    private func boolean(_ value: UInt32) throws(ProtocolError) -> Bool {
        guard value <= 1 else { throw error(.invalidBoolean, "\(value) is not a boolean; use 0 or 1") }
        return value == 1
    }

    private func autoresizing(_ mask: MullionWindowV1.Autoresizing) throws(ProtocolError) -> Window.Autoresizing {
        guard mask.rawValue < 64 else {
            throw error(.invalidAutoresizing, "\(Rule.w1): \(mask.rawValue) has bits beyond 63")
        }
        // Both use UIKit's bits.
        return Window.Autoresizing(rawValue: UInt8(mask.rawValue))
    }

    private func append(_ change: WindowChange) throws(ProtocolError) {
        guard pending.count < 1024 else {
            throw ProtocolError(.noMemory, object: id, message: "limit reached: 1024 requests before a commit")
        }
        pending.append(change)
    }

    private func updateCharge() {
        charge.bytes =
            MemoryCost.window + pending.count * MemoryCost.change + titleCost
            + (pendingTitle.map(MemoryCost.text) ?? 0)
    }

    package override func willDestroy() {
        surface?.clearRole()
        endWindow()
    }

    // MARK: Role

    var containingWindow: Window.ID? { window }

    func didCommit(on surface: SurfaceResource) throws(ProtocolError) {
        commits.count &+= 1
        guard !pending.isEmpty || pendingTitle != nil, let window else { return }
        let changes = pending
        pending.removeAll(keepingCapacity: false)
        if let title = pendingTitle {
            titleCost = MemoryCost.text(title)
            pendingTitle = nil
            known.title = title
            server.logErrors { () throws(ModelError) in try server.model.setTitle(title, of: window) }
        }
        for change in changes {
            server.logErrors { () throws(ModelError) in try apply(change, to: window) }
        }
    }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        // The window is destroyed with its surface; the object remains, inert, until the client destroys it.
        endWindow()
        self.surface = nil
    }

    /// Asks the client to close the window.
    package func requestClose() { send(MullionWindowV1.Event.close) }

    /// Destroys the window on behalf of somebody else, and notifies the client.
    package func end() {
        if version >= 2 { send(MullionWindowV1.Event.destroyed) }
        endWindow()
    }

    /// Destroys the window; the object remains, inert, until the client destroys it.
    private func endWindow() {
        guard let window else { return }
        self.window = nil
        server.windows[window] = nil
        server.foreignToplevels.didEnd(window)
        server.captures.windowDidEnd(window)
        for events in client.eventsResources { events.forget(window) }
        server.logErrors { () throws(ModelError) in try server.model.destroyWindow(window) }
    }

    private func error(_ code: MullionWindowV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}

extension Color {
    /// 0xAARRGGBB, not premultiplied.
    init(argb: UInt32) {
        func component(_ shift: UInt32) -> Double { Double((argb >> shift) & 0xff) / 255 }
        self.init(red: component(16), green: component(8), blue: component(0), alpha: component(24))
    }
}
