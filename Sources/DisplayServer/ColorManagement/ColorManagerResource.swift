// wp_color_manager_v1, and its objects of screens and surfaces

import MullionWayland
import WindowModel

/// wp_color_manager_v1: tells programs that everything here is sRGB.
///
/// Screens show the pixels of surfaces unchanged, and captures have them unchanged. So only descriptions of sRGB are
/// supported, and a surface that has one looks as one that has none.
final class ColorManagerResource: Resource {
    /// What sRGB is called: by the function that encodes it, and by that of the display that it is meant for.
    static let transferFunctions: [WpColorManagerV1.TransferFunction] = [.srgb, .gamma22]

    override init(_ connection: ServerConnection, id: ObjectID, version: UInt32) throws(ProtocolError) {
        try super.init(connection, id: id, version: version)
        send(WpColorManagerV1.Event.supportedIntent(renderIntent: .perceptual))
        send(WpColorManagerV1.Event.supportedFeature(feature: .parametric))
        for function in Self.transferFunctions { send(WpColorManagerV1.Event.supportedTfNamed(tf: function)) }
        send(WpColorManagerV1.Event.supportedPrimariesNamed(primaries: .srgb))
        send(WpColorManagerV1.Event.done)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpColorManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getOutput(let id, let output):
            let screen = try connection.resource(output, as: OutputResource.self).screen
            _ = try ColorOutputResource(client, id: id, version: version, screen: screen)
        case .getSurface(let id, let surfaceID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            guard surface.colorSurface == nil else {
                throw error(.surfaceExists, "surface \(surfaceID) already has a wp_color_management_surface_v1")
            }
            _ = try ColorSurfaceResource(client, id: id, version: version, of: surface)
        case .getSurfaceFeedback(let id, let surface):
            let surface = try connection.resource(surface, as: SurfaceResource.self)
            _ = try ColorFeedbackResource(client, id: id, version: version, of: surface)
        case .createIccCreator: throw error(.unsupportedFeature, "ICC profiles are not supported; use parameters")
        case .createParametricCreator(let id):
            _ = try ImageDescriptionCreatorResource(client, id: id, version: version)
        case .createWindowsScrgb: throw error(.unsupportedFeature, "scRGB is not supported; use sRGB, from parameters")
        }
    }

    private func error(_ code: WpColorManagerV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}

/// wp_color_management_output_v1: the colours of a screen, which never change.
final class ColorOutputResource: Resource {
    private let screen: Screen.ID?

    /// - Parameter screen: nil when it was unplugged meanwhile.
    init(_ client: Client, id: ObjectID, version: UInt32, screen: Screen.ID?) throws(ProtocolError) {
        self.screen = screen
        try super.init(client, id: id, version: version)
    }

    /// Nil once it is unplugged (S9).
    var connectedScreen: Screen.ID? { screen.flatMap { server.model.screen($0)?.id } }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpColorManagementOutputV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getImageDescription(let id):
            let contents: ImageDescriptionResource.Contents = connectedScreen == nil ? .noScreen : .own
            _ = try ImageDescriptionResource(client, id: id, version: version, contents)
        }
    }
}

/// wp_color_management_surface_v1: describes the colours of a surface, which changes nothing.
final class ColorSurfaceResource: SurfaceObject {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpColorManagementSurfaceV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setImageDescription(let description, let intent):
            try checkSurface()
            let description = try connection.resource(description, as: ImageDescriptionResource.self)
            guard description.isReady else {
                throw error(.imageDescription, "image description \(description.id) is not ready")
            }
            guard intent == .perceptual else {
                throw error(.renderIntent, "\(intent.rawValue) is not a supported intent; use perceptual (0)")
            }
        case .unsetImageDescription: try checkSurface()
        }
    }

    private func checkSurface() throws(ProtocolError) {
        guard surface == nil else { return }
        throw error(.inert, "the surface was destroyed; its colour management object can only be destroyed")
    }

    private func error(_ code: WpColorManagementSurfaceV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}

extension SurfaceResource {
    var colorSurface: ColorSurfaceResource? { object() }
}

/// wp_color_management_surface_feedback_v1: tells that sRGB is the best description of a surface. A surface can have
/// any number of these.
final class ColorFeedbackResource: Resource {
    private weak var surface: SurfaceResource?

    init(_ client: Client, id: ObjectID, version: UInt32, of surface: SurfaceResource?) throws(ProtocolError) {
        self.surface = surface
        try super.init(client, id: id, version: version)
    }

    /// Nil once it is destroyed.
    var livingSurface: SurfaceResource? { surface.flatMap { $0.isAlive ? $0 : nil } }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpColorManagementSurfaceFeedbackV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getPreferred(let description), .getPreferredParametric(let description):
            guard livingSurface != nil else {
                throw ProtocolError(
                    object: id, code: WpColorManagementSurfaceFeedbackV1.Error.inert.rawValue,
                    message: "the surface was destroyed; its colour feedback can only be destroyed")
            }
            _ = try ImageDescriptionResource(client, id: description, version: version, .own)
        }
    }
}
