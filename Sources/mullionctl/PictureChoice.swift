// The picture that screenshot and compare take.

import ControlProtocol
import MullionControl

/// A picture of one screen, of all screens, or of a window by itself.
struct PictureChoice {
    let screen: String?
    private(set) var window: String?
    let isUpright: Bool
    let hasPopups: Bool
    let hasCursor: Bool
    /// X,Y,WIDTH,HEIGHT in pixels of the picture, or window:ID or window:TITLE.
    let crop: String?

    /// Consumes SCREEN and the options.
    init(_ call: Invocation) throws(CommandError) {
        screen = call.word()
        window = try call.single("--window")
        crop = try call.single("--crop")
        isUpright = call.flag("--upright")
        hasPopups = call.flag("--popups")
        hasCursor = call.flag("--cursor")
        guard window == nil || screen == nil && !isUpright else {
            throw .usage("--window takes a picture of its own; use it without SCREEN and --upright")
        }
        guard window != nil || !hasPopups else { throw .usage("--popups is an option of --window ID") }
    }

    /// The same with the id of the window whose title was given.
    func withID(_ client: ControlClient) throws(CommandError) -> PictureChoice {
        guard let window else { return self }
        var choice = self
        choice.window = try client.windowID(window, "--window")
        return choice
    }

    /// The query items of its options.
    private var items: [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        if hasCursor { items.append(("cursor", "true")) }
        if isUpright, screen != nil { items.append(("upright", "true")) }
        if hasPopups { items.append(("popups", "true")) }
        if let crop { items.append(("crop", crop)) }
        return items
    }

    /// Compares the picture with a golden one.
    /// - Parameter query: further query items.
    func comparison(
        with png: [UInt8], _ query: [(name: String, value: String)]
    ) -> ControlRequest<API.Comparison> {
        let query = query + items
        if let window { return .postWindowsIdCompare(window, png, query: query) }
        return screen.map { .postScreensScreenCompare($0, png, query: query) } ?? .postCompare(png, query: query)
    }

    /// The same picture of screens with the state of its moment.
    var capture: ControlRequest<API.Capture> {
        guard let screen else { return .getCapture(joined: true, cursor: hasCursor) }
        return .getCapture(screen: screen, upright: isUpright, cursor: hasCursor)
    }

    /// Takes the picture.
    func take(
        _ client: ControlClient, scale: Double? = nil, maxEdge: Int? = nil
    ) throws(CommandError) -> [UInt8] {
        let cursor = hasCursor ? true : nil
        if let window {
            return try client.send(
                .getWindowsIdScreenshotPng(
                    window, popups: hasPopups ? true : nil, cursor: cursor, crop: crop, scale: scale, maxEdge: maxEdge))
        }
        guard let screen else {
            return try client.send(
                .getScreenshotPng(cursor: cursor, crop: crop, scale: scale, maxEdge: maxEdge))
        }
        return try client.send(
            .getScreensScreenScreenshotPng(
                screen, upright: isUpright ? true : nil, cursor: cursor, crop: crop, scale: scale, maxEdge: maxEdge))
    }

    /// As command-line words.
    var words: [String] {
        var words = screen.map { [$0] } ?? []
        if let window { words += ["--window", window] }
        if let crop { words += ["--crop", crop] }
        for (flag, isSet) in [("--upright", isUpright), ("--popups", hasPopups), ("--cursor", hasCursor)] where isSet {
            words.append(flag)
        }
        return words
    }

    /// For sentences.
    var title: String { window.map { "window \($0)" } ?? screen.map { "screen \($0)" } ?? "the picture of all screens" }
}
