// Points, sizes and rectangles in JSON.

import ControlProtocol
import DisplayServer
import MullionGeometry
import WindowModel

extension API.Insets {
    init(_ insets: Screen.Insets) {
        self.init(top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
    }
}

extension API.Point {
    init(_ point: Point) { self.init(x: point.x, y: point.y) }
}

extension API.Size {
    init(_ size: Size) { self.init(width: size.width, height: size.height) }
}

extension API.Rect {
    init(_ rect: Rect) {
        self.init(x: rect.minX, y: rect.minY, width: rect.size.width, height: rect.size.height)
    }
}

/// A point of a body: `{"x": 10, "y": 20}`.
struct PointPayload: StrictlyDecodable {
    typealias Keys = API.Keys.PointBody

    let point: Point

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        point = Point(
            x: try container.decode(Double.self, forKey: .x), y: try container.decode(Double.self, forKey: .y))
    }
}

/// A size of a body: `{"width": 100, "height": 50}`.
struct SizePayload: StrictlyDecodable {
    typealias Keys = API.Keys.SizeBody

    let size: Size

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        size = Size(
            width: try container.decode(Double.self, forKey: .width),
            height: try container.decode(Double.self, forKey: .height))
    }
}

/// A rectangle of a body: `{"x": 0, "y": 0, "width": 100, "height": 50}`.
struct RectPayload: StrictlyDecodable {
    typealias Keys = API.Keys.RectBody

    let rect: Rect

    init(_ rect: Rect) { self.rect = rect }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        rect = Rect(
            x: try container.decode(Double.self, forKey: .x), y: try container.decode(Double.self, forKey: .y),
            width: try container.decode(Double.self, forKey: .width),
            height: try container.decode(Double.self, forKey: .height))
    }
}

extension ScreenReference: Decodable {
    /// The id may be a number.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(UInt32.self) {
            self.init(String(number))
        } else {
            self.init(try container.decode(String.self))
        }
    }
}

/// A level: a number, or `normal`, `statusBar`, `alert` (W2).
struct LevelPayload: Decodable, Equatable {
    let level: Double

    init(_ level: Double) { self.level = level }

    private static let names = [
        "normal": Window.Level.normal, "statusBar": Window.Level.statusBar, "alert": Window.Level.alert,
    ]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            level = number
            return
        }
        guard let name = try? container.decode(String.self) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected a number, normal, statusBar or alert")
        }
        guard let known = Self.names[name] else {
            throw Problem(
                .invalidValue, "\"\(name)\" is not a level; use a number, normal, statusBar or alert", rule: .w2)
        }
        level = known
    }
}

/// A list of the parts that may change with the screen's bounds (R2).
struct AutoresizingPayload: Decodable, Equatable {
    let mask: Window.Autoresizing

    init(from decoder: any Decoder) throws {
        var mask: Window.Autoresizing = []
        for name in try decoder.singleValueContainer().decode([String].self) {
            guard let known = Window.Autoresizing.names.first(where: { $0.name == name }) else {
                let all = Window.Autoresizing.names.map(\.name).joined(separator: ", ")
                throw Problem(.invalidValue, "\"\(name)\" is not a part of a frame; use \(all)", rule: .r2)
            }
            mask.insert(known.part)
        }
        self.mask = mask
    }
}

extension Surface.ID {
    /// The API's format: the slot and its generation.
    var text: String { "\(index).\(generation)" }
}
