// mullion_application_v1, mullion_window_v1 and mullion_screen_v1 for a server that takes over.

import MullionGeometry
import MullionWayland
import WindowModel

extension ApplicationResource: RestorableGlobal {
    typealias Interface = MullionApplicationV1
}

extension WindowResource: Restorable {
    struct SavedState: ObjectState {
        var surface: ObjectID?
        var window: Window.ID?
        var pending: [WindowChange]
        var pendingTitle: String?
        var known: KnownProperties
        var commits: CommitCount

        var variableSize: Int {
            pending.count * SavedObject.fixedSize / 2 + ((pendingTitle?.utf8.count ?? 0) + known.title.utf8.count) * 2
        }
    }

    static var interfaces: [any WaylandInterface.Type] { [MullionWindowV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            surface: surface.flatMap { $0.isAlive ? $0.id : nil }, window: window,
            pending: pending, pendingTitle: pendingTitle, known: known, commits: commits)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try WindowResource(reader.client, id: id, version: version)
        if let surface: SurfaceResource = try reader.resource(state.surface) {
            try surface.setRole(object, errorOn: id, code: 0)
            object.surface = surface
        }
        if let window = state.window {
            try reader.checkWindow(window)
            object.window = window
            reader.server.windows[window] = .window(object)
        }
        object.pendingTitle = state.pendingTitle
        object.known = state.known
        object.commits = state.commits
        object.pending = state.pending
    }
}

extension ScreenResource: Restorable {
    struct SavedState: FixedSizeState {
        var screen: Screen.ID?
        var identity: Screen.Identity
    }

    static var interfaces: [any WaylandInterface.Type] { [MullionScreenV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(screen: screen, identity: identity) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = ScreenResource(
            reader.client, version: version, screen: try reader.screen(state.screen)?.id, identity: state.identity)
    }
}
