// What POST /v1/convert takes (S4).

import ControlProtocol
import DisplayServer
import JSON5
import MullionGeometry
import WindowModel

/// What to convert, and between which spaces.
struct ConversionRequest: StrictlyDecodable {
    typealias Keys = API.Keys.Conversion

    enum Subject {
        case point(Point)
        case points([Point])
        case rect(Rect)
    }

    let subject: Subject
    let from: SpaceReference
    let to: SpaceReference

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let given = container.allKeys.filter { [.point, .points, .rect].contains($0) }
        guard given.count == 1, let key = given.first else {
            throw Problem(.invalidField, "\(given.count) of point, points and rect are given; use one")
        }
        switch key {
        case .points:
            subject = .points(try container.decode([Strict<PointPayload>].self, forKey: key).map(\.value.point))
        case .rect:
            let rect = try container.decode(Strict<RectPayload>.self, forKey: key).value.rect
            guard rect.width >= 0, rect.height >= 0 else {
                throw Problem(.invalidValue, "the size of the rectangle is negative; use one from 0 on", rule: .w6)
            }
            subject = .rect(rect)
        default: subject = .point(try container.decode(Strict<PointPayload>.self, forKey: key).value.point)
        }
        self.from = try container.decode(SpaceReference.self, forKey: .from)
        to = try container.decode(SpaceReference.self, forKey: .to)
    }
}

/// A coordinate space as the API names it: `"layout"`, or an object with one field.
enum SpaceReference: Decodable, Equatable {
    case window(Window.ID)
    case screen(ScreenReference)
    case fixed(ScreenReference)
    case layout

    typealias Keys = API.Keys.Space

    static let choices = "\"layout\", or an object with one of window, screen and fixed"

    init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            guard name == "layout" else {
                throw Problem(.invalidField, "\"\(name)\" is not a coordinate space; use \(Self.choices)", rule: .s4)
            }
            self = .layout
            return
        }
        try JSON5.refuseUnknownKeys(decoder, Keys.self)
        let container = try decoder.container(keyedBy: Keys.self)
        guard container.allKeys.count == 1, let key = container.allKeys.first else {
            throw Problem(
                .invalidField,
                "an object with \(container.allKeys.count) fields is not a coordinate space; use \(Self.choices)",
                rule: .s4)
        }
        switch key {
        case .window: self = .window(Window.ID(rawValue: try container.decode(UInt32.self, forKey: key)))
        case .screen: self = .screen(try container.decode(ScreenReference.self, forKey: key))
        case .fixed: self = .fixed(try container.decode(ScreenReference.self, forKey: key))
        }
    }
}
