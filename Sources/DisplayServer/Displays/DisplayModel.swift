// A kind of monitor, from the monitor library or the configuration.

import FoundationEssentials
import WindowModel

/// A display that can be plugged in by name. Decoded strictly from JSON5: unknown keys are errors.
public struct DisplayModel: Codable, Sendable, Equatable {
    /// The name by which it is plugged in.
    public var name: String
    /// What it is, for people.
    public var summary: String?
    public var vendor: String
    public var model: String
    /// "WIDTHxHEIGHT@HERTZ", native pixels.
    public var modes: [String]
    /// One of `modes`; default: the first.
    public var preferredMode: String?
    /// Pixels per point.
    public var scale: Double?
    /// Visible area in millimetres.
    public var physicalSize: PhysicalSize?
    public var overscan: OverscanInsets?
    public var interactive: Bool?
    public var maximumFramesPerSecond: Int?
    public var kind: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, summary, vendor, model, modes, preferredMode, scale, physicalSize, overscan, interactive
        case maximumFramesPerSecond, kind
    }

    /// A plain display with one mode.
    init(name: String, vendor: String, model: String, modes: [String]) {
        self.name = name
        self.vendor = vendor
        self.model = model
        self.modes = modes
    }

    /// Strict: unknown keys, impossible modes and impossible values are errors.
    public init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        summary = try container.decodeIfPresent(String.self, forKey: .summary)
        vendor = try container.decode(String.self, forKey: .vendor)
        model = try container.decode(String.self, forKey: .model)
        modes = try container.decode([String].self, forKey: .modes)
        preferredMode = try container.decodeIfPresent(String.self, forKey: .preferredMode)
        scale = try container.decodeIfPresent(Double.self, forKey: .scale)
        physicalSize = try container.decodeIfPresent(PhysicalSize.self, forKey: .physicalSize)
        overscan = try container.decodeIfPresent(OverscanInsets.self, forKey: .overscan)
        interactive = try container.decodeIfPresent(Bool.self, forKey: .interactive)
        maximumFramesPerSecond = try container.decodeIfPresent(Int.self, forKey: .maximumFramesPerSecond)
        kind = try container.decodeIfPresent(String.self, forKey: .kind)
        guard kind == nil || Screen.Kind(rawValue: kind ?? "") != nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: container, debugDescription: "kinds are builtIn and external")
        }
        do {
            try description(named: name).checked()
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
        }
    }

    public struct PhysicalSize: Codable, Sendable, Equatable {
        public var width: Double
        public var height: Double
    }

    /// What the display's edges hide, in native pixels (S5).
    public struct OverscanInsets: Codable, Sendable, Equatable {
        public var top: Double
        public var left: Double
        public var bottom: Double
        public var right: Double
    }

    /// The screen that such a display is, with nothing chosen yet but its own preferences.
    public func description(named screenName: String) throws(ModelError) -> ScreenDescription {
        let parsed = try modes.mapModes(model: name)
        guard let first = parsed.first else {
            throw ModelError(kind: .invalidValue, rule: "S1", message: "display model \(name) has no modes")
        }
        var preferred = first
        if let preferredMode { preferred = try Screen.Mode(parsing: preferredMode) }
        let insets = overscan.map { Screen.Insets(top: $0.top, left: $0.left, bottom: $0.bottom, right: $0.right) }
        let fastest = parsed.map { Double($0.refresh) / 1000 }.max() ?? 60
        return ScreenDescription(
            name: screenName, kind: kind == "builtIn" ? .builtIn : .external, vendor: vendor, model: model,
            modes: parsed, preferredMode: preferred, currentMode: preferred, scale: scale ?? 1,
            overscanInsets: insets ?? Screen.Insets(),
            maximumFramesPerSecond: maximumFramesPerSecond ?? Int(fastest.rounded(.up)),
            isInteractive: interactive ?? true,
            physicalSize: physicalSize.map { Size(width: $0.width, height: $0.height) } ?? .zero)
    }
}

extension [String] {
    fileprivate func mapModes(model: String) throws(ModelError) -> [Screen.Mode] {
        var result: [Screen.Mode] = []
        for text in self { result.append(try Screen.Mode(parsing: text)) }
        return result
    }
}

extension [Screen.Mode] {
    /// The mode that a text means; without a rate the first of that size (S3). `owner` is for the message.
    func mode(_ text: String, of owner: String) throws(ModelError) -> Screen.Mode {
        let wanted = try Screen.Mode(parsing: text)
        let fits = first {
            $0.width == wanted.width && $0.height == wanted.height
                && (!text.contains("@") || abs($0.refresh - wanted.refresh) < 10)
        }
        guard let fits else {
            let all = map(\.text).joined(separator: ", ")
            throw ModelError(
                kind: .invalidValue, rule: "S3", message: "\(text) is no mode of \(owner); available are \(all)")
        }
        return fits
    }
}

extension Screen.Mode {
    /// "WIDTHxHEIGHT[@HERTZ]"; without a rate it is 60 Hz.
    public init(parsing text: String) throws(ModelError) {
        let refusal = ModelError(
            kind: .invalidValue, rule: "S1", message: "\"\(text)\" is no mode; write WIDTHxHEIGHT or WIDTHxHEIGHT@HERTZ"
        )
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let size = parts[0].split(separator: "x", omittingEmptySubsequences: false)
        guard size.count == 2, let width = Int(size[0]), let height = Int(size[1]), width > 0, height > 0,
            width <= 65_535, height <= 65_535
        else { throw refusal }
        var hertz = 60.0
        if parts.count == 2 {
            let number = parts[1].hasSuffix("Hz") ? parts[1].dropLast(2) : parts[1]
            guard let value = Double(number), value.isFinite, value >= 0.001, value <= 100_000 else { throw refusal }
            hertz = value
        }
        self.init(width: width, height: height, refresh: Int((hertz * 1000).rounded()))
    }
}
