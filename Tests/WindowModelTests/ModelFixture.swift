// A model with a screen and two applications, and short names for common operations.

import MullionGeometry
import WindowModel

struct ModelFixture {
    let model: WindowModel
    let screen: Screen.ID
    let app: Application.ID
    let other: Application.ID

    init(policy: Policy = Policy()) throws {
        model = WindowModel(policy: policy)
        screen = try model.connect(Self.panel)
        app = model.addApplication(name: "app")
        other = model.addApplication(name: "other")
        _ = model.drainEffects()
    }

    static let panel = ScreenDescription(
        name: "Panel", kind: .builtIn, modes: [Screen.Mode(width: 1000, height: 800)], scale: 2)
    static let wall = ScreenDescription(name: "Wall", vendor: "ACME", modes: [Screen.Mode(width: 640, height: 480)])

    /// A visible window, not key, of 100 × 100 points.
    func shown(
        x: Double = 0, y: Double = 0, level: Double = 0, of owner: Application.ID? = nil, on place: Screen.ID? = nil
    ) throws -> Window.ID {
        let frame = Rect(x: x, y: y, width: 100, height: 100)
        let id = try model.createWindow(
            application: owner ?? app, screen: place, options: Window.Options(frame: frame, level: level))
        try model.setHidden(false, of: id)
        return id
    }

    /// A window of a plain program, visible because it has content of 100 × 100 points.
    func plain(x: Double = 0, y: Double = 0, of owner: Application.ID? = nil) throws -> (Window.ID, Surface.ID) {
        var options = Window.Options.plain
        options.frame = Rect(x: x, y: y, width: 100, height: 100)
        let id = try model.createWindow(application: owner ?? app, options: options)
        let root = surface(100, 100)
        try model.setRoot(root, of: id)
        try model.setHidden(false, of: id)
        return (id, root)
    }

    func surface(_ width: Double, _ height: Double) -> Surface.ID {
        let id = model.createSurface()
        try? model.setContent(id, size: Size(width: width, height: height))
        return id
    }

    @discardableResult
    func touch(_ id: Int32, _ phase: Event.Phase, _ x: Double, _ y: Double, time: UInt64 = 1) throws -> Routing {
        try model.touch(id: id, phase: phase, at: Point(x: x, y: y), on: screen, time: time)
    }

    /// The effects without needsDisplay, pointerFocus, `changes()` and `comings()`.
    func effects() -> [Effect] {
        model.drainEffects().filter {
            switch $0 {
            case .needsDisplay, .pointerFocus, .windowDidChange, .cameToFront, .orderDidChange: false
            case .applicationDidConnect, .applicationDidDisconnect, .windowDidOpen, .windowDidClose: false
            default: true
            }
        }
    }

    /// The effects for changed properties and the order.
    func changes() -> [Effect] {
        model.drainEffects().filter {
            switch $0 {
            case .windowDidChange, .cameToFront, .orderDidChange: true
            default: false
            }
        }
    }

    /// The effects for created and destroyed applications and windows.
    func comings() -> [Effect] {
        model.drainEffects().filter {
            switch $0 {
            case .applicationDidConnect, .applicationDidDisconnect, .windowDidOpen, .windowDidClose: true
            default: false
            }
        }
    }

    func events() -> [Event] {
        model.drainEffects().compactMap { if case .deliver(let event) = $0 { event } else { nil } }
    }

    func foci() -> [Surface.ID?] {
        model.drainEffects().compactMap {
            if case .pointerFocus(let focus, _) = $0 { .some(focus?.surface) } else { nil }
        }
    }
}

/// The error that a call throws; nil if it throws none.
func refusal(_ call: () throws -> Void) -> ModelError? {
    do { try call() } catch { return error as? ModelError }
    return nil
}
