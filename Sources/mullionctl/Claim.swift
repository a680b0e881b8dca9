// mullionctl claim: a client with one window.

import Glibc
import JSON5
import MullionClient
import MullionControl
import MullionSystem

/// Claims a window and prints its events.
@MainActor final class Claim {
    private let json: Bool
    private let client: ControlClient
    private let server: ServerName
    private var screenName: String?
    private var level = WindowLevel.normal
    private var frame: Rect?
    private var color = Color(argb: 0xff33_6699)
    private var alpha = 1.0
    private var title = "claim"
    private var takesKey = false

    private static let keys = ["screen", "level", "frame", "color", "alpha", "title", "key"]

    init(_ call: Invocation) throws(CommandError) {
        json = call.json
        client = call.client
        server = call.server
        for word in call.words() {
            let (key, value) = Values.pair(word)
            guard let value else {
                guard key == "key" else { throw Values.unknown(key, Self.keys) }
                takesKey = true
                continue
            }
            try set(key, to: value)
        }
        try call.end()
    }

    private func set(_ key: String, to value: String) throws(CommandError) {
        switch key {
        case "screen": screenName = value
        case "title": title = value
        case "color": color = Color(argb: try Values.color(value))
        case "alpha":
            alpha = try Values.number(value, key)
            guard (0...1).contains(alpha) else {
                throw .usage("alpha: \(JSON.text(alpha)) is not an opacity; use 0…1")
            }
        case "frame":
            let numbers = try Values.rect(value)
            if let side = numbers[2...].first(where: { $0 < 0 }) {
                throw .usage("frame: \(JSON.text(side)) is not a width or height; use 0 or more")
            }
            frame = Rect(
                origin: Point(x: numbers[0], y: numbers[1]), size: Size(width: numbers[2], height: numbers[3]))
        case "level":
            switch value {
            case "normal": level = .normal
            case "statusBar": level = .statusBar
            case "alert": level = .alert
            default:
                guard let number = DecimalText.number(value, isSigned: true) else {
                    throw .usage("\"\(value)\" is not a level; use a number, normal, statusBar or alert")
                }
                do throws(WindowLevelError) {
                    level = try WindowLevel(number)
                } catch {
                    throw .refused("\(error)")
                }
            }
        default: throw Values.unknown(key, Self.keys)
        }
    }

    /// Keeps the window until a signal arrives or the window is closed.
    func run() throws(CommandError) {
        let interruption = try Interruption()
        do throws(ApplicationError) {
            let application = try Application(name: "mullionctl claim", display: server.display)
            let window = Window(application, screen: try screen(of: application), frame: frame)
            window.windowLevel = level
            window.backgroundColor = color
            window.alpha = alpha
            window.title = title
            var isClosed = false
            window.onClose { isClosed = true }
            var properties = Properties(window)
            window.onEvent { [unowned self, unowned window] event in
                guard case .propertiesDidChange = event else { return }
                let new = Properties(window)
                for (name, values) in new.changes(from: properties) { report(name, values) }
                properties = new
            }
            application.beginReceivingRemoteControlEvents()
            application.onEvent { [unowned self, unowned application] event in
                if case .event(let input) = event {
                    for (name, values) in ClaimedEvent(input).lines { report(name, values) }
                }
                guard let (name, values) = describe(event, window, application) else { return }
                report(name, values)
            }
            if takesKey { window.makeKeyAndVisible() } else { window.isHidden = false }
            repeat {
                while try application.dispatch(timeout: 0) {}
            } while !isClosed && !window.isClosed && interruption.wait(or: application.descriptor)
            window.close()
            try application.flush()
        } catch {
            throw .refused("\(error)")
        }
    }

    /// Resolves a number as an id through the control API, because clients do not know ids.
    private func screen(of application: Application) throws(ApplicationError) -> Screen? {
        guard let screenName else { return nil }
        var name = screenName
        if DecimalText.whole(name) != nil, let screen = try? client.send(.getScreensScreen(name)) {
            name = screen.name
        }
        guard let screen = application.screens.first(where: { $0.name == name }) else {
            let known = application.screens.map(\.name).joined(separator: ", ")
            let hint = known.isEmpty ? "none is connected" : "use one of \(known)"
            throw .cannotConnect(reason: "\(screenName) is not a connected screen; \(hint)")
        }
        return screen
    }

