// The properties of a display before it is connected (S1).

import MullionGeometry

/// The description of a display to connect (S1). Sizes in pixels are native and never rotated (S4).
public struct ScreenDescription: Hashable, Sendable, Codable {
    /// A stable name, unique among the plugged-in screens.
    public var name: String
    public var kind: Screen.Kind
    public var vendor: String
    public var model: String
    public var serial: String
    /// The connector, such as HDMI-A-1; empty when unknown.
    public var port: String
    /// The EDID block as the display provides it, empty when there is none.
    public var edid: [UInt8]
    /// S1: the modes of the display, at least one.
    public var modes: [Screen.Mode]
    /// S3: the mode that the display itself prefers; nil: the first one.
    public var preferredMode: Screen.Mode?
    /// S3: nil: the preferred one.
    public var currentMode: Screen.Mode?
    /// Pixels per point, 1/64…64.
    public var scale: Double
    public var orientation: Screen.Orientation
    /// Whether the panel mirrors everything left to right, as seen before rotation (a rear projection).
    public var isFlipped: Bool
    /// S5.
    public var overscan: Screen.Overscan
    /// S5: the part hidden by the display's edges, in pixels of the preferred mode; other modes lose the same share.
    public var overscanInsets: Screen.Insets
    /// S7.
    public var mirroring: Screen.Mirroring
    /// 0…1.
    public var brightness: Double
    /// 1…100,000.
    public var maximumFramesPerSecond: Int
    /// The top left corner in the global layout, in points within ±8,388,607.
    public var position: Point
    /// Whether the position was set explicitly. Otherwise it follows when neighbours change their size.
    public var isPositioned: Bool
    /// False: shows windows, takes no touches (UIKit's `windowExternalDisplayNonInteractive`).
    public var isInteractive: Bool
    /// In millimetres, zero when unknown.
    public var physicalSize: Size

    public init(
        name: String, kind: Screen.Kind = .external, vendor: String = "", model: String = "", serial: String = "",
        port: String = "", edid: [UInt8] = [], modes: [Screen.Mode], preferredMode: Screen.Mode? = nil,
        currentMode: Screen.Mode? = nil,
        scale: Double = 1, orientation: Screen.Orientation = .portrait, isFlipped: Bool = false,
        overscan: Screen.Overscan = .scale, overscanInsets: Screen.Insets = Screen.Insets(),
        mirroring: Screen.Mirroring = .automatic, brightness: Double = 1, maximumFramesPerSecond: Int = 60,
        position: Point = .zero, isPositioned: Bool = false, isInteractive: Bool = true, physicalSize: Size = .zero
    ) {
        self.name = name
        self.kind = kind
        self.vendor = vendor
        self.model = model
        self.serial = serial
        self.port = port
        self.edid = edid
        self.modes = modes
        self.preferredMode = preferredMode
        self.currentMode = currentMode
        self.scale = scale
        self.orientation = orientation
        self.isFlipped = isFlipped
        self.overscan = overscan
        self.overscanInsets = overscanInsets
        self.mirroring = mirroring
        self.brightness = brightness
        self.maximumFramesPerSecond = maximumFramesPerSecond
        self.position = position
        self.isPositioned = isPositioned
        self.isInteractive = isInteractive
        self.physicalSize = physicalSize
    }

    /// How a window recognizes its screen (S8).
    public var identity: Screen.Identity {
        Screen.Identity(vendor: vendor, model: model, serial: serial, name: name)
    }
}

extension ScreenDescription {
    /// The scales a screen can have, in pixels per point.
    package static let scales = 1 / 64...64.0
    /// The range of the brightness.
    package static let brightnesses = 0...1.0
    /// The coordinates of positions in the global layout, in points, that fit into every protocol.
    package static let coordinates = -8_388_607...8_388_607.0
    /// The limits that fit into every protocol that describes screens; in frames per second and millimetres.
    private static let maximumFrames = 100_000
    private static let maximumMillimetres = 1e6
    /// The maximum length of a name, in bytes of UTF-8.
    private static let maximumBytes = 255

    /// S3: without a stated preference the first mode is preferred, as in an EDID. Without a stated current mode the
    /// preferred one is current or, if there could be no picture of it, the largest of which there can be one. Nil without
    /// any mode.
    var initialModes: (current: Screen.Mode, preferred: Screen.Mode)? {
        guard let preferred = preferredMode ?? modes.first else { return nil }
        if let currentMode { return (currentMode, preferred) }
        let drawable =
            preferred.isDrawable
            ? nil
            : modes.filter(\.isDrawable).max { a, b in
                (a.width * a.height, a.refresh) < (b.width * b.height, b.refresh)
            }
        return (drawable ?? preferred, preferred)
    }

