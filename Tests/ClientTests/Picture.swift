// What a program knows of its windows and of the screens.

/// What the library believes, or what the server says, of one application.
struct Picture: Decodable {
    /// Back to front (W4).
    var windows: [Window]
    var keyWindow: Int?
    var foundKeyWindow: Int?
    /// The main screen first (S2).
    var screens: [Screen]

    struct Window: Decodable {
        /// As the program counts its windows.
        var number: Int
        var title: String
        var level: Double
        var isHidden: Bool
        var isVisible: Bool
        var isKeyWindow: Bool
        var frame: [Double]
        var screen: String?
        var alpha: Double
        var isUserInteractionEnabled: Bool
        var autoresizing: UInt8
    }

    struct Screen: Decodable {
        var name: String
        var isMain: Bool
        var isBuiltIn: Bool
        var bounds: [Double]
        var nativeSize: [Double]
        var scale: Double
        var orientation: String
        /// Width, height and refresh rate in mHz.
        var mode: [Int]?
        var position: [Double]
        var brightness: Double
        var mirroredScreen: String?
    }

    /// Each fact about the windows by its name.
    var windowFacts: [String: String] {
        var facts = [
            "windows, back to front": "\(windows.map(\.number))", "key window": "\(keyWindow ?? 0)",
            "found key window": "\(foundKeyWindow ?? 0)",
        ]
        for window in windows {
            func add(_ name: String, _ value: some Any) { facts["window \(window.number), \(name)"] = "\(value)" }
            add("title", window.title)
            add("level", window.level)
            add("isHidden", window.isHidden)
            add("isVisible", window.isVisible)
            add("isKeyWindow", window.isKeyWindow)
            add("frame", window.frame.map(Self.onWire))
            add("screen", window.screen ?? "none")
            add("alpha", Self.share(window.alpha))
            add("isUserInteractionEnabled", window.isUserInteractionEnabled)
            add("autoresizing", window.autoresizing)
        }
        return facts
    }

    /// Each fact about the screens by its name.
    var screenFacts: [String: String] {
        var facts = ["screens": "\(screens.map(\.name))", "main screen": "\(screens.filter(\.isMain).map(\.name))"]
        for screen in screens {
            func add(_ name: String, _ value: some Any) { facts["screen \(screen.name), \(name)"] = "\(value)" }
            add("isBuiltIn", screen.isBuiltIn)
            add("bounds", screen.bounds.map(Self.onWire))
            add("nativeSize", screen.nativeSize)
            add("scale", Self.onWire(screen.scale))
            add("orientation", screen.orientation)
            add("mode", screen.mode ?? [])
            add("position", screen.position.map(Self.onWire))
            add("brightness", Self.share(screen.brightness))
            add("mirrored screen", screen.mirroredScreen ?? "none")
        }
        return facts
    }

    /// What differs between two sets of facts, one line each.
    static func differences(_ library: [String: String], _ server: [String: String]) -> [String] {
        Set(library.keys).union(server.keys).sorted().compactMap { name in
            guard library[name] != server[name] else { return nil }
            return "\(name): library \(library[name] ?? "-"), server \(server[name] ?? "-")"
        }
    }

    /// Coordinates and scales travel as multiples of 1/256.
    private static func onWire(_ value: Double) -> Double { (value * 256).rounded() / 256 }
    /// Shares of 1 travel as 32 bits.
    private static func share(_ value: Double) -> Double { (value * 1_000_000).rounded() / 1_000_000 }
}
