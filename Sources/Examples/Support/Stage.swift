// Keeps the windows of a program in place while screens change, and prints a line for every event.

import MullionClient

/// A program's connection, with the screen that it was asked to use.
@MainActor public final class Stage {
    /// The connection.
    public let application: Application
    private let screenName: String

    init(_ application: Application, screenName: String) {
        self.application = application
        self.screenName = screenName
        application.onEvent { if let line = Self.line($0) { say(line) } }
    }

    /// The screen named on the command line, while it is connected; without a name, the main screen.
    public var screen: Screen? {
        screenName.isEmpty ? application.mainScreen : application.screens.first { $0.name == screenName }
    }

    /// Creates a window whose frame is computed from the bounds of its screen, now and whenever they change.
    public func window(
        _ title: String, level: WindowLevel = .normal, on screen: Screen? = nil,
        place: @escaping (Rect) -> Rect = { $0 }
    ) -> Window {
        let window = Window(application, screen: screen ?? self.screen)
        window.title = title
        window.windowLevel = level
        let update = { [unowned window] in
            // S2, S8: without a screen it waits for one.
            if let screen = window.screen { window.frame = place(screen.bounds) }
        }
        update()
        application.onEvent { [weak window] event in
            guard let window, !window.isClosed else { return }
            switch event {
            case .screenDidChange(let screen) where screen === window.screen: update()
            case .windowScreenDidChange(window): update()
            default: break
            }
        }
        window.onClose { [unowned self] in finish() }
        return window
    }

    /// Sends all pending requests and ends the program.
    public func finish() {
        // `run()` reports a lost connection.
        try? application.flush()
        application.stop()
    }

    private static func line(_ event: ApplicationEvent) -> String? {
        switch event {
        case .screenDidConnect(let screen): "screen \(screen.name) connected"
        case .screenDidDisconnect(let screen): "screen \(screen.name) disconnected"
        case .screenModeDidChange(let screen):
            "screen \(screen.name) mode \(screen.currentMode?.description ?? "none")"
        case .screenOrientationWillChange(let screen, let old, let new, let duration):
            "screen \(screen.name) will turn from \(old) to \(new) in \(duration) s"
        case .screenOrientationDidChange(let screen, _, let new): "screen \(screen.name) has turned to \(new)"
        case .screenChangeWasRefused(let screen, let reason): "screen \(screen.name) refused: \(reason)"
        case .windowDidBecomeVisible(let window): "window \(window.title) visible"
        case .windowDidBecomeHidden(let window): "window \(window.title) hidden"
        case .windowDidBecomeKey(let window): "window \(window.title) key"
        case .windowDidResignKey(let window): "window \(window.title) not key"
        case .windowScreenDidChange(let window): "window \(window.title) screen \(window.screen?.name ?? "none")"
        case .windowShouldClose(let window): "window \(window.title) asked to close"
        case .windowChangeWasRefused(let window, let reason): "window \(window.title) refused: \(reason)"
        case .drawingFailed(_, let error): "cannot draw: \(error)"
        default: nil
        }
    }
}
