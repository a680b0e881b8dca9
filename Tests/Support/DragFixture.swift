// What the tests of drag and drop share.

import MullionGeometry
import MullionWayland
import WindowModel

/// Two programs side by side: the left one drags, the right one is dropped on.
public struct DragFixture {
    public let fixture: ServerFixture
    public let from: TestDataDevice
    public let to: TestDataDevice
    public let left: TestWindow
    public let right: TestWindow

    public init(_ fixture: ServerFixture? = nil, versions: (from: UInt32, to: UInt32) = (3, 3)) throws {
        self.fixture = try fixture ?? ServerFixture()
        from = try TestDataDevice(try self.fixture.connect("from"), version: versions.from)
        to = try TestDataDevice(try self.fixture.connect("to"), version: versions.to)
        left = from.client.window("left").color(0xffff0000).frame(0, 0, 100, 100)
        right = to.client.window("right").color(0xff0000ff).frame(100, 0, 100, 100)
        left.show()
        right.show()
        try self.fixture.pump()
    }

    public var model: WindowModel { fixture.model }

    public func move(_ x: Double, _ y: Double, on screen: Screen.ID? = nil) throws {
        try model.pointerMoved(to: Point(x: x, y: y), on: screen ?? fixture.mainScreen, time: fixture.loop.now)
        try fixture.pump()
    }

    public func button(_ pressed: Bool, code: UInt32 = 0x110) throws {
        try model.pointerButton(code: code, pressed: pressed, time: fixture.loop.now)
        try fixture.pump()
    }

    public func touch(_ phase: Event.Phase, _ x: Double, _ y: Double, id: Int32 = 7) throws {
        try model.touch(
            id: id, phase: phase, at: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.loop.now)
        try fixture.pump()
    }

    /// Presses in the left window and begins to drag; discards what both clients have received by then.
    @discardableResult
    public func begin(
        _ types: [String] = ["text/plain"], actions: WlDataDeviceManager.DndAction? = [.copy, .move],
        icon: Proxy<WlSurface>? = nil
    ) throws -> Proxy<WlDataSource> {
        try move(10, 10)
        try button(true)
        let source = from.source(types, actions: actions)
        from.startDrag(source, from: left.surface, icon: icon)
        try fixture.pump()
        forget()
        return source
    }

    public func forget() {
        _ = from.takeEvents()
        _ = to.takeEvents()
    }

    public var isHurt: Bool { !from.client.isOpen || !to.client.isOpen || !model.checkInvariants().isEmpty }
}
