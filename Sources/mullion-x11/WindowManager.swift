// The window manager of the X server: makes its windows follow the server's.

import MullionWayland
import X11

/// Manages the top-level windows of one X server. It decides nothing: programs' requests go to the server, and the server's
/// decisions to the X server.
final class WindowManager {
    let session: Session
    let x: XConnection
    let setup: XSetup
    let atoms: Atoms
    /// A window for properties of the window manager, which is never shown.
    let helper: XWindowID
    var windows: [XWindowID: ManagedWindow] = [:]
    /// Windows by the window that they are transient for.
    var children: [XWindowID: Set<XWindowID>] = [:]
    /// In the order in which they were mapped.
    var mapped: [ManagedWindow] = []
    /// Back to front.
    var order: [ManagedWindow] = []
    /// Windows that are about to be shown.
    private let newWindows = NewWindows<MullionX11WindowV1.Request>()
    /// Surfaces of windows that are not known yet.
    private var earlySurfaces: [XWindowID: MullionX11WindowV1.Request] = [:]
    private static let mostEarlySurfaces = 64

    /// The window that the server's keyboard is on.
    weak var focused: ManagedWindow?
    /// The window that was given the X server's keyboard, or asked to take it.
    var givenFocus: XWindowID?
    var isFocusStale = true
    var isListStale = true
    /// What waits for the time of the X server.
    private var timed: [(XTime) -> Void] = []
    var rootFrame: XFrame
    /// Called when a Wayland program's drag enters a window.
    var onDragEntered: ((ManagedWindow, DragEntry) -> Void)?
    /// The window that owns the selection of drags while an X11 program drags something.
    var dragSource: XWindowID?

    init(_ session: Session, _ setup: XSetup, _ atoms: Atoms) {
        self.session = session
        self.setup = setup
        self.atoms = atoms
        x = session.x
        helper = x.createHelperWindow()
        rootFrame = XFrame(x: 0, y: 0, width: setup.width, height: setup.height)
    }

    /// Takes over the windows of the X server, which accepts programs from then on.
    func begin() {
        x.select([.structure, .substructure, .substructureRedirect], on: setup.root)
        x.redirectChildrenOfRoot()
        x.doNotKeepServer()
        describeRoot()
        x.setSelectionOwner(helper, of: atoms[.wmS0])
    }

    func stop() {
        for window in windows.values { window.proxy.onEvent = nil }
        windows = [:]
    }

    func isManaged(_ window: XWindowID) -> Bool { windows[window] != nil }

    /// Calls `body` with the present time of the X server: requests with an earlier one than the last change of the
    /// keyboard or of a selection have no effect.
    func withTime(_ body: @escaping (XTime) -> Void) {
        timed.append(body)
        if timed.count == 1 { x.setProperty(helper, atoms[.ownTime], type: .integer, [0]) }
    }

    // MARK: Events

    func handle(_ event: XEvent) {
        switch event {
        case .mapRequest(let window): mapRequested(window)
        case .mapped(let window, let isOverrideRedirect):
            if isOverrideRedirect, windows[window] == nil { come(window, isUnmanaged: true) }
        case .unmapped(let window, let sequence, let isSynthetic): unmapped(window, sequence, isSynthetic: isSynthetic)
        case .destroyed(let window): remove(window)
        case .reparented(let window, let parent): if parent != setup.root { remove(window) }
        case .configured(let window, let frame): configured(window, frame)
        case .configureRequest(let window, let request): configureRequested(window, request)
        case .propertyChanged(let window, let atom, let time, _):
            if window == helper {
                guard atom == atoms[.ownTime] else { return }
                let waiting = timed
                timed = []
                for body in waiting { body(time) }
            } else if let window = windows[window] {
                propertyChanged(window, atom)
            }
        case .focusIn(let window, let mode, let detail): focusMoved(to: window, mode: mode, detail: detail)
        case .clientMessage(let message, let isSynthetic): received(message, isSynthetic: isSynthetic)
        case .created, .selectionRequest, .selectionNotify, .selectionOwner: break
        }
    }

    func turnEnded() {
        if isFocusStale { applyFocus() }
        if isListStale { publishLists() }
    }

    // MARK: Windows

    private func mapRequested(_ id: XWindowID) {
        if let window = windows[id] {
            // A program that maps a minimized window wants it to be shown (ICCCM 4.1.4).
            if window.states.contains(.minimized) {
                window.send(.setState(mask: .minimized, states: []))
                window.send(.activate)
            }
            return
        }
        come(id, isUnmanaged: false)
    }

    /// Adds a window when it is its turn.
    private func come(_ id: XWindowID, isUnmanaged: Bool) {
        let entry = NewWindows.Entry(
            id, isUnmanaged: isUnmanaged, surface: earlySurfaces.removeValue(forKey: id))
        if newWindows.add(entry, of: setup.client(of: id)) { add(entry) }
    }

    /// Called when the server knows a new window: another one of its program follows.
    func didAdd(_ window: ManagedWindow) {
        if let next = newWindows.didAdd(of: setup.client(of: window.id)) { add(next) }
    }

