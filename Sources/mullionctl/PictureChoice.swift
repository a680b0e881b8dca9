// The picture that screenshot and compare take.

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

    /// The path and query of a route for this picture.
    /// - Parameters:
    ///   - name: "screenshot.png" or "compare".
    ///   - query: further query items, not escaped.
    func path(_ name: String, _ query: [(key: String, value: String)] = []) -> String {
        var items = query
        if hasCursor { items.append(("cursor", "true")) }
        if isUpright, screen != nil { items.append(("upright", "true")) }
        if hasPopups { items.append(("popups", "true")) }
        if let crop { items.append(("crop", crop)) }
        var path = "/"
        if let window { path = "/windows/\(ControlClient.escape(window))/" }
        if let screen { path = "/screens/\(ControlClient.escape(screen))/" }
        let text = items.map { "\($0.key)=\(ControlClient.escape($0.value))" }.joined(separator: "&")
        return path + name + (text.isEmpty ? "" : "?\(text)")
    }

    /// The route of the same picture of screens with the state of its moment.
    var capturePath: String {
        let which = screen.map { "screen=\(ControlClient.escape($0))&upright=\(isUpright)" } ?? "joined=true"
        return "/capture?\(which)&cursor=\(hasCursor)"
    }

    /// Takes the picture.
    /// - Parameter query: further query items, not escaped.
    func take(
        _ client: ControlClient, _ query: [(key: String, value: String)] = []
    ) throws(CommandError) -> [UInt8] {
        try client.send("GET", path("screenshot.png", query)).body
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
