// X servers and their windows for a server that takes over.

import MullionGeometry
import MullionWayland
import WindowModel

extension X11ManagerResource: Restorable {
    struct SavedState: ObjectState {
        var display: String

        var variableSize: Int { display.utf8.count }
    }

    static var interfaces: [any WaylandInterface.Type] { [MullionX11ManagerV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(display: display) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        try X11ManagerResource(reader.client, id: id, version: version).display = state.display
    }
}

extension XwaylandShellResource: RestorableGlobal {
    typealias Interface = XwaylandShellV1
}

extension X11ServerResource: Restorable {
    struct SavedState: ObjectState {
        /// Nil once it has ended.
        var managed: Application.ID?
        /// The windows in the order that the manager knows.
        var order: [ObjectID]
        var workAreas: [X11WorkArea]?
        var dragDevices: [ObjectID]

        var variableSize: Int { (order.count + dragDevices.count) * 6 + (workAreas?.count ?? 0) * 64 }
    }

    static var interfaces: [any WaylandInterface.Type] { [MullionX11ServerV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            managed: managed?.application, order: order, workAreas: sentWorkAreas, dragDevices: dragDevices.map(\.id))
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try X11ServerResource(reader.client, id: id, version: version)
        object.sentWorkAreas = state.workAreas
        guard let managed = state.managed else { return }
        // Its socket may be gone.
        let client = reader.server.client(managed)
        guard client?.manager == reader.client.application || client == nil, client?.x11Server == nil else {
            throw HandOverError("client \(managed) is not an X server of its own")
        }
        object.restore(client)
    }

    func finishRestoring(_ state: SavedState, _ reader: HandOverReader) throws {
        restore(order: state.order)
        for id in state.dragDevices { receiveDrags(try reader.resource(id)) }
        // Events are not sent yet.
        hasLostServer = state.managed != nil && managed == nil
        setNeedsUpdate()
    }
}

extension X11WindowResource: Restorable {
    struct SavedState: ObjectState {
        var x11: ObjectID?
        var window: Window.ID?
        var surface: ObjectID?
        var surfaceName: X11ServerResource.SurfaceName?
        var kind: UInt32
        var acceptsFocus: Bool
        var isDecorated: Bool
        var hasParent: Bool
        var isPlaced: Bool
        var isMapped: Bool
        var isIconic: Bool
        /// Nil also from servers that did not know it.
        var fullscreenArea: Rect?
        var plain: SavedPlainWindow
        var sent: Configuration?

        var variableSize: Int { plain.variableSize }
    }

    static var interfaces: [any WaylandInterface.Type] { [MullionX11WindowV1.self] }
    static var restorationPhase: RestorationPhase { .windows }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            x11: x11.flatMap { $0.isAlive ? $0.id : nil }, window: window, surface: surface?.id,
            surfaceName: surfaceName, kind: kind.rawValue, acceptsFocus: acceptsFocus, isDecorated: isDecorated,
            hasParent: hasParent, isPlaced: isPlaced, isMapped: isMapped, isIconic: isIconic,
            fullscreenArea: fullscreenArea, plain: SavedPlainWindow(self), sent: sent)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let x11: X11ServerResource? = try reader.resource(state.x11)
        let object = try X11WindowResource(reader.client, id: id, version: version, of: x11)
        object.kind = Kind(rawValue: state.kind)
        object.acceptsFocus = state.acceptsFocus
        object.isDecorated = state.isDecorated
        object.hasParent = state.hasParent
        object.isPlaced = state.isPlaced
        object.isIconic = state.isIconic
        object.fullscreenArea = state.fullscreenArea
        state.plain.restore(object)
        object.sent = state.sent
        object.surfaceName = state.surfaceName
        x11?.restore(object)
        guard let window = state.window, let managed = x11?.managed else {
            object.hasEnded = state.window == nil
            return
        }
        guard reader.server.model.window(window)?.application == managed.application,
            reader.server.windows[window] == nil
        else { throw HandOverError("window \(window) is not one of its X server, or has two objects") }
        object.window = window
        reader.server.windows[window] = .toplevel(object)
        guard let name = state.surface else { return }
        let surface: SurfaceResource = try managed.resource(name, as: SurfaceResource.self)
        try surface.setRole(object, errorOn: id, code: 0)
        object.surface = surface
        object.isMapped = state.isMapped
    }
}

extension X11DragResource: Restorable {
    static var interfaces: [any WaylandInterface.Type] { [MullionX11DragV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    /// Drags end before a restart.
    static func restore(_ state: NoState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try X11DragResource(reader.client, id: id, version: version, of: nil)
    }
}

extension XwaylandSurfaceResource: Restorable {
    struct SavedState: FixedSizeState {
        var surface: ObjectID?
        var serial: UInt64?
    }

    static var interfaces: [any WaylandInterface.Type] { [XwaylandSurfaceV1.self] }
    static var restorationPhase: RestorationPhase { .windows }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(surface: surface.flatMap { $0.isAlive ? $0.id : nil }, serial: serial)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try XwaylandSurfaceResource(reader.client, id: id, version: version)
        object.restore(try reader.resource(state.surface), serial: state.serial)
    }
}
