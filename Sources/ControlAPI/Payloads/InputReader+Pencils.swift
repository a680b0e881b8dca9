// Reads pencils, on the screen and above it.

import DisplayServer
import MullionGeometry
import WindowModel

extension InputReader {
    /// The fields of a hovering pencil that the pointer does not have.
    static let pencilKeys: [Keys] = [.id, .phase, .altitude, .azimuth, .roll, .distance, .buttons]

    /// A pencil above the screen.
    var pencil: InputEvent {
        get throws {
            for key in [Keys.dx, .dy] where contains(key) {
                throw refusal(key, "a pencil has no relative motion; use x and y")
            }
            let measures = try measures
            guard measures.tool != .finger else {
                throw refusal(.tool, "a finger cannot hover; use pencil or eraser, or no tool for the pointer")
            }
            return .pencil(id: try id, phase: try optionalPhase(), try place, measures)
        }
    }

    var tool: TouchMeasures.Tool? {
        get throws {
            guard let name = try find(String.self, .tool) else { return nil }
            guard let tool = TouchMeasures.Tool(rawValue: name) else {
                throw refusal(.tool, "\"\(name)\" is not a tool; use finger, pencil or eraser")
            }
            return tool
        }
    }

    var pencilMeasures: PencilMeasures {
        get throws {
            var pencil = PencilMeasures()
            pencil.altitude = try find(Double.self, .altitude)
            pencil.azimuth = try find(Double.self, .azimuth)
            pencil.roll = try find(Double.self, .roll)
            pencil.distance = try find(Double.self, .distance)
            pencil.buttons = try find([String].self, .buttons)?.reduce(into: []) { buttons, name in
                guard let button = Pencil.Buttons(named: name) else {
                    let known = Pencil.Buttons.names.map(\.name).joined(separator: ", ")
                    throw refusal(.buttons, "\"\(name)\" is not a button of a pencil; use \(known)")
                }
                buttons.insert(button)
            }
            return pencil
        }
    }
}

extension Pencil.Buttons {
    static let names: [(name: String, button: Pencil.Buttons)] = [
        ("primary", .primary), ("secondary", .secondary), ("tertiary", .tertiary),
    ]

    fileprivate init?(named name: String) {
        guard let known = Self.names.first(where: { $0.name == name }) else { return nil }
        self = known.button
    }

    /// The names of the pressed ones.
    var list: [String] { Self.names.filter { contains($0.button) }.map(\.name) }
}

extension Event.TouchAttributes.Tool {
    /// The API's name.
    var name: String {
        switch self {
        case .direct: "finger"
        case .pencil(let pencil): pencil.end == .eraser ? "eraser" : "pencil"
        }
    }
}
