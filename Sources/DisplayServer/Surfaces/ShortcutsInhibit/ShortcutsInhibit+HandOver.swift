// Keyboard shortcuts inhibitors for a server that takes over.

import MullionWayland
import WindowModel

extension ShortcutsInhibitManagerResource: RestorableGlobal {
    typealias Interface = ZwpKeyboardShortcutsInhibitManagerV1
}

extension ShortcutsInhibitorResource: Restorable {
    struct SavedState: FixedSizeState {
        /// Nil once the surface is destroyed.
        var surface: ObjectID?
        var seat: Seat.ID
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpKeyboardShortcutsInhibitorV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(surface: surface?.id, seat: seat) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let surface: SurfaceResource? = try reader.resource(state.surface)
        guard surface?.inhibitsShortcuts(of: state.seat) != true else {
            throw HandOverError("a surface inhibits the shortcuts of a seat twice")
        }
        _ = try ShortcutsInhibitorResource(
            reader.client, id: id, version: version, of: surface, seat: reader.seat(state.seat).id)
    }
}
