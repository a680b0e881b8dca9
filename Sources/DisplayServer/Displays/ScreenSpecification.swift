// A screen as a person asks for it: a display model and what is to be different.

import WindowModel

/// `MODEL[,KEY=VALUE…]` of `--screen` and `mullionctl plug`, and the body of `POST /screens`.
public struct ScreenSpecification: Sendable, Equatable {
    public var model: String
    public var name: String?
    public var kind: Screen.Kind?
    public var serial: String?
    public var mode: String?
    public var scale: Double?
    public var orientation: Screen.Orientation?
    public var isFlipped: Bool?
    public var overscan: Screen.Overscan?
    public var mirroring: Screen.Mirroring?
    public var position: Point?
    public var isInteractive: Bool?

    public init(model: String) { self.model = model }

    /// What may be set, for messages.
    public static let keys =
        "name, kind (builtIn or external), external, serial, mode, scale, orientation, flipped, overscan, "
        + "mirroring, position, interactive"

    /// Parses `MODEL[,KEY=VALUE…]`; `external` alone is short for `kind=external`.
    public init(parsing text: String) throws(ModelError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        model = parts[0]
        guard !model.isEmpty else { throw Self.refusal("a screen needs a display model or WIDTHxHEIGHT[@HERTZ]") }
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: "=") else {
                guard part == "external" else {
                    throw Self.refusal("\"\(part)\" is not KEY=VALUE; keys are \(Self.keys)")
                }
                kind = .external
                continue
            }
            try set(String(part[..<equals]), to: String(part[part.index(after: equals)...]))
        }
    }

    /// Sets one property from text.
    public mutating func set(_ key: String, to value: String) throws(ModelError) {
        func number() throws(ModelError) -> Double {
            guard let number = Double(value), number.isFinite else {
                throw Self.refusal("\(key)=\(value) is no number")
            }
            return number
        }
        switch key {
        case "name": name = value
        case "serial": serial = value
        case "mode": mode = value
        case "scale": scale = try number()
        case "kind":
            guard let kind = Screen.Kind(rawValue: value) else {
                throw Self.refusal("kind=\(value): kinds are builtIn and external")
            }
            self.kind = kind
        case "orientation":
            orientation = try Screen.Orientation(parsing: value)
        case "overscan":
            overscan = try Screen.Overscan(parsing: value)
        case "mirroring": mirroring = Screen.Mirroring(parsing: value)
        case "flipped":
            guard value == "true" || value == "false" else { throw Self.refusal("flipped=\(value): true or false") }
            isFlipped = value == "true"
        case "position":
            let parts = value.split(separator: "+").compactMap { Double($0) }
            guard parts.count == 2 else { throw Self.refusal("position=\(value): write X+Y, in points") }
            position = Point(x: parts[0], y: parts[1])
        case "interactive":
            guard value == "true" || value == "false" else { throw Self.refusal("interactive=\(value): true or false") }
            isInteractive = value == "true"
        default: throw Self.refusal("there is no key \(key); keys are \(Self.keys)")
        }
    }

    /// The screen to connect. `names` are taken already; `right` is where the layout ends.
    public func description(
        from library: DisplayLibrary, names: Set<String>, right: Double
    ) throws(ModelError) -> ScreenDescription {
        let display = try library.model(named: model)
        let kind = kind ?? (display.kind == "builtIn" || names.isEmpty ? .builtIn : .external)
        var result = try display.description(named: name ?? Self.freeName(kind, names))
        guard !names.contains(result.name) else { throw Self.refusal("there is a screen \(result.name) already") }
        result.kind = kind
        result.serial = serial ?? result.serial
        result.scale = scale ?? result.scale
        result.orientation = orientation ?? result.orientation
        result.isFlipped = isFlipped ?? result.isFlipped
        result.overscan = overscan ?? result.overscan
        result.mirroring = mirroring ?? result.mirroring
        result.isInteractive = isInteractive ?? result.isInteractive
        result.position = position ?? Point(x: right, y: 0)
        if let mode { result.currentMode = try result.modes.mode(mode, of: "display model \(model)") }
        return result
    }

    /// BUILTIN-1, EXTERNAL-1, EXTERNAL-2 …: the first that is free.
    private static func freeName(_ kind: Screen.Kind, _ names: Set<String>) -> String {
        let prefix = kind == .builtIn ? "BUILTIN-" : "EXTERNAL-"
        var number = 1
        while names.contains("\(prefix)\(number)") { number += 1 }
        return "\(prefix)\(number)"
    }

    private static func refusal(_ message: String) -> ModelError {
        ModelError(kind: .invalidValue, rule: "S1", message: message)
    }
}

extension Screen.Orientation {
    /// Its name.
    init(parsing text: String) throws(ModelError) {
        guard let found = Self(rawValue: text) else {
            let all = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw ModelError(
                kind: .invalidValue, rule: "R1", message: "\"\(text)\" is no orientation; there are \(all)")
        }
        self = found
    }
}

extension Screen.Overscan {
    /// Its name.
    init(parsing text: String) throws(ModelError) {
        guard let found = Self(rawValue: text) else {
            let all = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw ModelError(
                kind: .invalidValue, rule: "S5", message: "\"\(text)\" does not make up for overscan; there are \(all)")
        }
        self = found
    }
}

extension DisplayServer {
    /// Plugs in a screen by model; it lies to the right of all others unless a position is given.
    @discardableResult
    public func plug(_ specification: ScreenSpecification) throws(ModelError) -> Screen.ID {
        let screens = model.screens.compactMap { model.screen($0) }
        let right = screens.map { $0.position.x + $0.bounds.size.width }.max() ?? 0
        return try connect(
            try specification.description(from: displays, names: Set(screens.map(\.name)), right: right))
    }

    /// The screen with this id or stable name.
    public func screen(_ text: String) throws(ModelError) -> Screen {
        if let number = UInt32(text), let screen = model.screen(Screen.ID(rawValue: number)) { return screen }
        if let screen = model.screen(named: text) { return screen }
        let known = model.screens.compactMap { model.screen($0)?.name }.joined(separator: ", ")
        throw ModelError(
            kind: .unknownScreen, rule: "S1",
            message: "there is no screen \"\(text)\"; connected: \(known.isEmpty ? "none" : known)")
    }
}
