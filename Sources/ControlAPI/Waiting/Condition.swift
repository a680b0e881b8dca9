// What can be waited for.

import ControlProtocol
import DisplayServer
import TextPatterns

/// One condition of a wait: of `GET /v1/wait`, `mullionctl wait` and a scenario's step `wait`.
enum Condition {
    /// Matching windows exist: at least one, or exactly `count`.
    case window(WindowPattern, count: Int?)
    /// No window matches, any longer or yet.
    case gone(WindowPattern)
    /// An application has this name, or one of its windows has it as its application id.
    case application(TextPattern)
    /// A client is connected: of this process, or any.
    case client(pid: Int32?)
    /// The screen is connected or not, and is the main one or not (S2).
    case screen(ScreenReference, isConnected: Bool, isMain: Bool?)
    /// A program is connected, and all clients have settled.
    case idle
    /// The pixels of a screen (nil: the main one) have not changed for this long, in microseconds of the server's clock.
    case still(ScreenReference?, UInt64)
    /// A pixel has this colour.
    case pixel(Expectation.Pixel)

    /// The name of a condition. A new condition is one in the contract and a case here, and how it is read
    /// (`init(_:_:)`), checked (`ConditionCheck`) and explained (`API.Unmet`).
    typealias Kind = API.ConditionKind

    var kind: Kind {
        switch self {
        case .window: .window
        case .gone: .gone
        case .application: .application
        case .client: .client
        case .screen: .screen
        case .idle: .idle
        case .still: .still
        case .pixel: .pixel
        }
    }

    /// Whether windows are looked at to check it.
    var needsWindows: Bool { [.window, .gone, .application].contains(kind) }

    /// Whether it is about pixels, so that waiting for it needs the right to capture.
    var needsPictures: Bool { kind == .still || kind == .pixel }
}

/// What a window has to be like. Absent parts match any.
struct WindowPattern {
    var title: TextPattern?
    /// The name of its application, or its application id.
    var application: TextPattern?
    var screen: ScreenReference?
    var isVisible: Bool?
    var isKey: Bool?
}

extension Condition: CustomStringConvertible {
    /// As on the command line.
    var description: String {
        ([kind.rawValue] + words).joined(separator: " ")
    }

    private var words: [String] {
        switch self {
        case .window(let pattern, let count): pattern.words + [count.map { "count=\($0)" }].compactMap(\.self)
        case .gone(let pattern): pattern.words
        case .application(let name): ["\(name)"]
        case .client(let pid): pid.map { ["pid=\($0)"] } ?? []
        case .screen(let screen, let isConnected, let isMain):
            [screen.text.quotedIfNeeded, isConnected ? "connected" : "connected=false"]
                + [isMain.map { WindowPattern.flag("main", $0) }].compactMap(\.self)
        case .idle: []
        case .still(let screen, let time):
            [screen?.text.quotedIfNeeded, "for=\(DurationText.text(time))"].compactMap(\.self)
        case .pixel(let pixel):
            [pixel.screen?.text.quotedIfNeeded, "\(pixel.x),\(pixel.y)=\(pixel.color.hex)"].compactMap(\.self)
                + (pixel.tolerance == 0 ? [] : ["tolerance=\(pixel.tolerance)"])
        }
    }
}

extension WindowPattern {
    fileprivate var words: [String] {
        [
            title.map { "title=\($0)" }, application.map { "application=\($0)" },
            screen.map { "screen=\($0.text.quotedIfNeeded)" }, isVisible.map { Self.flag("visible", $0) },
            isKey.map { Self.flag("key", $0) },
        ].compactMap(\.self)
    }

    fileprivate static func flag(_ name: String, _ value: Bool) -> String { value ? name : "\(name)=false" }
}