    /// Lets the new windows of the program that has most wait until `releaseNewWindows`.
    func holdNewWindows() {
        var counts: [UInt32: Int] = [:]
        for id in windows.keys { counts[setup.client(of: id), default: 0] += 1 }
        if let largest = counts.max(by: { $0.value < $1.value }) { newWindows.hold(largest.key) }
    }

    func releaseNewWindows() {
        for entry in newWindows.release() { add(entry) }
    }

    /// Forgets the windows of a program that ends before they are added.
    func dropNewWindows(of client: UInt32) { newWindows.removeAll(of: client) }

    private func add(_ entry: NewWindows<MullionX11WindowV1.Request>.Entry) {
        let (id, isUnmanaged) = (entry.window, entry.isUnmanaged)
        let link = session.link
        let proxy = Proxy<MullionX11WindowV1>(link.connection, version: session.server.version)
        session.server.send(.createWindow(id: proxy.id, kind: isUnmanaged ? .unmanaged : .normal))
        let window = ManagedWindow(id, isUnmanaged: isUnmanaged, proxy)
        window.sent.kind = isUnmanaged ? .unmanaged : .normal
        window.isMapped = isUnmanaged
        proxy.onEvent = { [unowned self, unowned window] event in handle(event, of: window) }
        windows[id] = window
        if let surface = entry.surface { window.send(surface) }
        x.select(isUnmanaged ? .properties : [.properties, .focus], on: id)
        if !isUnmanaged { x.removeBorder(of: id) }
        readAll(window)
        if !isUnmanaged {
            mapped.append(window)
            isListStale = true
        }
    }

    /// Records or sends which surface a window has.
    func setSurface(_ id: XWindowID, _ request: MullionX11WindowV1.Request) {
        if let window = windows[id] { return window.send(request) }
        if newWindows.setSurface(request, of: id, of: setup.client(of: id)) { return }
        if earlySurfaces.count < Self.mostEarlySurfaces || earlySurfaces[id] != nil { earlySurfaces[id] = request }
    }

    /// A program withdraws its window. If it is minimized, only a message says so (ICCCM 4.1.4).
    private func unmapped(_ id: XWindowID, _ sequence: UInt16, isSynthetic: Bool) {
        if !isSynthetic, let window = windows[id], let index = window.ownUnmaps.firstIndex(of: sequence) {
            window.ownUnmaps.removeFirst(index + 1)
        } else {
            remove(id)
        }
    }

    private func remove(_ id: XWindowID) {
        earlySurfaces[id] = nil
        newWindows.remove(id, of: setup.client(of: id))
        guard let window = windows.removeValue(forKey: id) else { return }
        window.isGone = true
        window.proxy.onEvent = nil
        window.proxy.send(.destroy)
        setParent(of: window, .none)
        if !window.isUnmanaged {
            mapped.removeAll { $0 === window }
            isListStale = true
            x.select([], on: id)
            // Withdrawn (ICCCM 4.1.3.1). It fails if the window is gone.
            x.deleteProperty(id, atoms[.wmState])
            x.deleteProperty(id, atoms[.netState])
        }
        order.removeAll { $0 === window }
        if focused === window {
            focused = nil
            isFocusStale = true
        }
    }

    /// Records what a window is transient for.
    func setParent(of window: ManagedWindow, _ parent: XWindowID) {
        children[window.transientFor]?.remove(window.id)
        if children[window.transientFor]?.isEmpty == true { children[window.transientFor] = nil }
        window.transientFor = parent
        guard parent != .none, !window.isGone else { return }
        children[parent, default: []].insert(window.id)
    }

    // MARK: Geometry

    private func configured(_ id: XWindowID, _ frame: XFrame) {
        if id == setup.root {
            rootFrame = frame
            publishArea()
        } else if let window = windows[id], window.isUnmanaged {
            // Only this program moves the others, and knows it before the X server says so.
            if let dragSource, setup.isSameClient(dragSource, id),
                (frame.x, frame.y) != (window.frame.x, window.frame.y)
            {
                followsDrag(window)
            }
            window.frame = frame
            if window.isDescribed { sendFrame(window, XConfiguration(frame)) }
        }
    }

    private func configureRequested(_ id: XWindowID, _ request: XConfiguration) {
        guard let window = windows[id], !window.isInert else {
            return x.configure(id, request)
        }
        if request.raises, window.isDescribed { window.send(.raise) }
        guard !request.isEmpty else { return }
        if !window.isDescribed {
            window.early = merged(request, over: window.early)
        } else if let next = window.requests.add(request) {
            sendFrame(window, next)
        }
    }

    private func merged(_ request: XConfiguration, over old: XConfiguration) -> XConfiguration {
        XConfiguration(
            x: request.x ?? old.x, y: request.y ?? old.y, width: request.width ?? old.width,
            height: request.height ?? old.height)
    }

    func sendFrame(_ window: ManagedWindow, _ request: XConfiguration, isPositioned: Bool? = nil) {
        let frame = request.applied(to: window.frame).clamped
        let hasPosition = isPositioned ?? (request.x != nil && request.y != nil)
        window.send(
            .setFrame(
                x: Int32(frame.x), y: Int32(frame.y), width: Int32(frame.width), height: Int32(frame.height),
                isPositioned: hasPosition ? 1 : 0))
    }
}
