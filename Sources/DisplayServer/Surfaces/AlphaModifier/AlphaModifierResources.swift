// wp_alpha_modifier_v1 and wp_alpha_modifier_surface_v1

import MullionWayland

/// wp_alpha_modifier_v1: creates the objects of surfaces.
final class AlphaModifierManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpAlphaModifierV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getSurface(let id, let surfaceID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            guard surface.alphaModifier == nil else {
                throw ProtocolError(
                    object: self.id, code: WpAlphaModifierV1.Error.alreadyConstructed.rawValue,
                    message: "surface \(surfaceID) already has an alpha modifier")
            }
            _ = try AlphaModifierResource(client, id: id, version: version, of: surface)
        }
    }
}

/// wp_alpha_modifier_surface_v1: makes a surface translucent, from its next commit on (C4). The window's own alpha (W1)
/// applies to the result.
final class AlphaModifierResource: SurfaceObject {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpAlphaModifierSurfaceV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setMultiplier(let factor):
            guard let surface else {
                throw ProtocolError(
                    object: id, code: WpAlphaModifierSurfaceV1.Error.noSurface.rawValue,
                    message: "the surface was destroyed; its alpha modifier can only be destroyed")
            }
            surface.change.ownExtensions.alphaModifier.factor = factor
        }
    }

    override func willDestroy() {
        if let surface, surface.isAlive { surface.change.ownExtensions.alphaModifier.factor = .max }
        super.willDestroy()
    }
}

extension SurfaceResource {
    var alphaModifier: AlphaModifierResource? { object() }
}

/// wp_alpha_modifier_surface_v1's part of a surface's double-buffered state.
struct AlphaModifierState: SurfaceExtensionState {
    /// Nil: unchanged.
    var factor: UInt32?

    mutating func merge(_ later: AlphaModifierState) { factor = later.factor ?? factor }

    func willApplyContents(to surface: SurfaceResource) throws(ProtocolError) {
        if let factor { surface.layout.opacity = factor }
    }
}
