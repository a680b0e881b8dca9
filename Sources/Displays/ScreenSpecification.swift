// A requested screen: a display model and the properties that differ from it.

import JSON5
import MullionGeometry
import WindowModel

/// `MODEL[,KEY=VALUE…]` of `--screen` and `mullionctl plug`, and the body of `POST /screens`. The settings are also its
/// own properties.
@dynamicMemberLookup
public struct ScreenSpecification: Sendable, Equatable {
    /// A display model; nil when an EDID describes the display.
    public var model: String?
    /// What differs from the display model.
    public var settings = ScreenSettings()
    /// Whether plugging the display provokes races in clients: its globals vanish immediately when it is unplugged, and
    /// a new global reuses the name (number) of a removed one.
    public var provokesRaces = false
    /// The display's EDID: its modes, size and identity take precedence over those of `model`.
    public var edid: [UInt8]?

    public init(model: String) { self.model = model }

    /// A model, an EDID in base64, or both. Throws S1 when there is neither, or the text is not base64.
    package init(model: String?, edid: String?) throws(ModelError) {
        guard model != nil || edid != nil else { throw Self.missingModel }
        self.model = model
        if let edid { try set("edid", to: edid) }
    }

    public subscript<T>(dynamicMember setting: WritableKeyPath<ScreenSettings, T>) -> T {
        get { settings[keyPath: setting] }
        set { settings[keyPath: setting] = newValue }
    }

    /// The keys, for messages.
    public static let keys = (ScreenProperty.all.map(\.name) + ["hostile", "edid"]).joined(separator: ", ")

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
                settings.kind = .external
                continue
            }
            try set(String(part[..<equals]), to: String(part[part.index(after: equals)...]))
        }
    }

    /// Sets a property from text.
    public mutating func set(_ key: String, to value: String) throws(ModelError) {
        if let property = ScreenProperty.all.first(where: { $0.name == key }) {
            return try property.set(text: value, in: &settings)
        }
        switch key {
        case "hostile":
            guard let flag = Bool(value) else {
                throw Self.refusal("\"\(value)\" is not a value of hostile; use true or false")
            }
            provokesRaces = flag
        case "edid":
            guard let bytes = Base64.decode(value) else {
                throw Self.refusal("the value of edid is not an EDID; use its bytes in base64")
            }
            edid = bytes
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
        var result = try display.description(named: settings.name ?? display.name)
        result.port = settings.port ?? result.port
        result.position = Point(x: right, y: 0)
        let record = memory?.record(of: result, name: settings.name, connected: names)
        try record?.apply(to: &result)
        let isBuiltIn = display.kind == .builtIn || (record?.kind.map { $0 == .builtIn } ?? names.isEmpty)
        let kind = settings.kind ?? (isBuiltIn ? .builtIn : .external)
        result.name = settings.name ?? record?.name ?? freeName(kind, result.port, names, memory)
        try Self.check(name: result.name)
        guard !names.contains(result.name) else {
            throw Self.refusal("a screen named \(result.name) is already plugged in; use another name")
        }
        result.kind = kind
        try settings.apply(to: &result, of: "display model \(display.name)")
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
        display.serial = settings.serial ?? display.serial
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

    /// Refuses names that would be ambiguous.
    static func check(name: String) throws(ModelError) {
        var settings = ScreenSettings()
        try ScreenProperty.name.set(.text(name), in: &settings)
    }

    private static func refusal(_ message: String) -> ModelError {
        ModelError(kind: .invalidValue, rule: .s1, message: message)
    }
}
