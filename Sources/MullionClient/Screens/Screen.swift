// A screen, as last described by the server.

import MullionGeometry
import MullionWayland

/// A screen (S1). After it is unplugged the object remains, inert, with its last state (S9); when the same display is
/// plugged in again, it is another object with the same `name` (S10).
@MainActor public final class Screen {
    let proxy: Proxy<MullionScreenV1>
    /// Whether it connected after this application did (S6).
    let isAnnounced: Bool
    /// In the order in which the server announced the screens.
    let number: Int
    var state = State()
    var pending = State()
    var pendingModes: [(mode: ScreenMode, flags: MullionScreenV1.ModeFlags)] = []
    /// Whether the first group of state is complete.
    var isComplete = false

    /// False once the screen was unplugged, permanently (S9).
    public internal(set) var isConnected = true

    let observers = Observers<Event>()

    init(_ proxy: Proxy<MullionScreenV1>, isAnnounced: Bool, number: Int) {
        self.proxy = proxy
        self.isAnnounced = isAnnounced
        self.number = number
    }

    // S9: until now the server kept an inert object.
    isolated deinit { proxy.send(.destroy) }

    /// The name of the display, such as EXTERNAL-1; it stays the same when the display is unplugged and plugged in
    /// again (S10).
    public var name: String { state.name }
    /// Built in or external.
    public var kind: Kind { state.kind }
    /// Vendor, model and serial number.
    public var identity: Identity { state.identity }
    /// The area in points; it follows the orientation (S4).
    public var bounds: Rect { state.bounds }
    /// The area in pixels; it never rotates (S4).
    public var nativeBounds: Rect { state.nativeBounds }
    /// Pixels per point.
    public var scale: Double { state.scale }
    /// All modes of the display (S1).
    public var availableModes: [ScreenMode] { state.modes }
    /// The mode in use (S3); nil only when the server sent none.
    public var currentMode: ScreenMode? { state.currentMode }
    /// The mode that the display prefers (S3).
    public var preferredMode: ScreenMode? { state.preferredMode }
    /// Which way up the screen is used (R1).
    public var orientation: Orientation { state.orientation }
    /// Whether the panel shows everything mirrored left to right.
    public var isFlipped: Bool { state.isFlipped }
    /// The name of the screen whose picture this one currently shows, because no window is visible on it (S7); nil for
    /// its own.
    public var mirroredScreenName: String? { state.mirrored }
    /// The top left corner in the global layout, in points.
    public var position: Point { state.position }
    /// How overscan is compensated (S5).
    public var overscanCompensation: OverscanCompensation { state.overscan }
    /// How much of each edge is lost to overscan, in points (S5).
    public var overscanInsets: EdgeInsets { state.insets }
    /// 0 is dark, 1 is full.
    public var brightness: Double { state.brightness }
    /// The maximum rate of frame callbacks, per second.
    public var maximumFramesPerSecond: Int { state.maximumFramesPerSecond }
    /// Whether the screen receives touches, or only shows windows (S1).
    public var isInteractive: Bool { state.isInteractive }

    /// Requests another of the available modes (S3). Like all changes of a screen this needs permission by the policy,
    /// by default given to the application that alone has visible windows there; otherwise `onRefusal` gives the
    /// reason.
    public func setMode(_ mode: ScreenMode) {
        proxy.send(
            .setMode(
                width: Int32(clamping: mode.width), height: Int32(clamping: mode.height),
                refresh: Int32(clamping: mode.refresh)))
    }

    /// Requests this many pixels per point.
    public func setScale(_ scale: Double) { proxy.send(.setScale(scale: Fixed(rounding: scale))) }

    /// Requests an orientation (R1).
    public func setOrientation(_ orientation: Orientation) {
        proxy.send(.setOrientation(orientation: MullionScreenV1.Orientation(rawValue: orientation.rawValue)))
    }

