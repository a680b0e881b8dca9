// Shared by the screencopy tests.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

/// A server with windows, and a client that copies its screens.
struct ScreencopyFixture {
    let fixture: ServerFixture
    let client: TestClient
    let copies: TestScreencopy
    let outputs: [Proxy<WlOutput>]

    init(
        _ specifications: [String] = ["80x60,name=A"], screens: [ScreenDescription] = [], clock: ClockMode = .real
    ) throws {
        fixture = try ServerFixture(screens: screens.isEmpty ? specifications : [], clock: clock)
        for screen in screens { try fixture.server.connect(screen) }
        client = try fixture.connect()
        copies = try TestScreencopy(client)
        let client = client
        outputs = try client.globals.filter { $0.interface == WlOutput.name }
            .map { try client.bind(WlOutput.self, name: $0.name) }
        try fixture.pump()
    }

    func window(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ argb: UInt32) throws -> TestWindow {
        let window = client.window("w").color(argb).frame(x, y, width, height)
        window.show()
        try fixture.pump()
        return window
    }

    func frame(
        _ index: Int = 0, cursor: Bool = false, part: (Int32, Int32, Int32, Int32)? = nil
    ) throws -> TestScreenFrame {
        let frame = copies.frame(of: outputs[index], cursor: cursor, part: part)
        try fixture.pump()
        return frame
    }

    /// Copies a screen without waiting for a change.
    func copied(
        _ index: Int = 0, cursor: Bool = false, part: (Int32, Int32, Int32, Int32)? = nil
    ) throws -> TestScreenFrame {
        let frame = try frame(index, cursor: cursor, part: part)
        try frame.copy()
        try fixture.wait(for: "a copy") { frame.isReady }
        return frame
    }

    /// Starts a copy that waits for a change.
    func waiting(
        _ index: Int = 0, cursor: Bool = false, part: (Int32, Int32, Int32, Int32)? = nil
    ) throws -> TestScreenFrame {
        let frame = try frame(index, cursor: cursor, part: part)
        try frame.copy(waiting: true)
        try fixture.pump()
        return frame
    }

    /// Lets a tick of each screen pass; for the manual clock.
    func tick() throws { try fixture.step(20_000) }

    /// What a screen shows, without alpha.
    func shown(_ index: Int = 0, cursor: Bool = false) throws -> [UInt32] {
        var result: [UInt32]?
        fixture.server.capture([fixture.model.screens[index]], cursor: cursor) { pictures in
            result = pictures.first?.1.pixels.map { $0 & 0xffffff }
        }
        try fixture.wait(for: "a picture") { result != nil }
        return try #require(result)
    }

    /// Whether a screen shows these pixels.
    func shows(_ pixels: [UInt32], _ index: Int = 0, cursor: Bool = false) throws -> Bool {
        try pixels == shown(index, cursor: cursor)
    }

    func hover(_ x: Double, _ y: Double) throws {
        let place = InputEvent.Place(screen: nil, point: Point(x: x, y: y))
        _ = try fixture.server.injector.inject([.hover(place)])
        try fixture.pump()
    }
}
