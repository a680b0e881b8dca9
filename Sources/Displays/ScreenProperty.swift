// The table of the properties of a screen: how they are read, checked and set by name.

import MullionGeometry
import MullionSystem
import WindowModel

/// A property of a screen that people set and read: in bodies and answers of the control API, whose contract describes it, in
/// `--screen`, in scenarios, and in the records of known displays (S10).
package struct ScreenProperty: Sendable {
    /// When it can be set.
    package enum Lifetime: Sendable {
        /// When the screen is plugged in; it distinguishes a display from others (S10).
        case identity
        /// When the screen is plugged in.
        case fixed
        /// At any time; it is restored when the same display is plugged in again (S10).
        case changeable
    }

    /// The key: "flipped".
    package let name: String
    package let type: ValueType
    package let lifetime: Lifetime
    /// The step of a scenario that sets it, which is also the command of mullionctl; nil when it has none of its own.
    package let step: String?
    /// For messages: "an orientation".
    private let noun: String
    private let rule: Rule
    private let access: Access

    /// How its value is read and written.
    private struct Access: Sendable {
        let get: @Sendable (ScreenSettings) -> Value?
        /// Returns false for a value of another type.
        let set: @Sendable (inout ScreenSettings, Value) -> Bool
        let clear: @Sendable (inout ScreenSettings) -> Void
        let read: @Sendable (ScreenDescription) -> Value?
        /// The text names the display in the message about a mode that it does not have.
        let apply: @Sendable (ScreenSettings, inout ScreenDescription, String) throws(ModelError) -> Void
    }

    /// A stored property. Key paths would be shorter, but making them would be a fifth of the server's start.
    private struct Field<Owner, Value>: Sendable {
        let get: @Sendable (Owner) -> Value
        let set: @Sendable (inout Owner, Value) -> Void

        init(_ get: @escaping @Sendable (Owner) -> Value, _ set: @escaping @Sendable (inout Owner, Value) -> Void) {
            (self.get, self.set) = (get, set)
        }
    }

    /// Every property, once.
    package static let all = [
        name, kind, serial, port, mode, scale, orientation, flipped, overscan, mirroring, brightness, position,
        interactive,
    ]

    /// Those that can change while the screen is connected.
    package static let changeable = all.filter { $0.lifetime == .changeable }

    /// The property that a step of a scenario sets.
    package static func changed(byStep step: String) -> ScreenProperty? { all.first { $0.step == step } }

    // MARK: The table

    package static let name = ScreenProperty(
        "name", "a name",
        .text("one that is not a number, auto, automatic or off") { text in
            // Screens are also named by id, and mirroring has keywords.
            if case .screen = Screen.Mirroring(parsing: text) {
                DecimalText.whole(text, as: UInt32.self) == nil
            } else {
                false
            }
        }, .identity, in: Field({ $0.name }, { $0.name = $1 }),
        of: Field({ $0.name }, { $0.name = $1 }))
    private static let kind = ScreenProperty(
        "kind", "a kind", .cases(of: Screen.Kind.self), .fixed, in: Field({ $0.kind }, { $0.kind = $1 }),
        of: Field({ $0.kind }, { $0.kind = $1 }))
    private static let serial = ScreenProperty(
        "serial", "a serial number", .anyText("text"), .identity, in: Field({ $0.serial }, { $0.serial = $1 }),
        of: Field({ $0.serial }, { $0.serial = $1 }))
    private static let port = ScreenProperty(
        "port", "a port", .anyText("text"), .identity,
        in: Field({ $0.port }, { $0.port = $1 }), of: Field({ $0.port }, { $0.port = $1 }))
    private static let mode = ScreenProperty(
        "mode", "a mode", .text(Screen.Mode.format) { (try? Screen.Mode(parsing: $0)) != nil }, .changeable,
        step: "mode", rule: .s1,
        Access(
            get: { $0.mode.map(Value.text) },
            set: { settings, value in
                guard case .text(let text) = value else { return false }
                settings.mode = text
                return true
            },
            clear: { $0.mode = nil },
            read: { ($0.currentMode ?? $0.preferredMode).map { .text($0.text) } },
            apply: { (settings, screen, owner) throws(ModelError) in
                if let mode = settings.mode { screen.currentMode = try screen.modes.mode(mode, of: owner) }
            }))
    private static let scale = ScreenProperty(
        "scale", "a scale", .number(ScreenDescription.scales), .changeable, step: "scale",
        in: Field({ $0.scale }, { $0.scale = $1 }), of: Field({ $0.scale }, { $0.scale = $1 }))
    package static let orientation = ScreenProperty(
        "orientation", "an orientation", .cases(of: Screen.Orientation.self), .changeable, step: "rotate", rule: .r1,
        in: Field({ $0.orientation }, { $0.orientation = $1 }), of: Field({ $0.orientation }, { $0.orientation = $1 }))
    private static let flipped = ScreenProperty(
        "flipped", "a value of flipped", .flag, .changeable,
        in: Field({ $0.isFlipped }, { $0.isFlipped = $1 }), of: Field({ $0.isFlipped }, { $0.isFlipped = $1 }))
    private static let overscan = ScreenProperty(
        "overscan", "a compensation for overscan", .cases(of: Screen.Overscan.self), .changeable, step: "overscan",
        rule: .s5, in: Field({ $0.overscan }, { $0.overscan = $1 }), of: Field({ $0.overscan }, { $0.overscan = $1 }))
    private static let mirroring = ScreenProperty(
        "mirroring", "a source for mirroring", .anyText("automatic, off or a screen"), .changeable, step: "mirror",
        rule: .s7, in: Field({ $0.mirroring }, { $0.mirroring = $1 }),
        of: Field({ $0.mirroring }, { $0.mirroring = $1 }))
    private static let brightness = ScreenProperty(
        "brightness", "a brightness", .number(ScreenDescription.brightnesses), .changeable, step: "brightness",
        in: Field({ $0.brightness }, { $0.brightness = $1 }), of: Field({ $0.brightness }, { $0.brightness = $1 }))
    private static let position = ScreenProperty(
        "position", "a position", .point(ScreenDescription.coordinates), .changeable, step: "position", rule: .s1,
        Access(
            get: { $0.position?.screenValue },
            set: { settings, value in
                guard let point = Point(value) else { return false }
                settings.position = point
                return true
            },
            clear: { $0.position = nil },
            read: { $0.position.screenValue },
            apply: { (settings, screen, _) throws(ModelError) in
                if let position = settings.position { (screen.position, screen.isPositioned) = (position, true) }
            }))
    private static let interactive = ScreenProperty(
        "interactive", "a value of interactive", .flag, .fixed,
        in: Field({ $0.isInteractive }, { $0.isInteractive = $1 }),
        of: Field({ $0.isInteractive }, { $0.isInteractive = $1 }))

    private init(
        _ name: String, _ noun: String, _ type: ValueType, _ lifetime: Lifetime, step: String?, rule: Rule,
        _ access: Access
    ) {
        self.name = name
        self.type = type
        self.lifetime = lifetime
        self.step = step
        self.noun = noun
        self.rule = rule
        self.access = access
    }

    /// A property that settings and descriptions have in the same form.
    private init<T: ScreenValue>(
        _ name: String, _ noun: String, _ type: ValueType, _ lifetime: Lifetime, step: String? = nil,
        rule: Rule = .s1, in setting: Field<ScreenSettings, T?>,
        of property: Field<ScreenDescription, T>
    ) {
        self.init(
            name, noun, type, lifetime, step: step, rule: rule,
            Access(
                get: { setting.get($0)?.screenValue },
                set: { settings, value in
                    guard let value = T(value) else { return false }
                    setting.set(&settings, value)
                    return true
                },
                clear: { setting.set(&$0, nil) },
                read: { property.get($0).screenValue },
                apply: { (settings, screen, _) throws(ModelError) in
                    if let value = setting.get(settings) { property.set(&screen, value) }
                }))
    }
}

