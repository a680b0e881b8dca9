// Decodes display models from JSON5, strictly; errors name the key.

import JSON5
import MullionSystem
import WindowModel

extension DisplayModel: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, summary, type, vendor, model, serial, pnp, modes, preferredMode, scale, physicalSize, overscan
        case interactive, maximumFramesPerSecond, kind, connector, port, edid
    }

    /// Unknown keys, impossible modes and impossible values are errors. `edid` names a file next to the model's;
    /// explicit keys take precedence over the EDID.
    public init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .name)
        func optional<T: Decodable>(_ type: T.Type, _ key: CodingKeys) throws -> T? {
            try container.decodeIfPresent(type, forKey: key)
        }
        if let path = try optional(String.self, .edid) {
            let bytes = try Self.bytes(ofFile: path, decoder, container)
            do {
                try self.init(name: name, edid: bytes)
            } catch {
                throw container.refusal(.edid, "\(path): \(error.message)")
            }
            vendor = try optional(String.self, .vendor) ?? vendor
            model = try optional(String.self, .model) ?? model
            if container.contains(.modes) {
                modes = try container.modes()
                preferredMode = nil
            }
        } else {
            self.init(
                name: name, vendor: try container.decode(String.self, forKey: .vendor),
                model: try container.decode(String.self, forKey: .model), modes: try container.modes())
        }
        summary = try optional(String.self, .summary)
        type = try container.choice(.type)
        serial = try optional(String.self, .serial) ?? serial
        pnp = try optional(String.self, .pnp)
        if let text = try optional(String.self, .preferredMode) {
            preferredMode = try container.checked(.preferredMode) { () throws(ModelError) in
                try modes.mode(text, of: name)
            }
        }
        scale = try optional(Double.self, .scale)
        physicalSize = try optional(PhysicalSize.self, .physicalSize) ?? physicalSize
        overscan = try optional(OverscanInsets.self, .overscan)
        interactive = try optional(Bool.self, .interactive)
        maximumFramesPerSecond = try optional(Int.self, .maximumFramesPerSecond)
        kind = try container.choice(.kind)
        connector = try container.choice(.connector)
        port = try optional(String.self, .port)
        try check(container)
    }

    /// Checks the values one by one on a valid screen, so that the error can name the invalid one.
    private func check(_ container: KeyedDecodingContainer<CodingKeys>) throws {
        if let pnp, pnp.utf8.count != 3 || !pnp.utf8.allSatisfy({ (65...90).contains($0) }) {
            throw container.refusal(.pnp, "\"\(pnp)\" is not a PNP id; use three letters A–Z")
        }
        let whole = try container.checked(.modes) { () throws(ModelError) in try description(named: "screen") }
        func check(_ key: CodingKeys, _ change: (inout ScreenDescription) -> Void) throws {
            var screen = ScreenDescription(name: "screen", modes: modes, preferredMode: whole.preferredMode)
            change(&screen)
            _ = try container.checked(key) { () throws(ModelError) in try screen.checked() }
        }
        try check(.modes) { _ in }
        try check(.name) { $0.name = name }
        try check(.vendor) { $0.vendor = whole.vendor }
        try check(.model) { $0.model = whole.model }
        try check(.port) { $0.port = whole.port }
        try check(.serial) { $0.serial = whole.serial }
        try check(.scale) { $0.scale = whole.scale }
        try check(.maximumFramesPerSecond) { $0.maximumFramesPerSecond = whole.maximumFramesPerSecond }
        try check(.physicalSize) { $0.physicalSize = whole.physicalSize }
        try check(.overscan) { $0.overscanInsets = whole.overscanInsets }
    }

    /// 256 blocks.
    private static let mostEDIDBytes = 256 * 128

    private static func bytes(
        ofFile path: String, _ decoder: any Decoder, _ container: KeyedDecodingContainer<CodingKeys>
    ) throws -> [UInt8] {
        let folder = JSON5.folder.flatMap { decoder.userInfo[$0] as? String } ?? ""
        let whole = path.hasPrefix("/") || folder.isEmpty ? path : folder + "/" + path
        do throws(NamedFileError) {
            return try NamedFile.contents(of: whole, atMost: mostEDIDBytes)
        } catch {
            throw container.refusal(.edid, "\(whole) cannot be read: \(error)")
        }
    }
}

extension DisplayModel.PhysicalSize {
    enum CodingKeys: String, CodingKey, CaseIterable { case width, height }

    public init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        width = try container.decode(Double.self, forKey: .width)
        height = try container.decode(Double.self, forKey: .height)
    }
}

extension DisplayModel.OverscanInsets {
    enum CodingKeys: String, CodingKey, CaseIterable { case top, left, bottom, right }

    public init(from decoder: any Decoder) throws {
        try JSON5.refuseUnknownKeys(decoder, CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        top = try container.decode(Double.self, forKey: .top)
        left = try container.decode(Double.self, forKey: .left)
        bottom = try container.decode(Double.self, forKey: .bottom)
        right = try container.decode(Double.self, forKey: .right)
    }
}

extension KeyedDecodingContainer<DisplayModel.CodingKeys> {
    fileprivate func refusal(_ key: Key, _ message: String) -> DecodingError {
        DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: message)
    }

    /// One of the names of an enumeration.
    fileprivate func choice<T: RawRepresentable<String> & CaseIterable>(_ key: Key) throws -> T? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        if let value = T(rawValue: text) { return value }
        let all = T.allCases.map(\.rawValue).joined(separator: ", ")
        throw refusal(key, "\"\(text)\" is not a \(key.stringValue); use one of \(all)")
    }

    fileprivate func checked<T>(_ key: Key, _ body: () throws(ModelError) -> T) throws -> T {
        do throws(ModelError) {
            return try body()
        } catch {
            throw refusal(key, error.message)
        }
    }

    fileprivate func modes() throws -> [Screen.Mode] {
        var list = try nestedUnkeyedContainer(forKey: .modes)
        var modes: [Screen.Mode] = []
        while !list.isAtEnd {
            let path = list.codingPath + [JSON5.AnyKey(index: list.currentIndex)]
            let text = try list.decode(String.self)
            do throws(ModelError) {
                modes.append(try Screen.Mode(parsing: text))
            } catch {
                throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: error.message))
            }
        }
        return modes
    }
}
