// Points, sizes and rectangles in JSON.

import DisplayServer
import MullionGeometry
import WindowModel

/// Distances from the four edges.
struct InsetsPayload: Encodable {
    var top: Double
    var left: Double
    var bottom: Double
    var right: Double

    init(_ insets: Screen.Insets) {
        top = insets.top
        left = insets.left
        bottom = insets.bottom
        right = insets.right
    }
}

/// A point in points: `{"x": 10, "y": 20}`.
struct PointPayload: Codable, StrictlyDecodable, Equatable {
    var x: Double
    var y: Double

    enum CodingKeys: String, CodingKey, CaseIterable { case x, y }
    typealias Keys = CodingKeys

    init(_ point: Point) {
        x = point.x
        y = point.y
    }

    var point: Point { Point(x: x, y: y) }
}

/// A size in points, pixels or millimetres, depending on its field.
struct SizePayload: Codable, StrictlyDecodable, Equatable {
    var width: Double
    var height: Double

    enum CodingKeys: String, CodingKey, CaseIterable { case width, height }
    typealias Keys = CodingKeys

    init(_ size: Size) {
        width = size.width
        height = size.height
    }

    var size: Size { Size(width: width, height: height) }
}

/// A rectangle in points: `{"x": 0, "y": 0, "width": 100, "height": 50}`.
struct RectPayload: Codable, StrictlyDecodable, Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    enum CodingKeys: String, CodingKey, CaseIterable { case x, y, width, height }
    typealias Keys = CodingKeys

    init(_ rect: Rect) {
        x = rect.minX
        y = rect.minY
        width = rect.size.width
        height = rect.size.height
    }

    var rect: Rect { Rect(x: x, y: y, width: width, height: height) }
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
