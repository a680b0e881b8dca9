// wp_content_type_manager_v1, wp_tearing_control_manager_v1, and their objects of surfaces

import MullionWayland

/// wp_content_type_manager_v1: lets programs say what they show.
final class ContentTypeManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpContentTypeManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getSurfaceContentType(let id, let surface):
            try addHint(.contentType, id, to: surface, code: WpContentTypeManagerV1.Error.alreadyConstructed.rawValue)
        }
    }
}

/// wp_tearing_control_manager_v1: lets games ask for frames as early as possible.
final class TearingControlManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpTearingControlManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getTearingControl(let id, let surface):
            try addHint(.tearing, id, to: surface, code: WpTearingControlManagerV1.Error.tearingControlExists.rawValue)
        }
    }
}

extension Resource {
    /// Creates the object of a surface, which has at most one of each kind.
    fileprivate func addHint(
        _ kind: SurfaceHintResource.Kind, _ hint: ObjectID, to surfaceID: ObjectID, code: UInt32
    ) throws(ProtocolError) {
        let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
        guard !surface.hasHint(kind) else {
            throw ProtocolError(
                object: id, code: code, message: "surface \(surfaceID) already has a \(kind.rawValue) object")
        }
        _ = try SurfaceHintResource(client, id: hint, version: version, kind, of: surface)
    }
}

/// A hint about a surface that changes nothing here: pictures are exact whatever they show, and as no frame is scanned
/// out, none is torn.
final class SurfaceHintResource: SurfaceObject {
    enum Kind: String, Codable {
        case contentType = "wp_content_type_v1"
        case tearing = "wp_tearing_control_v1"
    }

    let kind: Kind

    init(
        _ client: Client, id: ObjectID, version: UInt32, _ kind: Kind, of surface: SurfaceResource?
    ) throws(ProtocolError) {
        self.kind = kind
        try super.init(client, id: id, version: version, of: surface)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch kind {
        case .contentType:
            switch try decode(WpContentTypeV1.Request.self, opcode, &reader) {
            case .destroy: destroy()
            case .setContentType: break
            }
        case .tearing:
            switch try decode(WpTearingControlV1.Request.self, opcode, &reader) {
            case .setPresentationHint: break
            case .destroy: destroy()
            }
        }
    }
}

extension SurfaceResource {
    func hasHint(_ kind: SurfaceHintResource.Kind) -> Bool {
        extensions?.objects.contains { ($0 as? SurfaceHintResource)?.kind == kind } ?? false
    }
}
