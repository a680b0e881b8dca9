// Decodes expectations from JSON. "none" expects that there is none; missing fields expect nothing.

import DisplayServer
import Displays
import WindowModel

extension Expectation: StrictlyDecodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case screens, screen, window, key, pixel, within }
    typealias Keys = CodingKeys

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        screens = try container.decodeIfPresent([String].self, forKey: .screens)
        states = try container.list(ScreenState.self, forKey: .screen)
        windows = try container.list(WindowState.self, forKey: .window)
        key = try container.decodeIfPresent(NameOrNone.self, forKey: .key).map(\.name)
        pixels = try container.list(Pixel.self, forKey: .pixel)
        patience = try container.decodeIfPresent(DurationText.self, forKey: .within)?.microseconds
        guard container.allKeys.contains(where: { $0 != .within }) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "nothing is expected; write screens, screen, window, key or pixel"))
        }
    }
}

extension Expectation.ScreenState: StrictlyDecodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, connected, mode, scale, orientation, overscan, brightness, mirrors, size, position, main, windows
    }
    typealias Keys = CodingKeys

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        isConnected = try container.decodeIfPresent(Bool.self, forKey: .connected)
        mode = try container.decodeIfPresent(String.self, forKey: .mode)
        scale = try container.decodeIfPresent(Double.self, forKey: .scale)
        brightness = try container.decodeIfPresent(Double.self, forKey: .brightness)
        mirrors = try container.decodeIfPresent(NameOrNone.self, forKey: .mirrors).map(\.name)
        size = try container.decodeIfPresent(Strict<SizePayload>.self, forKey: .size)?.value.size
        position = try container.decodeIfPresent(Strict<PointPayload>.self, forKey: .position)?.value.point
        isMain = try container.decodeIfPresent(Bool.self, forKey: .main)
        windows = try container.decodeIfPresent([String].self, forKey: .windows)
        do {
            orientation = try container.decodeIfPresent(String.self, forKey: .orientation)
                .map { try Screen.Orientation(parsing: $0) }
            overscan = try container.decodeIfPresent(String.self, forKey: .overscan)
                .map { try Screen.Overscan(parsing: $0) }
            if let mode { _ = try Screen.Mode(parsing: mode) }
        } catch let error as ModelError {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description))
        }
        try container.refuseOthers(than: .name, where: isConnected == false, "a screen that is not connected")
    }
}

extension Expectation.WindowState: StrictlyDecodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case title, exists, visible, key, screen, awaits, frame, level
    }
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

extension Expectation.Pixel: StrictlyDecodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case screen, x, y, color, tolerance }
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
