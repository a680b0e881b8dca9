// The kinds of content of a selection: MIME types of Wayland, targets of X11.

/// Which targets of X11 stand for which MIME types.
public enum SelectionTypes {
    public static let utf8 = "text/plain;charset=utf-8"
    public static let plain = "text/plain"
    /// The most types of one offer.
    public static let maximum = 256
    /// The most bytes of all its types, which the server refuses to exceed.
    static let maximumBytes = 16_384
    /// Targets that do not stand for content.
    static let control: Set = [
        "TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY",
    ]

    /// The MIME types to offer for an X11 program's targets, in its order.
    public static func types(ofTargets targets: [String]) -> [String] {
        var types: [String] = []
        var bytes = 0
        func add(_ type: String) {
            let length = type.utf8.count
            guard types.count < maximum, bytes + length <= maximumBytes, !types.contains(type) else { return }
            bytes += length
            types.append(type)
        }
        for target in targets.prefix(maximum) where !control.contains(target) {
            switch target {
            case "UTF8_STRING":
                add(utf8)
                add(plain)
            case "STRING", "TEXT": continue
            default: if target.contains("/") { add(target) }
            }
        }
        if targets.contains("STRING") || targets.contains("TEXT") {
            add(utf8)
            add(plain)
        }
        return types
    }

    /// The target to request from an X11 program for a MIME type.
    public static func target(for type: String, among targets: [String]) -> Target? {
        if type == utf8 || type == plain {
            if targets.contains("UTF8_STRING") { return Target("UTF8_STRING") }
            if targets.contains(utf8) { return Target(utf8) }
            if targets.contains("STRING") { return Target("STRING", .latin1ToUTF8) }
            if targets.contains("TEXT") { return Target("TEXT") }
        }
        return targets.contains(type) && !control.contains(type) ? Target(type) : nil
    }

    /// The targets of X11 to offer for a Wayland program's types, without TARGETS and TIMESTAMP.
    public static func targets(ofTypes types: [String]) -> [String] {
        var targets: [String] = []
        func add(_ target: String) {
            if !targets.contains(target) { targets.append(target) }
        }
        if text(among: types) != nil { for name in ["UTF8_STRING", "STRING", "TEXT", utf8, plain] { add(name) } }
        for type in types.prefix(maximum) where type.contains("/") && type.utf8.count <= 256 { add(type) }
        return targets
    }

    /// The MIME type to request from a Wayland program for a target; `Target.name` is the MIME type.
    public static func type(for target: String, among types: [String]) -> Target? {
        switch target {
        case "UTF8_STRING", "TEXT": return text(among: types).map { Target($0) }
        case "STRING": return text(among: types).map { Target($0, .utf8ToLatin1) }
        case utf8, plain: return types.contains(target) ? Target(target) : text(among: types).map { Target($0) }
        default: return types.contains(target) ? Target(target) : nil
        }
    }

    private static func text(among types: [String]) -> String? {
        [utf8, plain].first { types.contains($0) }
            ?? types.first { $0.lowercased() == utf8 }
    }

    /// What to request, and how to convert the answer.
    public struct Target: Hashable, Sendable {
        public var name: String
        public var conversion: TextConversion.Kind

        init(_ name: String, _ conversion: TextConversion.Kind = .none) {
            self.name = name
            self.conversion = conversion
        }
    }
}
