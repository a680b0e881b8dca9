// wl_touch to the letter: frames, shapes and orientations.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

/// A client's wl_touch; every event is a line, without serials and times.
final class TouchReader {
    private let touch: Proxy<WlTouch>
    private var lines: [String] = []

    init(_ client: TestClient, version: UInt32 = WlSeat.version) throws {
        let seat = try client.bind(WlSeat.self, version: version)
        touch = Proxy(client.connection, version: version)
        seat.send(.getTouch(id: touch.id))
        touch.onEvent = { [weak self] event in
            switch event {
            case .down(_, _, let surface, let id, let x, let y):
                self?.lines.append("down \(id) on \(surface) \(x.double),\(y.double)")
            case .up(_, _, let id): self?.lines.append("up \(id)")
            case .motion(_, let id, let x, let y): self?.lines.append("motion \(id) \(x.double),\(y.double)")
            case .frame: self?.lines.append("frame")
            case .cancel: self?.lines.append("cancel")
            case .shape(let id, let major, let minor): self?.lines.append("shape \(id) \(major.double) \(minor.double)")
            case .orientation(let id, let angle): self?.lines.append("orientation \(id) \(angle.double)")
            }
        }
    }

    /// Takes the events since the last call.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}

@Suite struct TouchFrameTests {
    private let fixture: ServerFixture
    private let left: TouchReader
    private let right: TouchReader
    private let surfaces: [ObjectID]

    /// Two clients with a window each, side by side.
    init() throws {
        let fixture = try ServerFixture()
        let clients = [try fixture.connect("left"), try fixture.connect("right")]
        left = try TouchReader(clients[0])
        right = try TouchReader(clients[1])
        let windows = zip(clients, [0.0, 400]).map { client, x in
            client.window("w").color(0xffff0000).frame(x, 0, 400, 600)
        }
        for window in windows { window.show() }
        surfaces = windows.map(\.surface.id)
        try fixture.pump()
        self.fixture = fixture
    }

    private func finger(
        _ id: Int32, _ phase: Event.Phase, _ x: Double, _ measures: TouchMeasures = TouchMeasures()
    ) -> InputEvent.Finger {
        InputEvent.Finger(id: id, phase: phase, point: Point(x: x, y: 10), measures: measures)
    }

    @discardableResult
    private func inject(_ fingers: InputEvent.Finger...) throws -> InputInjector.Report {
        let reports = try fixture.server.injector.inject([.touches(fingers, screen: nil)])
        try fixture.pump()
        return try #require(reports.first)
    }

    @Test("E9: simultaneous touches are one frame for each client that receives some of them, in their order")
    func groups() throws {
        let report = try inject(finger(1, .began, 10), finger(2, .began, 410), finger(3, .began, 30))
        #expect(report.routings.map { $0.hit?.location.x } == [10, 10, 30] && report.touches == [1, 2, 3])
        #expect(report.delivered == 1 && report.receivers.count == 2)
        let (one, other) = (surfaces[0], surfaces[1])
        #expect(left.take() == ["down 1 on \(one) 10.0,10.0", "down 3 on \(one) 30.0,10.0", "frame"])
        #expect(right.take() == ["down 2 on \(other) 10.0,10.0", "frame"])
        try inject(finger(3, .moved, 40), finger(1, .ended, 10))
        #expect(left.take() == ["motion 3 40.0,10.0", "up 1", "frame"])
        #expect(right.take() == [])
        // A stationary touch sends nothing, and has no frame of its own.
        try inject(finger(2, .stationary, 0))
        #expect(right.take() == [] && left.take() == [])
        try inject(finger(2, .cancelled, 410), finger(3, .ended, 40))
        #expect(right.take() == ["cancel"] && left.take() == ["up 3", "frame"])
    }

    @Test("E9: consecutive touches are a frame each, even at the same moment")
    func single() throws {
        let place = InputEvent.Place(screen: nil, point: Point(x: 10, y: 10))
        _ = try fixture.server.injector.inject([.tap(id: 0, place), .tap(id: 1, place)])
        try fixture.pump()
        let down = "on \(surfaces[0]) 10.0,10.0"
        #expect(
            left.take() == ["down 0 \(down)", "frame", "up 0", "frame", "down 1 \(down)", "frame", "up 1", "frame"])
    }

