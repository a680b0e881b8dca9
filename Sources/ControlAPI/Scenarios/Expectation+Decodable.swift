// Decodes expectations from JSON. "none" expects an absence; absent fields are not checked.

import ControlProtocol
import DisplayServer
import Displays
import JSON5
import MullionGeometry
import WindowModel

extension Expectation: StrictlyDecodable {
    typealias CodingKeys = API.Keys.Expectation
    typealias Keys = CodingKeys

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        screens = try container.decodeIfPresent([String].self, forKey: .screens)
        states = try container.list(ScreenState.self, forKey: .screen)
        windows = try container.list(WindowState.self, forKey: .window)
        key = try container.decodeIfPresent(NameOrNone.self, forKey: .key).map(\.name)
        pixels = try container.list(Pixel.self, forKey: .pixel)
        hits = try container.list(Hit.self, forKey: .hits)
        patience = try container.decodeIfPresent(DurationText.self, forKey: .within)?.microseconds
        guard container.allKeys.contains(where: { $0 != .within }) else {
            throw JSON5.emptiness(
                "the expectation is empty; use screens, screen, window, key, pixel or hits", decoder.codingPath)
        }
    }
}

extension Expectation.ScreenState: StrictlyDecodable {
    private enum Own: String, CodingKey, CaseIterable { case connected, mirrors, size, main, windows }

    struct Keys: TableKey {
        static let names = Own.allCases.map(\.rawValue) + ScreenProperty.all.map(\.name)
        let stringValue: String
        init(_ name: String) { stringValue = name }
    }

    init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Keys.self)
        name = try keys.decode(String.self, forKey: Keys(ScreenProperty.name.name))
        let container = try decoder.container(keyedBy: Own.self)
        isConnected = try container.decodeIfPresent(Bool.self, forKey: .connected)
        settings = try DecodingError.locating(decoder.codingPath) {
            try ScreenSettings(from: decoder, ScreenProperty.all.filter { $0.name != ScreenProperty.name.name })
        }
        mirrors = try container.decodeIfPresent(NameOrNone.self, forKey: .mirrors).map(\.name)
        size = try container.decodeIfPresent(Strict<SizePayload>.self, forKey: .size)?.value.size
        isMain = try container.decodeIfPresent(Bool.self, forKey: .main)
        windows = try container.decodeIfPresent([String].self, forKey: .windows)
        try keys.refuseOthers(
            than: Keys(ScreenProperty.name.name), where: isConnected == false, "a screen that is not connected")
    }
}

extension Expectation.WindowState: StrictlyDecodable {
    typealias CodingKeys = API.Keys.ExpectedWindow
    typealias Keys = CodingKeys

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        exists = try container.decodeIfPresent(Bool.self, forKey: .exists)
        isVisible = try container.decodeIfPresent(Bool.self, forKey: .visible)
        isKey = try container.decodeIfPresent(Bool.self, forKey: .key)
        screen = try container.decodeIfPresent(NameOrNone.self, forKey: .screen).map(\.name)
        awaits = try container.decodeIfPresent(NameOrNone.self, forKey: .awaits).map(\.name)
        frame = try container.decodeIfPresent(Strict<RectPayload>.self, forKey: .frame)?.value.rect
        level = try container.decodeIfPresent(LevelPayload.self, forKey: .level)?.level
        try container.refuseOthers(than: .title, where: exists == false, "a window that does not exist")
    }
}

extension Expectation.Hit: StrictlyDecodable {
    typealias CodingKeys = API.Keys.ExpectedHit
    typealias Keys = CodingKeys

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        screen = try container.decodeIfPresent(ScreenReference.self, forKey: .screen)
        // JSON5 has numbers that are none of a place.
        func coordinate(_ key: CodingKeys) throws -> Double {
            let value = try container.decode(Double.self, forKey: key)
            guard value.isFinite else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "\(value) is not a coordinate; use a number of points"
                )
            }
            return value
        }
        point = Point(x: try coordinate(.x), y: try coordinate(.y))
        window = try container.decode(NameOrNone.self, forKey: .window).name
    }
}

extension Expectation.Pixel: StrictlyDecodable {
    typealias CodingKeys = API.Keys.ExpectedPixel
    typealias Keys = CodingKeys

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        screen = try container.decodeIfPresent(ScreenReference.self, forKey: .screen)
        x = try container.decode(Int.self, forKey: .x)
        y = try container.decode(Int.self, forKey: .y)
        color = try container.decode(ColorText.self, forKey: .color).argb & 0xff_ffff
        tolerance = try container.decodeIfPresent(Tolerance.self, forKey: .tolerance)?.value ?? 0
    }
}

/// A name, or "none".
private struct NameOrNone: Decodable {
    let name: String?

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        name = text == "none" ? nil : text
    }
}

extension KeyedDecodingContainer {
    /// One value, or a list of several.
    fileprivate func list<T: StrictlyDecodable>(_ type: T.Type, forKey key: Key) throws -> [T] {
        guard contains(key) else { return [] }
        guard (try? nestedUnkeyedContainer(forKey: key)) != nil else {
            return [try decode(Strict<T>.self, forKey: key).value]
        }
        return try decode([Strict<T>].self, forKey: key).map(\.value)
    }

    /// Something absent has no properties: only its name and the key that says so are allowed.
    fileprivate func refuseOthers(than name: Key, where isAbsent: Bool, _ what: String) throws {
        guard isAbsent, allKeys.count > 2 else { return }
        throw DecodingError.dataCorruptedError(
            forKey: name, in: self, debugDescription: "\(what) has no further properties")
    }
}
