// zwlr_output_configuration_head_v1

import MullionGeometry
import MullionWayland
import WindowModel

/// The requested changes of a screen that is to be enabled.
final class OutputConfigurationHeadResource: Resource {
    /// The screen's name; nil if the configuration was already outdated.
    var head: String?
    // The configuration destroys this object first.
    unowned let configuration: OutputConfigurationResource
    private var mode: WantedMode?
    private var position: (x: Int32, y: Int32)?
    private var transform: WlOutput.Transform?
    private var scale: Fixed?
    private var adaptiveSync: ZwlrOutputHeadV1.AdaptiveSyncState?

    private enum WantedMode {
        case one(Screen.Mode)
        /// Refresh in mHz; 0 for any.
        case custom(width: Int32, height: Int32, refresh: Int32)
    }

    init(
        _ client: Client, id: ObjectID, version: UInt32, _ configuration: OutputConfigurationResource
    ) throws(ProtocolError) {
        self.configuration = configuration
        try super.init(client, id: id, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        let request = try decode(ZwlrOutputConfigurationHeadV1.Request.self, opcode, &reader)
        try configuration.checkUnused()
        switch request {
        case .setMode(let id): try setMode(id)
        case .setCustomMode(let width, let height, let refresh):
            guard width > 0, height > 0, refresh >= 0 else {
                throw error(
                    .invalidCustomMode,
                    "\(width)x\(height) at \(refresh) mHz is not a mode; use sizes above 0, rates of at least 0")
            }
            try set(&mode, to: .custom(width: width, height: height, refresh: refresh), "the mode")
        case .setPosition(let x, let y): try set(&position, to: (x, y), "the position")
        case .setTransform(let value):
            guard WlOutput.Transform.allValues.contains(value.rawValue) else {
                throw error(.invalidTransform, "\(value.rawValue) is not a transform; use 0 to 7")
            }
            try set(&transform, to: value, "the transform")
        case .setScale(let value):
            guard value.rawValue > 0 else {
                throw error(.invalidScale, "scale \(value.double) is not greater than 0")
            }
            try set(&scale, to: value, "the scale")
        case .setAdaptiveSync(let value):
            guard ZwlrOutputHeadV1.AdaptiveSyncState.allValues.contains(value.rawValue) else {
                throw error(
                    .invalidAdaptiveSyncState,
                    "\(value.rawValue) is not an adaptive sync state; use disabled (0) or enabled (1)")
            }
            try set(&adaptiveSync, to: value, "adaptive sync")
        }
    }

    private func setMode(_ id: ObjectID) throws(ProtocolError) {
        // S9: the mode may be gone with its head.
        guard !configuration.isOutdated else { return }
        let resource = try connection.resource(id, as: OutputModeResource.self)
        guard resource.head == head else {
            throw error(.invalidMode, "mode \(id) belongs to head \(resource.head), not to \(head ?? "this one")")
        }
        try set(&mode, to: .one(resource.mode), "the mode")
    }

    private func set<T>(_ property: inout T?, to value: T, _ name: String) throws(ProtocolError) {
        guard property == nil else { throw error(.alreadySet, "\(name) is already set") }
        property = value
    }

    private func error(_ code: ZwlrOutputConfigurationHeadV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }

    /// Whether a position was requested that is not the screen's.
    func moves(_ screen: Screen) -> Bool {
        let now = OutputHeadState.Setup(screen)
        return position.map { $0 != (now.x, now.y) } ?? false
    }

    /// The screen's requested properties. Throws if they are invalid.
    /// - Parameter isLayout: whether a requested position counts as set even if it is the screen's.
    func properties(of screen: Screen, isLayout: Bool) throws(ModelError) -> ScreenDescription {
        var result = screen.properties
        let now = OutputHeadState.Setup(screen)
        result.currentMode = try wantedMode(of: screen)
        // A value equal to the one sent keeps the exact one, without the wire's rounding.
        if let position {
            if moves(screen) { result.position = Point(x: Double(position.x), y: Double(position.y)) }
            if isLayout { result.isPositioned = true }
        }
        if let transform, transform != now.transform {
            (result.orientation, result.isFlipped) = Screen.Orientation.of(transform)
        }
        if let scale, scale != now.scale { result.scale = scale.double }
        if adaptiveSync == .enabled {
            throw ModelError(
                kind: .invalidValue, rule: .s1,
                message: "screen \(screen.name) has a fixed refresh rate; adaptive sync can only be disabled")
        }
        return result
    }

    private func wantedMode(of screen: Screen) throws(ModelError) -> Screen.Mode {
        switch mode {
        case nil: return screen.currentMode
        case .one(let mode): return mode
        case .custom(let width, let height, let refresh):
            let now = screen.currentMode
            let modes = [now] + screen.properties.modes
            let found = modes.first {
                // Tools compute rates in single precision.
                $0.width == Int(width) && $0.height == Int(height)
                    && (refresh == 0 || abs($0.refresh - Int(refresh)) < 10)
            }
            if let found { return found }
            let all = screen.properties.modes.map(\.text).joined(separator: ", ")
            throw ModelError(
                kind: .invalidValue, rule: .s3,
                message: "\(width)x\(height) at \(refresh) mHz is not a mode of screen \(screen.name); "
                    + "use one of \(all)")
        }
    }
}

extension Screen.Orientation {
    /// The orientation of a transform, and whether it is flipped: the inverse of `Screen.outputTransform`.
    fileprivate static func of(_ transform: WlOutput.Transform) -> (Screen.Orientation, Bool) {
        let turns: [Screen.Orientation] = [.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight]
        return (turns[Int(transform.rawValue & 3)], transform.rawValue & 4 != 0)
    }
}