    @Test("E1: shape and orientation are only sent when they are measured and have changed")
    func shapes() throws {
        let oval = TouchMeasures(majorRadius: 10, minorRadius: 4, orientation: .pi / 2)
        try inject(finger(1, .began, 10, TouchMeasures(force: 0.5)))
        #expect(left.take() == ["down 1 on \(surfaces[0]) 10.0,10.0", "frame"])
        try inject(finger(1, .moved, 20, oval))
        #expect(left.take() == ["motion 1 20.0,10.0", "shape 1 20.0 8.0", "orientation 1 90.0", "frame"])
        try inject(finger(1, .moved, 30))
        #expect(left.take() == ["motion 1 30.0,10.0", "frame"])
        try inject(finger(1, .stationary, 0, TouchMeasures(majorRadius: 12)))
        #expect(left.take() == ["shape 1 24.0 8.0", "frame"])
        try inject(finger(1, .stationary, 0, TouchMeasures(orientation: 2 * .pi)))
        #expect(left.take() == ["orientation 1 0.0", "frame"])
        try inject(finger(1, .stationary, 0, TouchMeasures(force: 1)))
        #expect(left.take() == [])
        try inject(finger(1, .ended, 30), finger(2, .began, 10, TouchMeasures(majorRadius: 3)))
        #expect(left.take() == ["up 1", "down 2 on \(surfaces[0]) 10.0,10.0", "shape 2 6.0 6.0", "frame"])
    }

    @Test("R4: on a turned screen the shape of a touch is turned into the surface of a window that does not turn")
    func turned() throws {
        try fixture.model.setTransform(
            AffineTransform(a: 0, b: 2, c: -2, d: 0, tx: 0, ty: 0),
            of: #require(fixture.model.hitTest(Point(x: 10, y: 10), on: fixture.mainScreen)?.window))
        try fixture.pump()
        let oval = TouchMeasures(majorRadius: 10, minorRadius: 5, orientation: .pi / 2)
        let finger = InputEvent.Finger(id: 1, phase: .began, point: Point(x: 200, y: 300), measures: oval)
        _ = try fixture.server.injector.inject([.touches([finger], screen: nil)])
        try fixture.pump()
        // A quarter turn and twice the size: along the surface's vertical, and half as long there.
        #expect(left.take() == ["down 1 on \(surfaces[0]) 200.0,300.0", "shape 1 10.0 5.0", "frame"])
    }

    @Test("E1: a client with an older version receives no shapes")
    func old() throws {
        let client = try fixture.connect("old")
        let reader = try TouchReader(client, version: 5)
        let window = client.window("w").color(0xff00ff00).level(5).frame(0, 0, 100, 100)
        window.show()
        try fixture.pump()
        try inject(finger(1, .began, 10, TouchMeasures(majorRadius: 10, orientation: 1)))
        #expect(reader.take() == ["down 1 on \(window.surface.id) 10.0,10.0", "frame"])
    }

    @Test("E1: a wl_touch that is created while a finger is down receives only later fingers, with their frames")
    func late() throws {
        try inject(finger(1, .began, 10))
        let late = try TouchReader(fixture.clients[0])
        try inject(finger(1, .moved, 20, TouchMeasures(majorRadius: 10)))
        #expect(late.take() == [])
        try inject(finger(1, .moved, 30), finger(2, .began, 40))
        #expect(late.take() == ["down 2 on \(surfaces[0]) 40.0,10.0", "frame"])
        try inject(finger(1, .ended, 30))
        #expect(late.take() == [])
        #expect(left.take().suffix(2) == ["up 1", "frame"])
        try inject(finger(2, .cancelled, 40))
        #expect(late.take() == ["cancel"] && left.take() == ["cancel"])
        try inject(finger(3, .began, 10))
        let latest = try TouchReader(fixture.clients[0])
        try inject(finger(3, .cancelled, 10))
        #expect(latest.take() == [] && late.take().last == "cancel")
    }
}