    /// Requests an overscan compensation (S5).
    public func setOverscanCompensation(_ compensation: OverscanCompensation) {
        proxy.send(.setOverscan(compensation: MullionScreenV1.Overscan(rawValue: compensation.rawValue)))
    }

    /// Requests a brightness of 0…1; other values are clamped.
    public func setBrightness(_ brightness: Double) {
        let share = brightness.isNaN ? 0 : min(max(brightness, 0), 1)
        proxy.send(.setBrightness(brightness: UInt32(share * Double(UInt32.max))))
    }

    /// Requests what the screen shows while no window is visible on it (S7).
    public func setMirroring(_ mirroring: Mirroring) {
        switch mirroring {
        case .automatic: proxy.send(.setMirroring(mirroring: .automatic, name: nil))
        case .off: proxy.send(.setMirroring(mirroring: .off, name: nil))
        case .screen(let name): proxy.send(.setMirroring(mirroring: .screen, name: name.forWire))
        }
    }

    struct State {
        var name = ""
        var kind = Kind.builtIn
        var identity = Identity(vendor: "", model: "", serial: "")
        var bounds = Rect.zero
        var nativeBounds = Rect.zero
        var scale = 1.0
        var modes: [ScreenMode] = []
        var currentMode: ScreenMode?
        var preferredMode: ScreenMode?
        var orientation = Orientation.portrait
        var isFlipped = false
        var mirrored: String?
        var position = Point.zero
        var overscan = OverscanCompensation.scale
        var insets = EdgeInsets()
        var brightness = 1.0
        var maximumFramesPerSecond = 60
        var isInteractive = true
    }

    /// Handles one event of the description; a group takes effect at its end.
    func describe(_ event: MullionScreenV1.Event) {
        switch event {
        case .name(let name): pending.name = name
        case .kind(let kind): pending.kind = kind == .builtIn ? .builtIn : .external
        case .identity(let vendor, let model, let serial):
            pending.identity = Identity(vendor: vendor, model: model, serial: serial)
        case .nativeBounds(let width, let height):
            pending.nativeBounds = Rect(x: 0, y: 0, width: Double(width), height: Double(height))
        case .mode(let width, let height, let refresh, let ratio, let flags):
            let mode = ScreenMode(
                width: Int(width), height: Int(height), refresh: Int(refresh),
                pixelAspectRatio: Double(ratio) / 65_536)
            pendingModes.append((mode, flags))
        case .flipped(let flipped): pending.isFlipped = flipped != 0
        case .mirrored(_, let name): pending.mirrored = name
        case .scale(let scale): pending.scale = scale.double
        case .orientation(let value): pending.orientation = Orientation(value)
        case .bounds(let x, let y, let width, let height):
            pending.bounds = Rect(x: x.double, y: y.double, width: width.double, height: height.double)
        case .position(let x, let y): pending.position = Point(x: x.double, y: y.double)
        case .overscan(let compensation, let top, let left, let bottom, let right):
            pending.overscan = OverscanCompensation(rawValue: compensation.rawValue) ?? .scale
            pending.insets = EdgeInsets(
                top: top.double, left: left.double, bottom: bottom.double, right: right.double)
        case .brightness(let value): pending.brightness = Double(value) / Double(UInt32.max)
        case .maximumFramesPerSecond(let frames): pending.maximumFramesPerSecond = Int(frames)
        case .interactive(let value): pending.isInteractive = value != 0
        case .done: complete()
        case .global, .modeDidChange, .didDisconnect, .orientationWillChange, .orientationDidChange, .refused: break
        }
    }

    private func complete() {
        if !pendingModes.isEmpty {
            pending.modes = pendingModes.map(\.mode)
            pending.currentMode = pendingModes.first { $0.flags.contains(.current) }?.mode
            pending.preferredMode = pendingModes.first { $0.flags.contains(.preferred) }?.mode
            pendingModes = []
        }
        state = pending
    }
}

extension Screen.Orientation {
    init(_ wire: MullionScreenV1.Orientation) { self = Self(rawValue: wire.rawValue) ?? .portrait }
}
