// xdg_popup and xdg_positioner for a server that takes over.

import Geometry
import Wayland
import WindowModel

extension PopupResource: HandedOver {
    struct Record: Codable {
        struct Next: Codable {
            var serial: UInt32
            var frame: Rect
        }

        var xdg: ObjectID?
        var parent: ObjectID?
        /// Among the parent's pop-ups.
        var index: Int
        var rules: PopupRules
        var frame: Rect
        var next: Next?
        var told: Rect
        var isAttached: Bool
        var grabSeat: Seat.ID?
        var isDismissed: Bool

        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            let object = try PopupResource(reader.client, id: id, version: version)
            let xdg: XdgSurfaceResource? = try reader.resource(xdg)
            let parent: XdgSurfaceResource? = try reader.resource(parent)
            // No way up may lead back here.
            var (ancestor, depth) = (parent, 0)
            while let current = ancestor, depth <= reader.server.limits.surfaceDepth {
                guard current !== xdg else { throw HandOver.Refusal("pop-up \(id) is in itself") }
                guard case .popup(let below) = current.part else { break }
                (ancestor, depth) = (below.parent, depth + 1)
            }
            if let xdg {
                guard xdg.part == nil else { throw HandOver.Refusal("xdg_surface \(xdg.id) is two things") }
                xdg.part = .popup(object)
            }
            object.start(xdg, parent: parent, rules: rules)
            parent?.popups.append(object)
            object.frame = frame
            object.next = next.map { ($0.serial, $0.frame) }
            object.told = told
            object.isAttached = isAttached
            object.isDismissed = isDismissed
            if let grabSeat { object.grabSeat = try reader.seat(grabSeat) }
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        func id(_ xdg: XdgSurfaceResource?) -> ObjectID? { xdg.flatMap { $0.isAlive ? $0.id : nil } }
        return .popup(
            Record(
                xdg: id(xdg), parent: id(parent), index: parent?.popups.firstIndex { $0 === self } ?? 0, rules: rules,
                frame: frame, next: next.map { Record.Next(serial: $0.serial, frame: $0.frame) }, told: told,
                isAttached: isAttached, grabSeat: grabSeat?.id, isDismissed: isDismissed))
    }
}

extension PositionerResource: HandedOver {
    struct Record: Codable {
        var rules: PopupRules
        var hasSize: Bool
        var hasAnchor: Bool

        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            let object = try PositionerResource(reader.client, id: id, version: version)
            object.rules = rules
            object.hasSize = hasSize
            object.hasAnchor = hasAnchor
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .positioner(Record(rules: rules, hasSize: hasSize, hasAnchor: hasAnchor))
    }
}
