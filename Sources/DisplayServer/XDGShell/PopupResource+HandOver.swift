// xdg_popup and xdg_positioner for a server that takes over.

import MullionGeometry
import MullionWayland
import WindowModel

extension PopupResource: Restorable {
    struct SavedState: FixedSizeState {
        struct Next: Codable {
            var serial: UInt32
            var frame: Rect
        }

        var xdg: ObjectID?
        var parent: ObjectID?
        /// A layer surface that is the parent.
        var layer: ObjectID?
        /// The index among the parent's pop-ups.
        var index: Int
        var rules: PopupRules
        var frame: Rect
        var next: Next?
        var configuredPlace: Rect
        var isAttached: Bool
        var grabSeat: Seat.ID?
        var isDismissed: Bool
    }

    static var interfaces: [any WaylandInterface.Type] { [XdgPopup.self] }
    static var restorationPhase: RestorationPhase { .windows }
    static func restorationOrder(of state: SavedState) -> Int { state.index }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        func id(_ xdg: XdgSurfaceResource?) -> ObjectID? { xdg.flatMap { $0.isAlive ? $0.id : nil } }
        return SavedState(
            xdg: id(xdg), parent: id(parent), layer: layer.flatMap { $0.isAlive ? $0.id : nil },
            index: (parent?.popups ?? layer?.popups)?.firstIndex { $0 === self } ?? 0, rules: rules,
            frame: frame, next: next.map { SavedState.Next(serial: $0.serial, frame: $0.frame) },
            configuredPlace: configuredPlace, isAttached: isAttached, grabSeat: grabSeat?.id, isDismissed: isDismissed)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try PopupResource(reader.client, id: id, version: version)
        let xdg: XdgSurfaceResource? = try reader.resource(state.xdg)
        let parent: XdgSurfaceResource? = try reader.resource(state.parent)
        // The ancestors must not contain the pop-up itself.
        var (ancestor, depth) = (parent, 0)
        while let current = ancestor, depth <= reader.server.limits.surfaceDepth {
            guard current !== xdg else { throw HandOverError("pop-up \(id) contains itself") }
            guard case .popup(let below) = current.part else { break }
            (ancestor, depth) = (below.parent, depth + 1)
        }
        if let xdg {
            guard xdg.part == nil else { throw HandOverError("xdg_surface \(xdg.id) has two roles") }
            xdg.part = .popup(object)
        }
        object.start(xdg, parent: parent, rules: state.rules)
        parent?.popups.append(object)
        object.layer = try reader.resource(state.layer)
        object.layer?.popups.append(object)
        object.frame = state.frame
        object.next = state.next.map { ($0.serial, $0.frame) }
        object.configuredPlace = state.configuredPlace
        object.isAttached = state.isAttached
        object.isDismissed = state.isDismissed
        if let grabSeat = state.grabSeat { object.grabSeat = try reader.seat(grabSeat) }
    }
}

extension PositionerResource: Restorable {
    struct SavedState: FixedSizeState {
        var rules: PopupRules
        var hasSize: Bool
        var hasAnchor: Bool
    }

    static var interfaces: [any WaylandInterface.Type] { [XdgPositioner.self] }
    static var restorationPhase: RestorationPhase { .independent }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(rules: rules, hasSize: hasSize, hasAnchor: hasAnchor)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try PositionerResource(reader.client, id: id, version: version)
        object.rules = state.rules
        object.hasSize = state.hasSize
        object.hasAnchor = state.hasAnchor
    }
}
