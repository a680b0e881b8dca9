// Screens that are plugged, unplugged and changed at random.

import MullionGeometry
import TestSupport
import WindowModel

@testable import DisplayServer
@testable import Displays

/// Plugs, unplugs and changes the screens of a server; the seed says how.
final class Storm {
    /// The displays that are plugged and unplugged, by name.
    let displays: [(name: String, specification: String)]
    var random: SeededRandom
    /// How often a display was unplugged.
    private(set) var pairs = 0
    private let fixture: ServerFixture
    /// The displays whose plugs are hostile.
    private let provokesRaces: (String) -> Bool

    init(_ displays: [String], on fixture: ServerFixture, provokesRaces: @escaping (String) -> Bool = { _ in false }) {
        self.fixture = fixture
        self.provokesRaces = provokesRaces
        self.displays = displays.map { text in
            let name = text.split(separator: ",").first { $0.hasPrefix("name=") }?.dropFirst(5)
            return (String(name ?? ""), text)
        }
        random = SeededRandom()
    }

    var seed: String { "seed \(random.seed), after \(pairs) pairs" }

    /// The connected display of that name.
    func screen(_ name: String) -> Screen? { fixture.model.screen(named: name) }

    func plug(_ name: String) throws {
        guard let display = displays.first(where: { $0.name == name }) else { return }
        var specification = try ScreenSpecification(parsing: display.specification)
        specification.provokesRaces = provokesRaces(name)
        try fixture.server.plug(specification)
    }

    func unplug(_ name: String) throws {
        guard let screen = screen(name) else { return }
        try fixture.server.disconnect(screen.id)
        pairs += 1
    }

    func plugAll() throws {
        for display in displays where screen(display.name) == nil { try plug(display.name) }
    }

    /// Plugs or unplugs one display.
    func flap() throws {
        guard let display = displays.randomElement(using: &random) else { return }
        if screen(display.name) == nil { try plug(display.name) } else { try unplug(display.name) }
    }

    /// Changes orientation, mode, scale, mirroring or position of one connected screen, or several of these.
    func change(scales: [Double] = [1, 1.25, 1.5, 2, 3]) throws {
        let screens = fixture.model.screens.compactMap { fixture.model.screen($0) }
        guard let screen = screens.randomElement(using: &random) else { return }
        var wanted = Self.description(of: screen)
        if Bool.random(using: &random) {
            wanted.orientation = Screen.Orientation.allCases.randomElement(using: &random) ?? .portrait
        }
        if Bool.random(using: &random) { wanted.currentMode = wanted.modes.randomElement(using: &random) }
        if Bool.random(using: &random) { wanted.scale = scales.randomElement(using: &random) ?? 1 }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: wanted.mirroring = .automatic
        case 1: wanted.mirroring = .off
        case 2: wanted.mirroring = screens.randomElement(using: &random).map { .screen($0.name) } ?? .off
        case 3: wanted.isFlipped.toggle()
        case 4: wanted.overscan = Screen.Overscan.allCases.randomElement(using: &random) ?? .none
        case 5: wanted.position = Point(x: Double.random(in: -4000...4000, using: &random).rounded(), y: 0)
        case 6: wanted.brightness = Double.random(in: 0...1, using: &random)
        default: break
        }
        let duration: UInt64? = Bool.random(using: &random) ? 0 : nil
        do throws(ModelError) {
            try fixture.server.change(screen.id, to: wanted, duration: duration)
        } catch {
            // A circle of mirrors is refused, and nothing has changed.
            guard error.rule == .s7, fixture.model.screen(screen.id) == screen else { throw error }
        }
    }

    /// The descriptions of the connected screens, by name.
    func descriptions() -> [String: ScreenDescription] {
        let screens = fixture.model.screens.compactMap { fixture.model.screen($0) }
        return Dictionary(uniqueKeysWithValues: screens.map { ($0.name, Self.description(of: $0)) })
    }

    /// Gives every screen its earlier properties.
    func restore(_ descriptions: [String: ScreenDescription]) throws {
        try plugAll()
        // No screen mirrors another by name, so that no order of them makes a circle.
        for (name, _) in descriptions {
            if let screen = screen(name) { try fixture.model.setMirroring(.off, of: screen.id) }
        }
        for (name, description) in descriptions {
            guard let screen = screen(name) else { continue }
            try fixture.server.change(screen.id, to: description, duration: 0)
        }
    }

    private static func description(of screen: Screen) -> ScreenDescription {
        var description = screen.properties
        description.currentMode = screen.currentMode
        return description
    }
}

/// Where every window is: screen by name, frame, visibility, and the order on each screen (S8, W3).
struct Places: Equatable, CustomStringConvertible {
    struct Place: Equatable {
        let screen: String?
        let frame: Rect
        let isVisible: Bool
        /// How far its size may be off. Newer ones of foot round it to their cells when the scale changes.
        let tolerance: Double

        func isEqual(_ other: Place?) -> Bool {
            guard let other, screen == other.screen, isVisible == other.isVisible else { return false }
            return frame.origin == other.frame.origin && abs(frame.width - other.frame.width) <= tolerance
                && abs(frame.height - other.frame.height) <= tolerance
        }
    }

    private let places: [Window.ID: Place]
    private let orders: [String: [Window.ID]]

    init(_ model: WindowModel) {
        var places: [Window.ID: Place] = [:]
        for id in model.windows {
            guard let window = model.window(id) else { continue }
            places[id] = Place(
                screen: window.screen.flatMap { model.screen($0)?.name }, frame: window.frame,
                isVisible: window.isVisible, tolerance: window.title == "foot" ? 20 : 0)
        }
        self.places = places
        let screens = model.screens.compactMap { model.screen($0) }
        orders = Dictionary(uniqueKeysWithValues: screens.map { ($0.name, model.windows(on: $0.id)) })
    }

    /// Describes what has changed.
    func differences(from before: Places) -> [String] {
        var result: [String] = []
        for id in Set(places.keys).union(before.places.keys).sorted()
        where places[id]?.isEqual(before.places[id]) != true {
            result.append("window \(id): \(String(describing: before.places[id])) → \(String(describing: places[id]))")
        }
        for name in orders.keys.sorted() where orders[name] != before.orders[name] {
            result.append("order on \(name): \(before.orders[name] ?? []) → \(orders[name] ?? [])")
        }
        return result
    }

    var description: String { "\(places)" }
}
