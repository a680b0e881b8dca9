// Colour management for a server that takes over.

import MullionWayland
import WindowModel

extension ColorManagerResource: RestorableGlobal {
    typealias Interface = WpColorManagerV1
}

extension ColorOutputResource: Restorable {
    struct SavedState: FixedSizeState {
        /// Nil once it is unplugged.
        var screen: Screen.ID?
    }

    static var interfaces: [any WaylandInterface.Type] { [WpColorManagementOutputV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(screen: connectedScreen) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try ColorOutputResource(
            reader.client, id: id, version: version, screen: reader.screen(state.screen)?.id)
    }
}

extension ColorSurfaceResource: RestorableSurfaceObject {
    typealias Interface = WpColorManagementSurfaceV1
}

extension ColorFeedbackResource: Restorable {
    struct SavedState: FixedSizeState {
        /// Nil once the surface is destroyed.
        var surface: ObjectID?
    }

    static var interfaces: [any WaylandInterface.Type] { [WpColorManagementSurfaceFeedbackV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(surface: livingSurface?.id) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try ColorFeedbackResource(reader.client, id: id, version: version, of: reader.resource(state.surface))
    }
}

extension ImageDescriptionResource: Restorable {
    struct SavedState: FixedSizeState {
        var contents: Contents
    }

    static var interfaces: [any WaylandInterface.Type] { [WpImageDescriptionV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(contents: contents) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        _ = try ImageDescriptionResource(reader.client, id: id, version: version, state.contents)
    }
}

extension ImageDescriptionCreatorResource: Restorable {
    static var interfaces: [any WaylandInterface.Type] { [WpImageDescriptionCreatorParamsV1.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> Parameters { parameters }

    static func restore(_ state: Parameters, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        try ImageDescriptionCreatorResource(reader.client, id: id, version: version).parameters = state
    }
}