extension ScreenProperty {
    /// The value in these settings, nil when it is not set.
    package func value(in settings: ScreenSettings) -> Value? { access.get(settings) }

    /// The value that a screen of this description has.
    package func value(of screen: ScreenDescription) -> Value? { access.read(screen) }

    /// Sets the property. Throws its rule for a value that no screen can have.
    package func set(_ value: Value, in settings: inout ScreenSettings) throws(ModelError) {
        guard type.contains(value), access.set(&settings, value) else { throw refusal(of: value.quoted) }
    }

    /// Sets the property to a value in text form, as in `--screen`.
    package func set(text: String, in settings: inout ScreenSettings) throws(ModelError) {
        guard let value = type.parse(text), type.contains(value), access.set(&settings, value) else {
            throw refusal(of: "\"\(text)\"", isText: true)
        }
    }

    func clear(in settings: inout ScreenSettings) { access.clear(&settings) }

    /// Adopts the value that a screen of this description has.
    func copy(from screen: ScreenDescription, to settings: inout ScreenSettings) {
        if let value = access.read(screen) { _ = access.set(&settings, value) }
    }

    func apply(_ settings: ScreenSettings, to screen: inout ScreenDescription, of owner: String) throws(ModelError) {
        try access.apply(settings, &screen, owner)
    }

    /// What was wrong, and what is allowed: `"up" is not an orientation; use portrait, …`.
    /// - Parameter isText: whether values are in text form, instead of JSON.
    func refusal(of value: String, isText: Bool = false) -> ModelError {
        ModelError(
            kind: .invalidValue, rule: rule,
            message: "\(value) is not \(noun); use \(isText ? type.allowedAsText : type.allowed)")
    }
}
