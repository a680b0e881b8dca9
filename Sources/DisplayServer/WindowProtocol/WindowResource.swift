// mullion_window_v1

import Geometry
import Wayland
import WindowModel

/// A window of the extension: requests wait for the surface's commit (C4), then go to the model in their order.
package final class WindowResource: Resource, SurfaceRole {
    static let roleName = "a mullion window"

    var window: Window.ID?
    var surface: SurfaceResource?
    /// What was requested since the last commit, in order.
    var pending: [Change] = [] {
        didSet { updateCharge() }
    }
    /// The last title wins, so that a client that never commits keeps no more than one here.
    var pendingTitle: String? {
        didSet { updateCharge() }
    }
    /// What the title costs that the model has.
    private var titleCost = 0
    var lastFrame = Rect.zero
    private var charge: MemoryCharge

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        charge = MemoryCharge(to: client.holdings, bytes: MemoryCost.window)
        try super.init(client, id: id, version: version)
    }

    func start(surface: SurfaceResource, screen: ScreenResource?, errorOn object: ObjectID) throws(ProtocolError) {
        try surface.setRole(self, errorOn: object, code: MullionApplicationV1.Error.role.rawValue)
        self.surface = surface
        server.ignore { () throws(ModelError) in
            // S8: a window for a screen that was unplugged a moment ago waits for it, and goes nowhere else.
            let id = try server.model.createWindow(
                application: client.application, screen: screen?.screen,
                awaiting: screen?.screen == nil ? screen?.identity : nil)
            window = id
            try server.model.setRoot(surface.node, of: id)
        }
        if let window { server.windows[window] = .window(self) }
        surface.fractionalScale?.update()
        lastFrame = window.flatMap { server.model.frame(of: $0) } ?? .zero
    }

    package override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        let request = try decode(MullionWindowV1.Request.self, opcode, &reader)
        switch request {
        case .destroy: return destroy()
        case .setFrame(_, _, let width, let height):
            guard width.rawValue >= 0, height.rawValue >= 0 else {
                throw error(.invalidFrame, "\(Rule.w6): the size \(width.double)x\(height.double) is negative")
            }
        case .setHidden(let value), .setUserInteractionEnabled(let value), .setClipsToBounds(let value),
            .setCanBecomeKey(let value):
            guard value <= 1 else { throw error(.invalidBoolean, "\(value) is neither 0 nor 1") }
        case .setAutoresizing(let mask):
            guard mask.rawValue < 64 else {
                throw error(.invalidAutoresizing, "\(Rule.w1): \(mask.rawValue) has bits beyond 63")
            }
        case .setScreen(let id):
            try append(.screen(try connection.resource(id, as: ScreenResource.self)))
            return
        case .setTitle(let title):
            pendingTitle = title.cut(toBytes: connection.transport.limits.titleBytes)
            return
        case .setLevel(let level):
            guard abs(level.double) <= 8_388_607 else {
                throw error(.levelOutOfRange, "\(Rule.w2): the level \(level.double) is not within ±8,388,607")
            }
        case .disableInteraction(let id):
            try InteractionResource(client, id: id, version: version).start(window)
            return
        case .setAlpha, .setBackgroundColor, .unsetBackgroundColor, .setTransform, .makeKey,
            .makeKeyAndVisible, .resignKey, .beginEditing:
            break
        }
        try append(.request(request))
    }

    /// A request that waits; one that names a screen keeps the object, whatever becomes of its number.
    enum Change {
        case request(MullionWindowV1.Request)
        case screen(ScreenResource?)
    }

    private func append(_ change: Change) throws(ProtocolError) {
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
        guard !pending.isEmpty || pendingTitle != nil, let window else { return }
        let changes = pending
        pending.removeAll(keepingCapacity: false)
        if let title = pendingTitle {
            titleCost = MemoryCost.text(title)
            pendingTitle = nil
            server.ignore { () throws(ModelError) in try server.model.setTitle(title, of: window) }
        }
        for change in changes {
            server.ignore { () throws(ModelError) in
                switch change {
                case .request(let request): try apply(request, to: window)
                // A screen that was unplugged in the meantime: nothing to move to (S9).
                case .screen(let screen) where screen != nil && screen?.screen == nil: break
                case .screen(let screen):
                    if let screen = screen?.screen,
                        !allows({ () throws(ModelError) in
                            try client.checkScreens(adding: screen)
                        })
                    {
                        break
                    }
                    try server.model.move(window, to: screen?.screen)
                }
            }
        }
    }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        // The window goes with its surface; the object stays, inert, until the client destroys it.
        endWindow()
        self.surface = nil
    }

    /// Asks the client to close the window.
    package func requestClose() { send(MullionWindowV1.Event.close) }

    /// The window goes; the object stays, inert, until the client destroys it.
    package func endWindow() {
        guard let window else { return }
        self.window = nil
        server.windows[window] = nil
        for events in client.eventsResources { events.forget(window) }
        server.ignore { () throws(ModelError) in try server.model.destroyWindow(window) }
    }

    private func apply(_ request: MullionWindowV1.Request, to window: Window.ID) throws(ModelError) {
        let model = server.model
        switch request {
        case .destroy, .setScreen, .setTitle, .disableInteraction: break  // Not among those that wait as they are.
        case .setFrame(let x, let y, let width, let height):
            try model.setFrame(
                Rect(x: x.double, y: y.double, width: width.double, height: height.double), of: window)
            lastFrame = model.frame(of: window) ?? lastFrame
        case .setLevel(let level):
            if allows({ () throws(ModelError) in try client.checkLevel(level.double) }) {
                try model.setLevel(level.double, of: window)
            }
        case .setHidden(let hidden): try model.setHidden(hidden == 1, of: window)
        case .setAlpha(let alpha): try model.setAlpha(Double(alpha) / Double(UInt32.max), of: window)
        case .setBackgroundColor(let argb): try model.setBackgroundColor(Color(argb: argb), of: window)
        case .unsetBackgroundColor: try model.setBackgroundColor(nil, of: window)
        case .setTransform(let a, let b, let c, let d, let tx, let ty):
            try model.setTransform(
                AffineTransform(
                    a: Double(a) / 65536, b: Double(b) / 65536, c: Double(c) / 65536, d: Double(d) / 65536,
                    tx: tx.double, ty: ty.double), of: window)
        case .setUserInteractionEnabled(let enabled): try model.setUserInteractionEnabled(enabled == 1, of: window)
        case .setAutoresizing(let mask):
            var autoresizing: Window.Autoresizing = []
            if mask.contains(.width) { autoresizing.insert(.width) }
            if mask.contains(.height) { autoresizing.insert(.height) }
            try model.setAutoresizing(autoresizing, of: window)
        case .setClipsToBounds(let clips): try model.setClipsToBounds(clips == 1, of: window)
        case .setCanBecomeKey(let can): try model.setCanBecomeKey(can == 1, of: window)
        case .makeKey: try model.makeKey(window)
        case .makeKeyAndVisible: try model.makeKeyAndVisible(window)
        case .resignKey: try model.resignKey(window)
        case .beginEditing: try model.beginEditing(window)
        }
    }

    /// Whether the policy lets it; when not, the client and the log are told why.
    private func allows(_ check: () throws(ModelError) -> Void) -> Bool {
        do throws(ModelError) {
            try check()
            return true
        } catch {
            server.logRefusal(.policy, client.description, "\(error)", about: client.subject(rule: error.rule))
            send(MullionWindowV1.Event.refused(reason: "\(error)"))
            return false
        }
    }

    // MARK: Notifications

    /// S8, and moves by the control API. Every screen object of the client for that screen will do; the first is named.
    func screenDidChange(_ screen: Screen.ID?) {
        let object = screen.flatMap { screen in client.screens.first { $0.screen == screen } }
        guard screen == nil || object != nil else { return }
        send(MullionWindowV1.Event.screenDidChange(screen: object?.id))
    }

    /// Tells of a frame that somebody else chose.
    func frameDidChange() {
        guard let window, let frame = server.model.frame(of: window), frame != lastFrame else { return }
        lastFrame = frame
        send(
            MullionWindowV1.Event.frameDidChange(
                x: Fixed(rounding: frame.minX), y: Fixed(rounding: frame.minY),
                width: Fixed(rounding: frame.size.width), height: Fixed(rounding: frame.size.height)))
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
