// A requested screen: a display model and the properties that differ from it.

import FoundationEssentials
import Geometry
import WindowModel

/// `MODEL[,KEY=VALUE…]` of `--screen` and `mullionctl plug`, and the body of `POST /screens`.
public struct ScreenSpecification: Sendable, Equatable {
    /// A display model; nil when an EDID describes the display.
    public var model: String?
    public var name: String?
    public var kind: Screen.Kind?
    public var serial: String?
    /// The connector, which is also the default name of the screen.
    public var port: String?
    /// Whether plugging the display provokes races in clients: its globals vanish immediately when it is unplugged, and
    /// a new global reuses the name (number) of a removed one.
    public var provokesRaces = false
    public var mode: String?
    public var scale: Double?
    public var orientation: Screen.Orientation?
    public var isFlipped: Bool?
    public var overscan: Screen.Overscan?
    public var mirroring: Screen.Mirroring?
    public var position: Point?
    public var isInteractive: Bool?
    /// The display's EDID: its modes, size and identity take precedence over those of `model`.
    public var edid: [UInt8]?

    public init(model: String) { self.model = model }

    /// A model, an EDID in base64, or both. Throws S1 when there is neither, or the text is not base64.
    package init(model: String?, edid: String?) throws(ModelError) {
        guard model != nil || edid != nil else { throw Self.missingModel }
        self.model = model
        if let edid { try set("edid", to: edid) }
    }

    /// The settable properties, for messages.
    public static let keys =
        "name, kind (builtIn or external), external, serial, port, mode, scale, orientation, flipped, overscan, "
        + "mirroring, position, interactive, hostile, edid"

    private static let missingModel = refusal("a screen needs a display model, WIDTHxHEIGHT[@HERTZ] or edid=BASE64")

    /// Parses `MODEL[,KEY=VALUE…]`; `external` alone is short for `kind=external`. With `edid`, MODEL may be omitted.
    public init(parsing text: String) throws(ModelError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !parts[0].isEmpty else { throw Self.missingModel }
        let hasModel = !parts[0].hasPrefix("edid=")
        if hasModel { model = parts[0] }
        for part in parts.dropFirst(hasModel ? 1 : 0) {
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

    /// Sets a property from text.
    public mutating func set(_ key: String, to value: String) throws(ModelError) {
        func number() throws(ModelError) -> Double {
            guard let number = Double(value), number.isFinite else {
                throw Self.refusal("\(key)=\(value) is no number")
            }
            return number
        }
        func flag() throws(ModelError) -> Bool {
            guard value == "true" || value == "false" else { throw Self.refusal("\(key)=\(value): true or false") }
            return value == "true"
        }
        switch key {
        case "name": name = value
        case "serial": serial = value
        case "port": port = value
        case "hostile": provokesRaces = try flag()
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
            isFlipped = try flag()
        case "position":
            let parts = value.split(separator: "+").compactMap { Double($0) }
            guard parts.count == 2 else { throw Self.refusal("position=\(value): write X+Y, in points") }
            position = Point(x: parts[0], y: parts[1])
        case "interactive":
            isInteractive = try flag()
        case "edid":
            guard let data = Data(base64Encoded: value) else { throw Self.refusal("edid: it has to be base64") }
            edid = Array(data)
        default: throw Self.refusal("there is no key \(key); keys are \(Self.keys)")
        }
    }

    /// The description of the screen to connect.
    /// - Parameters:
    ///   - names: names already taken.
    ///   - right: the right edge of the layout.
    ///   - memory: S10: restores the settings of a known display, except for those specified here.
    public func description(
        from library: DisplayLibrary, names: Set<String>, right: Double, memory: ScreenMemory? = nil
    ) throws(ModelError) -> ScreenDescription {
        let display = try display(from: library)
        let kind = kind ?? (display.kind == .builtIn || names.isEmpty ? .builtIn : .external)
        var result = try display.description(named: name ?? display.name)
        result.port = port ?? result.port
        result.position = Point(x: right, y: 0)
        let record = memory?.record(of: result, name: name, connected: names)
        try record?.apply(to: &result)
        result.name = name ?? record?.name ?? freeName(kind, result.port, names, memory)
        try Self.check(name: result.name)
        guard !names.contains(result.name) else { throw Self.refusal("there is a screen \(result.name) already") }
        result.kind = kind
        result.scale = scale ?? result.scale
        result.orientation = orientation ?? result.orientation
        result.isFlipped = isFlipped ?? result.isFlipped
        result.overscan = overscan ?? result.overscan
        result.mirroring = mirroring ?? result.mirroring
        result.isInteractive = isInteractive ?? result.isInteractive
        result.position = position ?? result.position
        if let mode { result.currentMode = try result.modes.mode(mode, of: "display model \(display.name)") }
        return result
    }

    /// The display model with the requested properties, so that a generated EDID includes them.
    private func display(from library: DisplayLibrary) throws(ModelError) -> DisplayModel {
        var display: DisplayModel
        if let model {
            display = try library.model(named: model)
            if let edid { try display.adopt(edid: edid) }
        } else if let edid {
            display = try DisplayModel(name: "of the EDID", edid: edid)
        } else {
            throw Self.missingModel
        }
        display.serial = serial ?? display.serial
        return display
    }

    /// The port, or BUILTIN-1, EXTERNAL-1, EXTERNAL-2 …: the first name that is neither in use nor another display's
    /// (S10).
    private func freeName(_ kind: Screen.Kind, _ port: String, _ names: Set<String>, _ memory: ScreenMemory?) -> String
    {
        func isFree(_ name: String) -> Bool { !names.contains(name) && memory?.isReserved(name) != true }
        if !port.isEmpty, isFree(port) { return port }
        let prefix = kind == .builtIn ? "BUILTIN-" : "EXTERNAL-"
        var number = 1
        while !isFree("\(prefix)\(number)") { number += 1 }
        return "\(prefix)\(number)"
    }

    /// Refuses names that would be ambiguous: screens are also named by id, and mirroring has keywords.
    static func check(name: String) throws(ModelError) {
        guard UInt32(name) == nil, case .screen = Screen.Mirroring(parsing: name) else {
            throw refusal("name=\(name): a name is no number, and neither auto, automatic nor off")
        }
    }

    private static func refusal(_ message: String) -> ModelError {
        ModelError(kind: .invalidValue, rule: .s1, message: message)
    }
}

extension Screen.Orientation {
    /// Parses its name.
    package init(parsing text: String) throws(ModelError) {
        guard let found = Self(rawValue: text) else {
            let all = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw ModelError(
                kind: .invalidValue, rule: .r1, message: "\"\(text)\" is no orientation; there are \(all)")
        }
        self = found
    }
}

extension Screen.Overscan {
    /// Parses its name.
    package init(parsing text: String) throws(ModelError) {
        guard let found = Self(rawValue: text) else {
            let all = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw ModelError(
                kind: .invalidValue, rule: .s5, message: "\"\(text)\" does not make up for overscan; there are \(all)")
        }
        self = found
    }
}
