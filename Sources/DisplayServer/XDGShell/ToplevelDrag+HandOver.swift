// xdg_toplevel_drag_manager_v1 and xdg_toplevel_drag_v1 for a server that takes over.

import MullionGeometry
import MullionWayland

extension ToplevelDragManagerResource: RestorableGlobal {
    typealias Interface = XdgToplevelDragManagerV1
}

/// All drags have ended; one that has not begun yet remains.
extension ToplevelDragResource: Restorable {
    struct SavedState: FixedSizeState {
        var source: ObjectID?
        var toplevel: ObjectID?
        var offset: Point
    }

    static var interfaces: [any WaylandInterface.Type] { [XdgToplevelDragV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(source: source?.id, toplevel: toplevel?.id, offset: offset)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let source: DataSourceResource? = try reader.resource(state.source)
        guard source?.toplevelDrag == nil else { throw HandOverError("a source has two toplevel drags") }
        let object = try ToplevelDragResource(reader.client, id: id, version: version, of: source)
        if let toplevel: ToplevelResource = try reader.resource(state.toplevel) {
            object.attach(toplevel, offset: state.offset)
        }
    }
}
