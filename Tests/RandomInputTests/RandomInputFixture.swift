// A server for many runs of random input, with clients that read their events.

import MullionGeometry
import MullionWayland
import TestSupport
import WindowModel

@testable import DisplayServer
@testable import Displays

/// A difference between the actual and the expected events.
struct InputDifference: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Server, clients, and a reference for each seat. A run leaves it as it found it, except for ids and serials.
final class RandomInputFixture {
    static let screens = ["200x160,kind=builtIn,name=A", "160x200,external,name=B,mirroring=off"]

    let fixture: ServerFixture
    let world = RandomInputWorld()
    /// Indexed by seat.
    let references: [RandomInputReference]
    private(set) var readers: [RandomInputReader] = []
    private var names = 0

    /// - Parameters:
    ///   - seats: 1, or 2, where screen B belongs to the second.
    ///   - fixture: a server with these screens; nil for a new one.
    init(seats: Int, on fixture: ServerFixture? = nil) throws {
        let fixture = try fixture ?? ServerFixture(screens: Self.screens)
        self.fixture = fixture
        if seats == 2 { try fixture.server.addSeat(name: "seat1", screens: ["B"]) }
        let (model, world) = (fixture.model, self.world)
        references = model.seats.map { RandomInputReference(model, $0, world) }
        fixture.server.onEffect = { [weak self] effect in
            for reference in self?.references ?? [] { reference.notice(effect) }
        }
        for index in 0..<3 {
            readers.append(try reader(index))
            world.ignoring.append(0)
            for reference in references { reference.expected.append(InputStreams()) }
        }
        try fixture.pump()
    }

    /// The reference of the seat that the screen belongs to.
    func reference(of screen: Screen.ID) -> RandomInputReference? {
        references.first { $0.seat == fixture.model.seat(of: screen) }
    }

    /// Updates the references of all seats after changes.
    func follow() {
        for reference in references { reference.follow() }
    }

    func name() -> String {
        names += 1
        return "w\(names)"
    }

    private func reader(_ index: Int) throws -> RandomInputReader {
        try RandomInputReader(fixture.connect("client \(index)"), seats: references.count)
    }

    // MARK: Reading

    /// Lets all clients read, and compares their events with the expected ones.
    func compare() throws {
        try fixture.pump()
        for (index, reader) in readers.enumerated() {
            guard reader.client.isOpen else { throw InputDifference("\(String(describing: reader.client.error))") }
            if let fault = reader.fault { throw InputDifference(fault) }
            for (reference, seat) in zip(references, reader.seats) {
                let (received, expected) = (seat.take(), reference.expected[index])
                reference.expected[index] = InputStreams()
                let whose = "client \(index) by seat \(reference.seat)"
                try Self.compare("E1, E2: touches of \(whose)", received.touch, expected.touch)
                try Self.compare("E3: keys of \(whose)", received.keyboard, expected.keyboard)
                try Self.compare("E5: pointer of \(whose)", received.pointer, expected.pointer)
                try Self.compare("E5: gestures of \(whose)", received.gesture, expected.gesture)
            }
        }
        for (index, reference) in references.enumerated() {
            guard let place = reference.pointerPlace, let face = reference.pointer else { continue }
            let grammar = readers[face.window.client].seats[index].grammar
            guard grammar.pointer == face.surface, grammar.place == place else {
                throw InputDifference("E5: the client has the pointer at \(grammar.place), and it is at \(place)")
            }
        }
        for window in world.windows {
            guard let (object, face) = window.popup, object.isDone == face.isAlive else { continue }
            throw InputDifference("E3: a pop-up is dismissed: \(object.isDone)")
        }
    }

    private static func compare<T: Equatable>(_ what: String, _ received: [T], _ expected: [T]) throws {
        if received != expected { throw InputDifference("\(what): \(received), not \(expected)") }
    }

    /// Breaks a client's connection; another client takes its place.
    func kill(_ index: Int) throws {
        let reader = readers[index]
        for reference in references { reference.remove(client: index) }
        try reader.client.kill()
        fixture.detach(reader.client)
        reader.client.connection.disconnect()
        follow()
        world.windows.removeAll { $0.client == index }
        // Its last events are never read.
        for reference in references { reference.expected[index] = InputStreams() }
        world.ignoring[index] = 0
        readers[index] = try self.reader(index)
    }

    // MARK: The end

    /// Releases everything that is down; then removes all windows and resets all screens.
    func clear() throws {
        let model = fixture.model
        for (seat, reference) in references.enumerated() {
            for finger in reference.fingers { try touch(finger.id, .ended, .zero, finger.screen, by: seat) }
            for code in reference.buttons { try button(code, isDown: false, by: seat) }
            if reference.scroll != nil { try scroll(0, .ended, by: seat) }
            if reference.gesture != nil { try gesture(0, .ended, by: seat) }
        }
        for index in readers.indices {
            for _ in 0..<world.ignoring[index] {
                readers[index].client.application.send(.endIgnoringInteractionEvents)
            }
            world.ignoring[index] = 0
        }
        // E5: the pointer may enter a window now.
        try fixture.pump()
        follow()
        try compare()
        for window in world.windows { try destroy(window) }
        try fixture.pump()
        follow()
        forgetDestroyed()
        try compare()
        let broken = model.checkInvariants()
        guard broken.isEmpty, model.windows.isEmpty, model.touchCount == 0 else {
            throw InputDifference("left behind: \(broken) \(model.windows) \(model.touchCount)")
        }
        if let left = readers.lazy.flatMap(\.seats).compactMap(\.grammar.leftDown).first { throw InputDifference(left) }
        for text in Self.screens {
            let specification = try ScreenSpecification(parsing: text)
            if model.screen(named: specification.name ?? "") == nil { try fixture.server.plug(specification) }
        }
        for screen in model.screens { try fixture.server.rotate(screen, to: .portrait, duration: 0) }
        for screen in model.screens { try hover(Point(x: 1, y: 1), on: screen) }
        if let main = model.screen(named: "A") { try hover(Point(x: 1, y: 1), on: main.id) }
        try compare()
    }
}
