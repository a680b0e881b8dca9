// mullion_x11_window_v1

import MullionGeometry
import MullionWayland
import WindowModel

/// A top-level window of an X server. Its object is the manager's, and its content a surface of the X server.
final class X11WindowResource: PlainWindow, SurfaceRole {
    typealias Kind = MullionX11WindowV1.Kind
    typealias State = MullionX11WindowV1.State
    static let roleName = RoleName.x11Window

    /// Nil once the X server has ended.
    private(set) weak var x11: X11ServerResource?
    private let managed: Client?
    /// What it shows.
    var surface: SurfaceResource?
    /// The name of the surface that it waits for.
    var surfaceName: X11ServerResource.SurfaceName?
    var kind = Kind.normal
    var acceptsFocus = true
    var isDecorated = true
    /// Whether the manager has named its parent.
    var hasParent = false
    /// Where it is in full screen, in points of the layout; nil: on the screen that it is on.
    var fullscreenArea: Rect?
    /// Whether it has a position already.
    var isPlaced = false
    /// Whether it has no content because it is or was minimized or hidden: the X server has unmapped it.
    var isIconic = false
    /// Whether `ended` was sent: everything but destroy is ignored.
    var hasEnded = false
    /// The configuration that the manager knows; an unchanged one is not sent again.
    var sent: Configuration?

    struct Configuration: Equatable, Codable {
        /// In points of the layout.
        var x: Int32
        var y: Int32
        var width: Int32
        var height: Int32
        var states: UInt32

        var isMinimized: Bool { State(rawValue: states).contains(.minimized) }
    }

    init(_ client: Client, id: ObjectID, version: UInt32, of x11: X11ServerResource?) throws(ProtocolError) {
        self.x11 = x11
        managed = x11?.managed
        try super.init(client, id: id, version: version)
    }

    /// Creates the window, unless the X server has ended or may not have another one.
    func start(_ kind: Kind) throws(ProtocolError) {
        guard let managed else { return end(because: .serverEnded) }
        do throws(ProtocolError) {
            try managed.checkWindow(errorOn: id)
        } catch {
            // Not the manager's error: the program has too many windows.
            server.log(.warning, "client \(owner.description): \(error.message)", about: owner.subject())
            return end(because: .refused)
        }
        begin(with: nil)
        self.kind = kind
        kindDidChange()
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        let request = try decode(MullionX11WindowV1.Request.self, opcode, &reader)
        if case .destroy = request { return destroy() }
        guard window != nil else { return }
        switch request {
        case .destroy: break
        case .setSurface(let surface): show(surface == 0 ? nil : .object(ObjectID(surface)))
        case .setSurfaceSerial(let low, let high): show(.serial(UInt64(high) << 32 | UInt64(low)))
        case .setKind(let value):
            let (old, isHeldBack) = (kind, !isManaged && !isPlaced)
            kind = try kind(value)
            if old == .dragIcon, kind != .dragIcon, let window { endDragIcon(window) }
            kindDidChange()
            if isHeldBack { showSurface() }
        case .setTitle(let title): describe(title: title)
        case .setAppId(let name): describe(applicationID: name)
        case .setParent(let parent): setParent(try connection.resource(parent, as: X11WindowResource.self))
        case .setFrame(let x, let y, let width, let height, let isPositioned):
            let size = Size(width: Double(max(1, width)), height: Double(max(1, height)))
            setFrame(Rect(origin: Point(x: Double(x), y: Double(y)), size: size), isPositioned: isPositioned != 0)
        case .setSizeLimits(let leastWidth, let leastHeight, let mostWidth, let mostHeight):
            let least = Size(width: Double(max(0, leastWidth)), height: Double(max(0, leastHeight)))
            func most(_ value: Int32, _ least: Double) -> Double { Double(value) < least ? 0 : Double(max(0, value)) }
            limits = SizeLimits(
                least: least, most: Size(width: most(mostWidth, least.width), height: most(mostHeight, least.height)))
        case .setAcceptsFocus(let value):
            acceptsFocus = value != 0
            kindDidChange()
        case .setDecorated(let value):
            isDecorated = value != 0
            stateDidChange()
        case .setState(let mask, let states): setState(mask, states)
        case .setFullscreenArea(let x, let y, let width, let height):
            let size = Size(width: Double(max(1, width)), height: Double(max(1, height)))
            fullscreenArea = Rect(origin: Point(x: Double(x), y: Double(y)), size: size)
            if isFullscreen { setFullscreen(true, on: fullscreenScreen) }
            if isConfigurable { configure(evenIfEqual: false) }
        case .activate: activate()
        case .raise: server.logErrors { () throws(ModelError) in try window.map(server.model.bringToFront) }
        case .beginMove: drag(nil)
        case .beginResize(let edge):
            if let edges = ResizeEdges(XdgToplevel.ResizeEdge(rawValue: edge)), edges != [] { drag(edges) }
        }
    }

    /// Checks a kind.
    func kind(_ value: Kind) throws(ProtocolError) -> Kind {
        guard Kind.allValues.contains(value.rawValue) else {
            throw ProtocolError(
                object: id, code: MullionX11WindowV1.Error.invalidValue.rawValue,
                message: "\(value.rawValue) is not a kind of window; use 0, 1, 2 or 3")
        }
        return value
    }

