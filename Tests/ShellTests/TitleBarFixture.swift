// Shared by the tests of title bars.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

/// A server that draws bars, and a program with a green window of 300 × 100 points without a title.
final class BarredProgram {
    static let (keyColor, otherColor, ink, green): (UInt32, UInt32, UInt32, UInt32) = (
        0x2f_3b4c, 0x6d_7480, 0xff_ffff, 0x00_ff00
    )

    let fixture: ServerFixture
    let client: TestClient
    let toplevel: TestToplevel
    let pointer: TestPointer
    let decoration: Proxy<ZxdgToplevelDecorationV1>
    var model: WindowModel { fixture.model }
    let window: Window.ID

    init(
        _ fixture: ServerFixture? = nil, decorations: Decorations = .bar,
        mode: ZxdgToplevelDecorationV1.Mode = .serverSide, title: String = "", width: Int32 = 300,
        beforeFirstCommit: (TestToplevel) -> Void = { _ in }
    ) throws {
        let fixture = try fixture ?? ServerFixture()
        self.fixture = fixture
        fixture.server.decorations = decorations
        let known = Set(fixture.model.windows)
        client = try fixture.connect("program")
        toplevel = client.toplevel(title)
        pointer = try TestPointer(client)
        let manager = try client.bind(ZxdgDecorationManagerV1.self)
        decoration = Proxy(client.connection, version: 1)
        manager.send(.getToplevelDecoration(id: decoration.id, toplevel: toplevel.toplevel.id))
        decoration.send(.setMode(mode: mode))
        beforeFirstCommit(toplevel)
        toplevel.surface.send(.commit)
        try fixture.pump()
        let configured = toplevel.size
        try client.attach(
            0xff00_ff00, width: configured.width == 0 ? width : configured.width,
            height: configured.height == 0 ? 100 : configured.height, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        window = try #require(fixture.model.windows.first { !known.contains($0) })
    }

    var frame: Rect { get throws { try #require(model.frame(of: window)) } }
    /// Where the bar is according to the model; nil without one.
    var bar: Rect? {
        get throws {
            guard let id = model.rootAndPopups(of: window).dropLast().last, let surface = model.surface(id),
                let size = surface.size
            else { return nil }
            return try Rect(origin: frame.origin + surface.position, size: size)
        }
    }
    var closes: Int { client.events.count { $0.hasSuffix(".close") } }

    func draw(_ width: Int32, _ height: Int32) throws {
        try client.attach(0xff00_ff00, width: width, height: height, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
    }

    /// Draws what the last configure asks for.
    func follow() throws { try draw(toplevel.size.width, toplevel.size.height) }

    // MARK: Hands

    func point(_ x: Double, _ y: Double) throws {
        try model.pointerMoved(to: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.server.clock.now)
        try fixture.pump()
    }

    @discardableResult
    func button(_ pressed: Bool, code: UInt32 = 0x110) throws -> Routing {
        let routing = try model.pointerButton(
            code: code, pressed: pressed, time: fixture.server.clock.now, explain: true)
        try fixture.pump()
        return routing
    }

    func finger(_ phase: Event.Phase, _ x: Double, _ y: Double, id: Int32 = 3) throws {
        try model.touch(
            id: id, phase: phase, at: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.server.clock.now)
        try fixture.pump()
    }

    // MARK: Pixels

    /// What a bar without a title shows, by the distance in pixels from its top left corner. The arms of the cross end 5
    /// points from its middle, which is 14 points from the right; its lines are 2 points wide, measured along x.
    static func pixel(_ x: Int, _ y: Int, width: Double, scale: Double, _ color: UInt32) -> UInt32 {
        let (dx, dy) = (abs(Double(x) + 0.5 - (width - 14) * scale), abs(Double(y) + 0.5 - 14 * scale))
        return max(dx, dy) <= 5 * scale && abs(dx - dy) <= scale ? ink : color
    }

    /// Compares every pixel of the bar, and of a rim around it and the window's upper edge, at a scale.
    func expectBar(_ color: UInt32, scale: Double = 1, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let picture = try fixture.screenshot()
        let frame = try frame
        let (left, top) = (Int(frame.minX * scale), Int((frame.minY - 28) * scale))
        let (width, height) = (Int(frame.width * scale), Int(28 * scale))
        var wrong: [String] = []
        for y in -1...height {
            for x in -1...width {
                guard let found = picture[left + x, top + y] else { continue }
                let isInside = x >= 0 && x < width && y >= 0
                let expected: UInt32 =
                    !isInside
                    ? 0
                    : y == height
                        ? Self.green : Self.pixel(x, y, width: frame.width, scale: scale, color)
                if found & 0xff_ffff != expected { wrong.append("\(x),\(y): \(String(found, radix: 16))") }
            }
        }
        #expect(wrong.count == 0, "\(wrong.prefix(5))", sourceLocation: sourceLocation)
    }
}
