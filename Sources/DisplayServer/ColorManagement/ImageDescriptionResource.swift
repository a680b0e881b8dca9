// wp_image_description_v1, and its creator

import MullionWayland

/// The luminances that the sRGB specification defines, in the units of the protocol.
private enum StandardColors {
    /// Ten-thousandths of a candela per square metre.
    static let darkest: UInt32 = 2000
    /// Candelas per square metre.
    static let brightest: UInt32 = 80
}

/// wp_image_description_v1: sRGB, or a description that failed.
final class ImageDescriptionResource: Resource {
    enum Contents: Codable, Equatable {
        /// The one of all screens, and the best one for all surfaces.
        case own
        /// One that the client has created, with a transfer function.
        case created(UInt32)
        /// That of a screen that was unplugged.
        case noScreen
    }

    let contents: Contents

    /// Creates one that is ready, or has failed, at once.
    init(_ client: Client, id: ObjectID, version: UInt32, _ contents: Contents) throws(ProtocolError) {
        self.contents = contents
        try super.init(client, id: id, version: version)
        switch contents {
        // Descriptions differ in their transfer functions only, whose numbers can be theirs.
        case .own:
            send(WpImageDescriptionV1.Event.ready(identity: WpColorManagerV1.TransferFunction.srgb.rawValue))
        case .created(let function): send(WpImageDescriptionV1.Event.ready(identity: function))
        case .noScreen: send(WpImageDescriptionV1.Event.failed(cause: .noOutput, msg: "the screen was unplugged"))
        }
    }

    var isReady: Bool { contents != .noScreen }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpImageDescriptionV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getInformation(let id):
            switch contents {
            case .own: try ImageInformationResource(client, id: id, version: version).tell()
            case .created: throw error(.noInformation, "the client itself created image description \(self.id)")
            case .noScreen: throw error(.notReady, "image description \(self.id) is not ready")
            }
        }
    }

    private func error(_ code: WpImageDescriptionV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}

/// wp_image_description_info_v1: tells what sRGB is, and ends.
private final class ImageInformationResource: Resource {
    func tell() {
        let (darkest, brightest) = (StandardColors.darkest, StandardColors.brightest)
        send(
            WpImageDescriptionInfoV1.Event.primaries(
                rX: 640_000, rY: 330_000, gX: 300_000, gY: 600_000, bX: 150_000, bY: 60_000, wX: 312_700, wY: 329_000))
        send(WpImageDescriptionInfoV1.Event.primariesNamed(primaries: .srgb))
        send(WpImageDescriptionInfoV1.Event.tfNamed(tf: .srgb))
        send(
            WpImageDescriptionInfoV1.Event.luminances(minLum: darkest, maxLum: brightest, referenceLum: brightest))
        send(
            WpImageDescriptionInfoV1.Event.targetPrimaries(
                rX: 640_000, rY: 330_000, gX: 300_000, gY: 600_000, bX: 150_000, bY: 60_000, wX: 312_700, wY: 329_000))
        send(WpImageDescriptionInfoV1.Event.targetLuminance(minLum: darkest, maxLum: brightest))
        send(WpImageDescriptionInfoV1.Event.done)
        destroy()
    }
}

/// wp_image_description_creator_params_v1: creates an image description from parameters. Only sRGB is supported.
final class ImageDescriptionCreatorResource: Resource {
    struct Parameters: FixedSizeState {
        var transferFunction: UInt32?
        var hasPrimaries = false
        /// The luminances of the brightest pixel and frame: where nothing is converted, they change nothing.
        var pixelLight: UInt32?
        var frameLight: UInt32?
    }

    var parameters = Parameters()

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpImageDescriptionCreatorParamsV1.Request.self, opcode, &reader) {
        case .create(let id):
            guard let function = parameters.transferFunction else {
                throw error(.incompleteSet, "the description has no transfer function")
            }
            guard parameters.hasPrimaries else { throw error(.incompleteSet, "the description has no primaries") }
            try checkLight()
            _ = try ImageDescriptionResource(client, id: id, version: version, .created(function))
            destroy()
        case .setTfNamed(let function):
            try checkUnset(parameters.transferFunction == nil, "transfer function")
            guard ColorManagerResource.transferFunctions.contains(function) else {
                throw error(
                    .invalidTf, "\(function.rawValue) is not a supported transfer function; use srgb (9) or gamma22 (2)"
                )
            }
            parameters.transferFunction = function.rawValue
        case .setPrimariesNamed(let primaries):
            try checkUnset(!parameters.hasPrimaries, "primaries")
            guard primaries == .srgb else {
                throw error(
                    .invalidPrimariesNamed, "\(primaries.rawValue) are not supported primaries; use srgb (1)")
            }
            parameters.hasPrimaries = true
        case .setMaxCll(let light):
            try checkUnset(parameters.pixelLight == nil, "maximum content light level")
            parameters.pixelLight = light
        case .setMaxFall(let light):
            try checkUnset(parameters.frameLight == nil, "maximum frame-average light level")
            parameters.frameLight = light
        case .setTfPower: throw unsupported("set_tf_power")
        case .setPrimaries: throw unsupported("set_primaries")
        case .setLuminances: throw unsupported("set_luminances")
        case .setMasteringDisplayPrimaries: throw unsupported("set_mastering_display_primaries")
        case .setMasteringLuminance: throw unsupported("set_mastering_luminance")
        }
    }

    private func checkLight() throws(ProtocolError) {
        for light in [parameters.pixelLight, parameters.frameLight].compactMap(\.self) {
            guard UInt64(light) * 10_000 > StandardColors.darkest, light <= StandardColors.brightest else {
                throw error(
                    .invalidLuminance, "\(light) is not a light level of sRGB; use 1 to \(StandardColors.brightest)")
            }
        }
        if let pixel = parameters.pixelLight, let frame = parameters.frameLight, frame > pixel {
            throw error(.invalidLuminance, "frames of \(frame) are brighter than their brightest pixel of \(pixel)")
        }
    }

    private func checkUnset(_ isUnset: Bool, _ name: String) throws(ProtocolError) {
        guard !isUnset else { return }
        throw error(.alreadySet, "the \(name) of the description cannot be set twice")
    }

    private func unsupported(_ request: String) -> ProtocolError {
        error(.unsupportedFeature, "\(request) is not supported; use the names of sRGB")
    }

    private func error(_ code: WpImageDescriptionCreatorParamsV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