    // MARK: Kinds of windows

    var isManaged: Bool { kind == .normal || kind == .dialog }
    override var owner: Client { managed ?? client }
    override var isConfigurable: Bool { window != nil && isPlaced }
    override var leavesDecorations: Bool { isDecorated && isManaged }
    override var isListed: Bool { hasPlace && isManaged }
    package override var hasPlace: Bool { isMapped || isIconic }
    override var hasOwnFrame: Bool { super.hasOwnFrame && isManaged }

    /// K4, K7
    private func kindDidChange() {
        guard let window else { return }
        let canBecomeKey = acceptsFocus && isManaged && may.contains(.key)
        server.logErrors { () throws(ModelError) in
            if canBecomeKey != server.model.window(window)?.canBecomeKey {
                try server.model.setCanBecomeKey(canBecomeKey, of: window)
            }
            try server.model.setKeyOnTouch(isManaged, of: window)
        }
        if kind == .dragIcon { becomeDragIcon(window) }
        stateDidChange()
    }

    private func setParent(_ parent: X11WindowResource?) {
        guard let window, kind != .dragIcon, parent !== self, parent?.x11 === x11 || parent == nil else { return }
        if let other = parent?.window, server.model.isDescendant(other, of: window) { return }
        hasParent = parent?.window != nil
        becomeChild(of: parent?.window)
    }

    /// W3: menus and tooltips are in front of the window that has the keyboard, if its program is the X server too.
    func findParent() {
        guard kind == .unmanaged, !hasParent, let window, let screen = server.model.screen(of: window),
            let seat = server.model.seat(of: screen), let key = server.model.keyWindow(of: seat), key != window,
            server.model.application(of: key) == owner.application, !server.model.isDescendant(key, of: window)
        else { return }
        // At the limit it is in front of the others only.
        try? server.model.setParent(key, of: window)
    }

    // MARK: States

    private func setState(_ mask: State, _ states: State) {
        guard let window else { return }
        if mask.contains(.maximized), states.contains(.maximized) != isMaximized {
            setMaximized(states.contains(.maximized))
        }
        if mask.contains(.fullscreen), states.contains(.fullscreen) != isFullscreen {
            setFullscreen(states.contains(.fullscreen), on: fullscreenScreen)
        }
        if mask.contains(.minimized), states.contains(.minimized) != isMinimized {
            // Also before it has content: programs may begin as icons.
            isMinimized.toggle()
            server.logErrors { () throws(ModelError) in try server.model.setHidden(isMinimized, of: window) }
        }
        if isConfigurable { configure(evenIfEqual: true) }
    }

    private var fullscreenScreen: Screen.ID? { fullscreenArea.flatMap { server.screen(showing: $0, preferring: nil) } }

    /// K2: as a window of a program that cannot ask, it takes key only from windows of the X server.
    private func activate() {
        let model = server.model
        guard let window, let seat = model.seat(of: window) else { return }
        if let key = model.keyWindow(of: seat), model.application(of: key) != owner.application { return }
        setMinimized(false)
        server.logErrors { () throws(ModelError) in
            try model.makeKey(window)
            try model.bringToFront(window)
        }
    }

    // MARK: Frame

    override func configure(evenIfEqual: Bool) { sendConfiguration(evenIfEqual: evenIfEqual) }

    /// It is placed before it has content.
    override func firstOrigin(_ size: Size) -> Point {
        guard isPlaced, !isMaximized, !isFullscreen, let frame = window.flatMap({ server.model.frame(of: $0) }) else {
            return super.firstOrigin(size)
        }
        return frame.origin
    }

    override var frameToRestore: Rect? {
        guard let frame = window.flatMap({ server.model.frame(of: $0) }) else { return nil }
        return isPlaced ? Rect(origin: frame.origin, size: normalFrame?.size ?? frame.size) : nil
    }

    /// A resize ends when the content has the size that the X window has. X programs acknowledge nothing.
    override var lastConfigure: UInt32? { 1 }
    override var acknowledgedConfigure: UInt32? { surface?.size == normalFrame?.size ? 1 : nil }

    private func drag(_ edges: ResizeEdges?) {
        for seat in server.seats { seat.frameDrag.start(self, edges: edges) }
    }

    override func keyDidChange() {
        let isKey = window.flatMap { server.model.window($0)?.isKey } ?? false
        send(MullionX11WindowV1.Event.focused(isFocused: isKey ? 1 : 0))
        super.keyDidChange()
    }

    override func visibilityDidChange() {
        super.visibilityDidChange()
        stateDidChange()
    }

    /// Called when it was hidden or shown, with or without content.
    func hiddenDidChange() {
        if let window, server.model.window(window)?.isHidden == false { isMinimized = false }
        stateDidChange()
    }

    package override func requestClose() { send(MullionX11WindowV1.Event.close) }

    // MARK: End

    package override func remove() { end(because: .removed) }

    /// Ends the window; the object remains, inert, until the manager destroys it.
    func end(because reason: MullionX11WindowV1.End) {
        guard !hasEnded else { return }
        hasEnded = true
        send(MullionX11WindowV1.Event.ended(reason: reason))
        end()
    }

    package override func end() {
        show(nil)
        x11?.windowDidEnd(self)
        super.end()
    }

    override func willDestroy() {
        end()
        x11?.remove(self)
    }
}