    private func report(_ name: String, _ values: [(String, JSON)]) {
        guard !json else {
            let members = Dictionary(values + [("event", .string(name))]) { first, _ in first }
            return Terminal.out(JSON.object(members).encoded + "\n")
        }
        Terminal.out(([name] + values.map { "\($0.0)=\($0.1.text)" }).joined(separator: " ") + "\n")
    }

    private func describe(
        _ event: ApplicationEvent, _ window: Window, _ application: Application
    ) -> (String, [(String, JSON)])? {
        switch event {
        case .windowDidBecomeVisible: return ("didBecomeVisible", [])
        case .windowDidBecomeHidden: return ("didBecomeHidden", [])
        case .windowDidBecomeKey: return ("didBecomeKey", [])
        case .windowDidResignKey: return ("didResignKey", [])
        case .windowFrameDidChange:
            let frame = window.frame
            return (
                "frameDidChange",
                [
                    ("x", .number(frame.minX)), ("y", .number(frame.minY)), ("width", .number(frame.width)),
                    ("height", .number(frame.height)),
                ]
            )
        case .windowScreenDidChange:
            return ("screenDidChange", [("screen", window.screen.map { .string($0.name) } ?? .null)])
        case .windowShouldClose: return ("close", [])
        case .windowDidClose: return ("didClose", [])
        case .screenDidConnect(let screen): return ("screenDidConnect", [("screen", .string(screen.name))])
        case .screenDidDisconnect(let screen): return ("screenDidDisconnect", [("screen", .string(screen.name))])
        case .mainScreenDidChange:
            return ("mainScreenDidChange", [("screen", application.mainScreen.map { .string($0.name) } ?? .null)])
        case .screenModeDidChange(let screen):
            return (
                "modeDidChange", [("screen", .string(screen.name)), ("mode", .string(Self.text(screen.currentMode)))]
            )
        case .screenOrientationWillChange(let screen, let from, let to, let duration):
            let values = [("from", JSON.string("\(from)")), ("to", .string("\(to)")), ("duration", .number(duration))]
            return ("orientationWillChange", [("screen", .string(screen.name))] + values)
        case .screenOrientationDidChange(let screen, let from, let to):
            let values = [("from", JSON.string("\(from)")), ("to", .string("\(to)"))]
            return ("orientationDidChange", [("screen", .string(screen.name))] + values)
        case .screenChangeWasRefused(let screen, let reason):
            return ("refused", [("screen", .string(screen.name)), ("reason", .string(reason))])
        case .keyboardFocusDidChange(_, let has): return ("keyboardFocus", [("has", .bool(has))])
        case .windowChangeWasRefused(_, let reason): return ("refused", [("reason", .string(reason))])
        // Input is printed as events, touch by touch.
        case .screenDidChange, .drawingFailed, .event, .pointer, .key: return nil
        }
    }

    /// What others change without a notification of the window model, through the control API for example.
    @MainActor private struct Properties {
        let values: [(name: String, value: JSON)]

        init(_ window: Window) {
            values = [
                ("level", .number(window.windowLevel.rawValue)), ("hidden", .bool(window.isHidden)),
                ("alpha", .number(window.alpha)), ("title", .string(window.title)),
                ("userInteractionEnabled", .bool(window.isUserInteractionEnabled)),
            ]
        }

        /// A line for each value that differs.
        func changes(from old: Properties) -> [(String, [(String, JSON)])] {
            zip(values, old.values).filter { $0.value != $1.value }.map { ($0.0.name + "DidChange", [$0.0]) }
        }
    }

    private static func text(_ mode: ScreenMode?) -> String {
        mode.map { "\($0.width)x\($0.height)@\(JSON.text(Double($0.refresh) / 1000))" } ?? ""
    }
}
