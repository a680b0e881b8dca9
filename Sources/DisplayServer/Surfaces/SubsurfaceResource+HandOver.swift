// Sub-surfaces, viewports and fractional scales for a server that takes over.

import Geometry
import Wayland
import WindowModel

extension SubsurfaceResource: HandedOver {
    struct Record: Codable {
        var surface: ObjectID?
        var parent: ObjectID?
        var isSynchronized: Bool
        var position: Point

        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            let object = try SubsurfaceResource(reader.client, id: id, version: version)
            object.isSynchronized = isSynchronized
            object.position = position
            if let surface: SurfaceResource = try reader.resource(surface) {
                try surface.setRole(object, errorOn: id, code: 0)
                object.surface = surface
            }
            guard let parent: SurfaceResource = try reader.resource(parent) else { return }
            // No way up may lead back here.
            var (ancestor, depth): (SurfaceResource?, Int) = (parent, 0)
            while let current = ancestor, depth <= reader.server.limits.surfaceDepth {
                guard current !== object.surface else { throw HandOver.Refusal("surface \(parent.id) is in itself") }
                (ancestor, depth) = (current.subsurface?.parent, depth + 1)
            }
            object.parent = parent
            parent.adopt(object)
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .subsurface(
            Record(surface: surface?.id, parent: parent?.id, isSynchronized: isSynchronized, position: position))
    }
}

extension ViewportResource: HandedOver {
    struct Record: Codable {
        var surface: ObjectID?
        var requested: Viewport

        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            let object = try ViewportResource(reader.client, id: id, version: version)
            object.requested = requested
            guard let surface: SurfaceResource = try reader.resource(surface) else { return }
            guard surface.viewport == nil else { throw HandOver.Refusal("surface \(surface.id) has two viewports") }
            object.start(surface)
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .viewport(Record(surface: surface?.id, requested: requested))
    }
}

extension FractionalScaleResource: HandedOver {
    struct Record: Codable {
        var surface: ObjectID?
        var sent: UInt32

        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            let object = try FractionalScaleResource(reader.client, id: id, version: version)
            object.sent = sent
            guard let surface: SurfaceResource = try reader.resource(surface) else { return }
            guard surface.fractionalScale == nil else {
                throw HandOver.Refusal("surface \(surface.id) has two fractional scales")
            }
            object.surface = surface
            surface.fractionalScale = object
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .fractionalScale(Record(surface: surface?.id, sent: sent))
    }
}
