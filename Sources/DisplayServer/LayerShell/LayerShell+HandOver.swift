// The layer shell for a server that takes over.

import MullionGeometry
import MullionWayland
import WindowModel

extension LayerShellResource: RestorableGlobal {
    typealias Interface = ZwlrLayerShellV1
}

extension LayerSurfaceResource: Restorable {
    struct SavedState: ObjectState {
        var surface: ObjectID?
        var shell: ObjectID?
        var window: Window.ID?
        var pending: LayerState
        var current: LayerState
        var sent: Size?
        var serials: ConfigureSerials
        var hasCommittedFirst: Bool
        var isMapped: Bool
        var isClosed: Bool
        /// The bytes of the title, which the model has.
        var titleBytes: Int

        var variableSize: Int { serials.variableSize + titleBytes }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwlrLayerSurfaceV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            surface: surface?.id, shell: shell.flatMap { $0.isAlive ? $0.id : nil }, window: window, pending: pending,
            current: current, sent: sent, serials: serials, hasCommittedFirst: hasCommittedFirst, isMapped: isMapped,
            isClosed: isClosed, titleBytes: window.flatMap { server.model.window($0)?.title.utf8.count } ?? 0)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try LayerSurfaceResource(reader.client, id: id, version: version)
        if let surface: SurfaceResource = try reader.resource(state.surface) {
            try surface.setRole(object, errorOn: id, code: 0)
            object.surface = surface
        }
        object.shell = try reader.resource(state.shell)
        object.pending = state.pending
        object.current = state.current
        object.sent = state.sent
        object.serials = ConfigureSerials(state.serials)
        object.hasCommittedFirst = state.hasCommittedFirst
        object.isMapped = state.isMapped
        object.isClosed = state.isClosed
        guard let window = state.window else { return }
        try reader.checkWindow(window)
        object.window = window
        object.setCharge(namespace: reader.server.model.window(window)?.title ?? "")
        reader.server.windows[window] = .layer(object)
        object.join(reader.server.model.screen(of: window))
    }
}
