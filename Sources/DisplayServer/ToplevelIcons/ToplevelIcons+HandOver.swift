// Icons of toplevels for a server that takes over.

import MullionWayland

extension ToplevelIconManagerResource: RestorableGlobal {
    typealias Interface = XdgToplevelIconManagerV1
}

extension IconImage {
    struct SavedState: Codable {
        var buffer: BufferReference
        var scale: Int32

        func image(_ reader: HandOverReader) throws -> IconImage {
            IconImage(try buffer.buffer(reader), scale: scale)
        }
    }

    func savedState(_ writer: HandOverWriter) throws(HandOverError) -> SavedState {
        SavedState(buffer: try BufferReference(buffer, writer), scale: scale)
    }
}

extension ToplevelIcon {
    struct SavedState: Codable {
        var name: String
        var images: [IconImage.SavedState]

        /// About how many bytes it takes.
        var size: Int { name.utf8.count + images.count * SavedObject.fixedSize }

        func icon(_ reader: HandOverReader) throws -> ToplevelIcon? {
            ToplevelIcon(name: name, images: try images.map { try $0.image(reader) })
        }
    }

    func savedState(_ writer: HandOverWriter) throws(HandOverError) -> SavedState {
        var saved = SavedState(name: name, images: [])
        for image in images { saved.images.append(try image.savedState(writer)) }
        return saved
    }
}

extension ToplevelIcon.Change {
    struct SavedState: Codable {
        var icon: ToplevelIcon.SavedState?

        func change(_ reader: HandOverReader) throws -> ToplevelIcon.Change {
            ToplevelIcon.Change(icon: try icon?.icon(reader))
        }
    }

    func savedState(_ writer: HandOverWriter) throws(HandOverError) -> SavedState {
        SavedState(icon: try icon?.savedState(writer))
    }
}

extension ToplevelIconResource: Restorable {
    struct SavedState: ObjectState {
        var name: String
        var images: [IconImage.SavedState]
        var isFrozen: Bool

        var variableSize: Int { name.utf8.count + images.count * 20 }
    }

    static var interfaces: [any WaylandInterface.Type] { [XdgToplevelIconV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) throws(HandOverError) -> SavedState {
        var saved = SavedState(name: name, images: [], isFrozen: isFrozen)
        for image in images { saved.images.append(try image.savedState(writer)) }
        return saved
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try ToplevelIconResource(reader.client, id: id, version: version)
        object.setName(state.name)
        for image in state.images { try object.add(try image.image(reader)) }
        object.isFrozen = state.isFrozen
    }
}
