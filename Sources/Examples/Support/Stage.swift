// Keeps windows placed and painted while screens change, and prints a line for every event.

import MullionClient

/// Places and paints the windows of a program whenever their screen changes, and prints their events.
public final class Stage {
    /// The connection.
    public let application: Application
    /// The screen named on the command line, while it is connected; without a name, the main screen.
    public var screen: Screen? {
        screenName.isEmpty ? application.mainScreen : application.screens.first { $0.name == screenName }
    }
    private let screenName: String
    private var scenes: [Scene] = []
    private var kept: [AnyObject] = []

    init(_ application: Application, screenName: String) {
        self.application = application
        self.screenName = screenName
        // The loop retains the application, which retains the stage.
        application.onEvent = { self.handle($0) }
    }

    /// Creates a window whose frame is computed from the bounds of its screen.
    /// - Parameters:
    ///   - place: returns the frame, in points, for the screen's bounds.
    ///   - paint: draws the window's own picture; nil for a window with only a colour.
    public func window(
        _ title: String, level: WindowLevel, on screen: Screen? = nil, place: @escaping (Rect) -> Rect,
        paint: ((Canvas) -> Void)? = nil
    ) -> Scene {
        let window = Window(application, screen: screen ?? self.screen)
        window.title = title
        window.level = level
        let scene = Scene(window, place: place, paint: paint)
        scenes.append(scene)
        return scene
    }

    /// Retains an object until the program exits.
    public func keep(_ object: AnyObject) { kept.append(object) }

    /// Calls `body` with the window's size, now and whenever it changes, then paints the window.
    public func onSize(_ scene: Scene, _ body: @escaping (Size) -> Void) {
        scene.beforePaint = body
        scene.repaint()
    }

    private func scene(_ window: Window) -> Scene? { scenes.first { $0.window === window } }

    private func handle(_ event: ApplicationEvent) {
        switch event {
        case .screenDidConnect(let screen): say("screen \(screen.name) connected")
        case .screenDidDisconnect(let screen): say("screen \(screen.name) disconnected")
        case .screenModeDidChange(let screen):
            say("screen \(screen.name) mode \(screen.currentMode?.description ?? "none")")
        case .screenOrientationWillChange(let screen, let old, let new, let duration):
            say("screen \(screen.name) will turn from \(old) to \(new) in \(duration) s")
        case .screenOrientationDidChange(let screen, _, let new): say("screen \(screen.name) has turned to \(new)")
        case .screenChangeWasRefused(let screen, let reason): say("screen \(screen.name) refused: \(reason)")
        case .screenDidChange(let screen):
            for scene in scenes where scene.window.screen === screen { scene.update() }
        case .windowDidBecomeVisible(let window): say("window \(window.title) visible")
        case .windowDidBecomeHidden(let window): say("window \(window.title) hidden")
        case .windowDidBecomeKey(let window): say("window \(window.title) key")
        case .windowDidResignKey(let window): say("window \(window.title) not key")
        case .windowFrameDidChange(let window): scene(window)?.repaint()
        case .windowScreenDidChange(let window):
            say("window \(window.title) screen \(window.screen?.name ?? "none")")
            scene(window)?.update()
        case .windowShouldClose(let window):
            say("window \(window.title) asked to close")
            application.finish()
        case .mainScreenDidChange, .event, .pointer, .key, .keyboardFocusDidChange: break
        }
    }
}

/// A window with its layout and its picture.
public final class Scene {
    /// The window.
    public let window: Window
    /// Called after the frame was set or changed, to lay out the views.
    public var onLayout: (() -> Void)? {
        didSet { onLayout?() }
    }
    var beforePaint: ((Size) -> Void)?
    private let place: (Rect) -> Rect
    private let paint: ((Canvas) -> Void)?

    init(_ window: Window, place: @escaping (Rect) -> Rect, paint: ((Canvas) -> Void)?) {
        self.window = window
        self.place = place
        self.paint = paint
        update()
    }

    /// Places and paints the window; without a screen (S2, S8) it waits for one.
    public func update() {
        guard let screen = window.screen else { return }
        let frame = place(screen.bounds)
        if frame != window.frame { window.frame = frame }
        repaint()
    }

    /// Paints the window and its views again.
    public func repaint() {
        beforePaint?(window.frame.size)
        if let paint { window.paint(window.frame.size, paint) }
        onLayout?()
    }
}

extension Surface {
    /// Draws a picture of that size, at the screen's scale. Does nothing for sizes below a point.
    public func paint(_ size: Size, _ body: (Canvas) -> Void) {
        let (width, height) = (Int(size.width.rounded(.up)), Int(size.height.rounded(.up)))
        guard width > 0, height > 0 else { return }
        do {
            let scale = max(1, Int((window?.screen?.scale ?? 1).rounded(.up)))
            try draw(width: width, height: height, scale: scale) { pixels in
                if let canvas = Canvas(pixels) { body(canvas) }
            }
        } catch {
            complain("cannot draw: \(error)")
        }
    }
}