    /// Returns the description if it is valid.
    @discardableResult
    public func checked() throws(ModelError) -> ScreenDescription {
        try validate()
        return self
    }

    /// Throws if no screen can have this description.
    func validate() throws(ModelError) {
        guard !name.isEmpty else { throw .invalid(.s1, "the screen has no name; give it one") }
        try Self.validate(name, "name")
        try Self.validate(vendor, "vendor")
        try Self.validate(model, "model")
        try Self.validate(serial, "serial number")
        try Self.validate(port, "port")
        guard !modes.isEmpty else {
            throw .invalid(.s1, "screen \(name) has no mode; give it at least one")
        }
        for mode in modes {
            guard mode.isPossible else {
                throw .invalid(
                    .s1,
                    "mode \(mode) of screen \(name) is out of range: width and height are 1…65535 pixels, "
                        + "the refresh rate at most \(Screen.Mode.maximumRefresh / 1000) Hz, and it and the pixel "
                        + "aspect ratio are greater than 0")
            }
        }
        if let preferredMode { try validate(preferredMode) }
        if let current = initialModes?.current { try validate(current: current) }
        try Self.validate(scale: scale)
        try Self.validate(brightness: brightness)
        try validateInsets()
        if case .screen(let source) = mirroring, source == name {
            throw .invalid(.s7, "screen \(name) cannot mirror itself; use another screen")
        }
        guard (1...Self.maximumFrames).contains(maximumFramesPerSecond) else {
            throw .invalid(
                .s1, "maximumFramesPerSecond \(maximumFramesPerSecond) must be within 1…\(Self.maximumFrames)")
        }
        try Self.validate(position: position)
        let sizes = 0...Self.maximumMillimetres
        guard sizes.contains(physicalSize.width), sizes.contains(physicalSize.height) else {
            throw .invalid(.s1, "width and height of screen \(name) must be within 0…1000000 mm")
        }
    }

    /// S5: part of the picture must remain visible.
    private func validateInsets() throws(ModelError) {
        let insets = overscanInsets
        guard insets.isValid else {
            throw .invalid(.s5, "the overscan insets of screen \(name) must be finite and not negative")
        }
        guard let mode = initialModes?.preferred else { return }
        guard insets.left + insets.right < Double(mode.width), insets.top + insets.bottom < Double(mode.height) else {
            throw .invalid(.s5, "the overscan insets of screen \(name) leave nothing of \(mode)")
        }
    }

    /// S3: the current and the preferred mode must be available modes.
    func validate(_ mode: Screen.Mode) throws(ModelError) {
        guard modes.contains(mode) else {
            let allowed = modes.map(\.description).joined(separator: ", ")
            throw .invalid(.s3, "\(mode) is not a mode of screen \(name); use one of \(allowed)")
        }
    }

    /// S3: the current mode must also be one of which there can be pictures.
    func validate(current mode: Screen.Mode) throws(ModelError) {
        try validate(mode)
        guard mode.isDrawable else {
            throw ModelError(
                kind: .notAllowed, rule: .s3,
                message: "screen \(name) cannot have \(mode.width)x\(mode.height) pixels, of which there would be no "
                    + "picture; use a mode of at most \(Screen.Mode.maximumPixels) pixels and "
                    + "\(Screen.Mode.maximumEdge) along an edge")
        }
    }

    static func validate(scale: Double) throws(ModelError) {
        guard scales.contains(scale) else {
            throw .invalid(.s1, "scale \(scale) must be within 1/64…64")
        }
    }

    static func validate(position: Point) throws(ModelError) {
        guard coordinates.contains(position.x), coordinates.contains(position.y) else {
            throw .invalid(.s1, "a screen's position must be within ±\(Int(coordinates.upperBound)) points")
        }
    }

    private static func validate(_ text: String, _ what: String) throws(ModelError) {
        // These texts appear in lists, logs and protocols, one per line.
        guard text.utf8.count <= maximumBytes, text.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
            throw .invalid(
                .s1, "a screen's \(what) must have at most \(maximumBytes) bytes of UTF-8 and no control characters")
        }
    }

    static func validate(brightness: Double) throws(ModelError) {
        guard brightnesses.contains(brightness) else {
            throw .invalid(.s1, "brightness \(brightness) must be within 0…1")
        }
    }
}
