// A server for many runs of random input, with clients that read what they are told.

import TestSupport
import Wayland
import WindowModel

@testable import DisplayServer

/// What differs from what had to be.
struct InputDifference: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Server, clients and reference. A run leaves it as it found it, with other numbers.
final class RandomInputDesk {
    static let screens = ["200x160,kind=builtIn,name=A", "160x200,external,name=B,mirroring=off"]

    let fixture: ServerFixture
    let reference: RandomInputReference
    private(set) var readers: [RandomInputReader] = []
    private var names = 0

    /// - Parameter fixture: with these screens; nil for a new one.
    init(_ fixture: ServerFixture? = nil) throws {
        self.fixture = try fixture ?? ServerFixture(screens: Self.screens)
        reference = RandomInputReference(self.fixture)
        for index in 0..<3 {
            readers.append(try reader(index))
            reference.ignoring.append(0)
            reference.expected.append(InputStreams())
        }
        try self.fixture.pump()
    }

    func name() -> String {
        names += 1
        return "w\(names)"
    }

    private func reader(_ index: Int) throws -> RandomInputReader {
        try RandomInputReader(fixture.connect("client \(index)"))
    }

    // MARK: Reading

    /// Lets everybody read, and compares that with what had to be told.
    func compare() throws {
        try fixture.pump()
        for (index, reader) in readers.enumerated() {
            guard reader.client.isOpen else { throw InputDifference("\(String(describing: reader.client.error))") }
            if let fault = reader.fault ?? reader.grammar.unfinished { throw InputDifference(fault) }
            let (told, expected) = (reader.take(), reference.expected[index])
            reference.expected[index] = InputStreams()
            try Self.compare("E1, E2: touches of client \(index)", told.touch, expected.touch)
            try Self.compare("E3: keys of client \(index)", told.keyboard, expected.keyboard)
            try Self.compare("E5: pointer of client \(index)", told.pointer, expected.pointer)
            try Self.compare("E5: gestures of client \(index)", told.gesture, expected.gesture)
        }
        if let place = reference.pointerPlace, let face = reference.pointer {
            let grammar = readers[face.window.client].grammar
            guard grammar.pointer == face.surface, grammar.place == place else {
                throw InputDifference("E5: the pointer was told to be at \(grammar.place), and is at \(place)")
            }
        }
        for window in reference.windows {
            guard let (object, face) = window.popup, object.isDone == face.isAlive else { continue }
            throw InputDifference("E3: a pop-up is done: \(object.isDone)")
        }
    }

    private static func compare<T: Equatable>(_ what: String, _ told: [T], _ expected: [T]) throws {
        if told != expected { throw InputDifference("\(what): \(told), not \(expected)") }
    }

    /// Breaks a client's connection off; another comes in its place.
    func kill(_ index: Int) throws {
        let reader = readers[index]
        reference.remove(client: index)
        try reader.client.kill()
        fixture.detach(reader.client)
        reader.client.connection.disconnect()
        reference.follow()
        reference.windows.removeAll { $0.client == index }
        // Nobody reads what it was told last.
        reference.expected[index] = InputStreams()
        reference.ignoring[index] = 0
        readers[index] = try self.reader(index)
    }

    // MARK: The end

    /// Everything is let go of, and nothing is down; then all windows go and all screens are as they were.
    func clear() throws {
        let (model, reference) = (fixture.model, self.reference)
        for finger in reference.fingers {
            try inject(.touch(finger.id, .ended, .zero, finger.screen)) {
                $0.touch(finger.id, .ended, .zero, on: finger.screen)
            }
        }
        for code in reference.buttons { try button(code, isDown: false) }
        if reference.scroll != nil { try scroll(0, .ended) }
        if reference.gesture != nil { try gesture(0, .ended) }
        for index in readers.indices {
            for _ in 0..<reference.ignoring[index] {
                readers[index].client.application.send(.endIgnoringInteractionEvents)
            }
            reference.ignoring[index] = 0
        }
        try compare()
        for window in reference.windows { try destroy(window) }
        try fixture.pump()
        reference.follow()
        forgetDestroyed()
        try compare()
        let broken = model.checkInvariants()
        guard broken.isEmpty, model.windows.isEmpty, model.touchCount == 0 else {
            throw InputDifference("left behind: \(broken) \(model.windows) \(model.touchCount)")
        }
        if let left = readers.lazy.compactMap(\.grammar.leftDown).first { throw InputDifference(left) }
        for text in Self.screens {
            let specification = try ScreenSpecification(parsing: text)
            if model.screen(named: specification.name ?? "") == nil { try fixture.server.plug(specification) }
        }
        for screen in model.screens { try fixture.server.rotate(screen, to: .portrait, duration: 0) }
        if let main = model.screen(named: "A") { try hover(Point(x: 1, y: 1), on: main.id) }
        try compare()
    }
}
