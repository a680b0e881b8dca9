// mullion_x11_server_v1

import MullionSystem
import MullionWayland
import WindowModel

/// An X server whose windows another client, its manager, describes.
final class X11ServerResource: Resource {
    /// What a manager calls a surface of the X server.
    enum SurfaceName: Hashable, Codable {
        /// The id of the wl_surface.
        case object(ObjectID)
        /// The serial of its xwayland_surface_v1.
        case serial(UInt64)
    }

    /// The X server; nil once it has ended.
    private(set) var managed: Client?
    /// The windows that wait for a surface, by its name. The last one that names a surface has it.
    private var waiting: [SurfaceName: X11WindowResource] = [:]
    /// The surfaces that have serials.
    private var named: [UInt64: XwaylandSurfaceResource] = [:]
    private var windows: [ObjectID: X11WindowResource] = [:]
    /// The order of the windows as the manager knows it, bottom to top.
    private var sentOrder: [X11WindowResource] = []
    private var needsUpdate = false
    /// The share of the limits at which the manager is asked to end a program.
    var nextCrowding = firstCrowding
    /// What the manager knows of the areas that panels leave free; nil: nothing yet.
    var sentWorkAreas: [X11WorkArea]?
    /// The manager's objects that receive drags over the windows, one a seat.
    var dragDevices: [DataDeviceResource] = []
    /// Whether the X server has ended while another server took over from this one.
    var hasLostServer = false

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(client, id: id, version: version)
        server.x11Servers.append(self)
    }

    func serve(_ socket: OwnedDescriptor) {
        managed = server.attach(socket, managedBy: self)
        if managed == nil { return send(MullionX11ServerV1.Event.ended) }
        setNeedsUpdate()
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(MullionX11ServerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .createWindow(let id, let kind):
            let window = try X11WindowResource(client, id: id, version: version, of: self)
            windows[id] = window
            try window.start(window.kind(kind))
            // Before the manager is answered: it holds windows back then.
            checkCrowding()
        case .startDrag(let id): try X11DragResource(client, id: id, version: version, of: managed).start()
        case .receiveDrags(let device): receiveDrags(try connection.resource(device, as: DataDeviceResource.self))
        }
    }

    override func willDestroy() {
        server.x11Servers.removeAll { $0 === self }
        let old = managed
        endWindows()
        old?.close(because: nil)
    }

    /// Called when the X server's connection has ended.
    func serverDidEnd() {
        guard managed != nil || hasLostServer else { return }
        hasLostServer = false
        endWindows()
        send(MullionX11ServerV1.Event.ended)
    }

    private func endWindows() {
        managed = nil
        for window in windows.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
            window.end(because: .serverEnded)
        }
        waiting = [:]
        named = [:]
        sentOrder = []
    }

    /// Called when the object of a window is destroyed.
    func remove(_ window: X11WindowResource) { windows[window.id] = nil }

    // MARK: Surfaces

    /// Gives a window the surface of that name, now or once it is created.
    func find(_ name: SurfaceName, for window: X11WindowResource) {
        guard let managed else { return }
        let surface: SurfaceResource?
        switch name {
        case .object(let id): surface = managed.resource(id) as? SurfaceResource
        case .serial(let serial): surface = named[serial]?.surface
        }
        if let surface { return window.take(surface) }
        waiting[name]?.surfaceName = nil
        waiting[name] = window
        window.surfaceName = name
    }

    func forget(_ name: SurfaceName) { waiting[name] = nil }

    /// Called when the X server has created a surface.
    func didCreate(_ surface: SurfaceResource) {
        guard !waiting.isEmpty else { return }
        didName(surface, .object(surface.id))
    }

    /// Called when the X server has given a surface a serial.
    /// - Returns: false when another surface has it.
    func didName(_ surface: XwaylandSurfaceResource, _ serial: UInt64) -> Bool {
        guard named[serial] == nil else { return false }
        named[serial] = surface
        if let surface = surface.surface { didName(surface, .serial(serial)) }
        return true
    }

    func forget(_ surface: XwaylandSurfaceResource, _ serial: UInt64) {
        if named[serial] === surface { named[serial] = nil }
    }

    private func didName(_ surface: SurfaceResource, _ name: SurfaceName) {
        guard let window = waiting.removeValue(forKey: name) else { return }
        window.surfaceName = nil
        window.take(surface)
    }

    // MARK: Order

    /// Called when a work area may have changed, or a window has another place in the order.
    func setNeedsUpdate() {
        needsUpdate = true
        server.watchersNeedUpdate = true
    }

    func windowDidEnd(_ window: X11WindowResource) {
        if let index = sentOrder.firstIndex(where: { $0 === window }) { sentOrder.remove(at: index) }
    }

    /// Sends the work areas and the order if they have changed. A manager that does not read receives them once it has
    /// caught up.
    func update() {
        guard needsUpdate else { return }
        guard let managed, !client.transport.isCongested else {
            server.watchersWait = true
            return
        }
        needsUpdate = false
        let areas = server.x11WorkAreas
        if areas != sentWorkAreas {
            sentWorkAreas = areas
            send(MullionX11ServerV1.Event.workAreas(areas: areas.flatMap(\.bytes)))
        }
        let order = server.model.windows(of: managed.application).compactMap { id -> X11WindowResource? in
            guard case .toplevel(let window as X11WindowResource) = server.windows[id] else { return nil }
            return window
        }
        for move in StackOrder.moves(from: sentOrder.map(\.id), to: order.map(\.id)) {
            windows[move.item]?.send(MullionX11WindowV1.Event.stacked(above: move.above))
        }
        sentOrder = order
    }

    // MARK: Hand-over

    var order: [ObjectID] { sentOrder.map(\.id) }

    func restore(_ managed: Client?) {
        self.managed = managed
        managed?.x11Server = self
    }

    func restore(_ window: X11WindowResource) {
        windows[window.id] = window
        if let name = window.surfaceName { waiting[name] = window }
    }

    func restore(order: [ObjectID]) { sentOrder = order.compactMap { windows[$0] } }
}

extension DisplayServer {
    /// Called with every effect of the model while there are X servers.
    func noteForX11(_ effect: Effect) {
        switch effect {
        case .cameToFront(let window, _), .orderDidChange(let window, _), .screenDidChange(let window, _, _),
            .windowDidChange(let window, _, .level):
            guard case .toplevel(let window as X11WindowResource) = windows[window] else { return }
            window.x11?.setNeedsUpdate()
        case .windowDidChange(let window, _, .hidden):
            guard case .toplevel(let window as X11WindowResource) = windows[window] else { return }
            window.hiddenDidChange()
        case .screenDidConnect, .screenDidDisconnect, .modeDidChange, .screenPropertiesDidChange,
            .orientationDidChange:
            for x11 in x11Servers { x11.setNeedsUpdate() }
        default: break
        }
    }
}
