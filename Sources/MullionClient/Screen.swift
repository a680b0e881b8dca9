// A screen, as the server last described it.

import Wayland

/// A screen (S1). After it was unplugged the object stays, inert, with its last state (S9); the same display comes
/// back as another object of the same `name` (S10).
public final class Screen {
    let proxy: Proxy<MullionScreenV1>
    /// Whether it connected after this application did (S6).
    let isAnnounced: Bool
    var state = State()
    var pending = State()
    var pendingModes: [(mode: ScreenMode, flags: MullionScreenV1.ModeFlags)] = []
    /// Whether the first group of state is complete.
    var isComplete = false

    /// False once the screen was unplugged, and from then on (S9).
    public internal(set) var isConnected = true

    /// Called when the current mode changed; `currentMode` already reads the new one (S6).
    public var onModeDidChange: (() -> Void)?
    /// Called when anything about the screen changed: bounds, scale, orientation and so on.
    public var onDidChange: (() -> Void)?
    /// Called when the screen was unplugged; `isConnected` already reads false.
    public var onDidDisconnect: (() -> Void)?

    init(_ proxy: Proxy<MullionScreenV1>, isAnnounced: Bool) {
        self.proxy = proxy
        self.isAnnounced = isAnnounced
    }

    // S9: the server keeps an inert object for us until now.
    deinit { proxy.send(.destroy) }

    /// The name that a display keeps over unplugging and replugging (S10), such as EXTERNAL-1.
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
    /// The mode in use (S3); nil only when the server named none.
    public var currentMode: ScreenMode? { state.currentMode }
    /// The mode that the display prefers (S3).
    public var preferredMode: ScreenMode? { state.preferredMode }
    /// Which way up the screen is used (R1).
    public var orientation: Orientation { state.orientation }
    /// The top left corner in the global layout, in points.
    public var position: Point { state.position }
    /// How overscan is made up for (S5).
    public var overscanCompensation: OverscanCompensation { state.overscan }
    /// How much of each edge is lost to overscan, in points (S5).
    public var overscanInsets: EdgeInsets { state.insets }
    /// 0 is dark, 1 is full.
    public var brightness: Double { state.brightness }
    /// How often frame callbacks come at most, each second.
    public var maximumFramesPerSecond: Int { state.maximumFramesPerSecond }
    /// Whether the screen takes touches, or only shows (S1).
    public var isInteractive: Bool { state.isInteractive }

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
        var position = Point.zero
        var overscan = OverscanCompensation.scale
        var insets = EdgeInsets()
        var brightness = 1.0
        var maximumFramesPerSecond = 60
        var isInteractive = true
    }

    /// Takes in one event of the description; nothing of a group shows before its end.
    func describe(_ event: MullionScreenV1.Event) {
        switch event {
        case .name(let name): pending.name = name
        case .kind(let kind): pending.kind = kind == .builtIn ? .builtIn : .external
        case .identity(let vendor, let model, let serial):
            pending.identity = Identity(vendor: vendor, model: model, serial: serial)
        case .nativeBounds(let width, let height):
            pending.nativeBounds = Rect(x: 0, y: 0, width: Double(width), height: Double(height))
        case .mode(let width, let height, let refresh, let flags):
            pendingModes.append((ScreenMode(width: Int(width), height: Int(height), refresh: Int(refresh)), flags))
        case .scale(let scale): pending.scale = scale.double
        case .orientation(let value): pending.orientation = Orientation(rawValue: value.rawValue) ?? .portrait
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
        case .global, .modeDidChange, .didDisconnect: break
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
