// Pictures for clients, for a server that takes over.

import MullionWayland

extension ScreencopyManagerResource: RestorableGlobal {
    typealias Interface = ZwlrScreencopyManagerV1
}

extension ScreencopyFrameResource: Restorable {
    struct SavedState: FixedSizeState {
        var subject: Subject?
        var isUsed: Bool
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwlrScreencopyFrameV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(subject: subject, isUsed: isUsed) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try ScreencopyFrameResource(
            reader.client, id: id, version: version, history: reader.screencopyHistory, subject: state.subject)
        object.isUsed = state.isUsed
    }
}
