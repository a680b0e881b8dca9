// Dialogs for a server that takes over.

import MullionWayland

extension DialogResource: Restorable {
    struct SavedState: FixedSizeState {
        /// Nil once it is destroyed.
        var toplevel: ObjectID?
        var isModal: Bool
    }

    static var interfaces: [any WaylandInterface.Type] { [XdgDialogV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(toplevel: toplevel?.id, isModal: isModal) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try DialogResource(reader.client, id: id, version: version)
        object.isModal = state.isModal
        guard let toplevel: ToplevelResource = try reader.resource(state.toplevel) else { return }
        guard toplevel.extensions?.dialog == nil else { throw HandOverError("a toplevel is two dialogs") }
        object.start(toplevel)
    }
}
