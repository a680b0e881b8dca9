// xdg_toplevel.move and resize, by pointer and touch.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct MoveResizeTests {
    /// A program with a toplevel of 200 × 100 points at 300, 200, and its devices.
    private final class Program {
        let fixture: ServerFixture
        let client: TestClient
        let toplevel: TestToplevel
        let pointer: TestPointer
        private let touch: Proxy<WlTouch>
        /// The events of wl_touch without frames and shapes, and the serial of the last down.
        private(set) var touches: [String] = []
        private(set) var touchSerial: UInt32 = 0
        var model: WindowModel { fixture.model }

        init(_ fixture: ServerFixture? = nil, limits: (least: (Int32, Int32), most: (Int32, Int32))? = nil) throws {
            self.fixture = try fixture ?? ServerFixture()
            client = try self.fixture.connect("program")
            toplevel = client.toplevel("t")
            pointer = try TestPointer(client)
            touch = Proxy<WlTouch>(client.connection, version: pointer.seat.version)
            pointer.seat.send(.getTouch(id: touch.id))
            touch.onEvent = { [unowned self] event in
                switch event {
                case .down(let serial, _, _, _, _, _):
                    touchSerial = serial
                    touches.append("down")
                case .up: touches.append("up")
                case .motion: touches.append("motion")
                case .cancel: touches.append("cancel")
                case .frame, .shape, .orientation: break
                }
            }
            if let limits {
                toplevel.toplevel.send(.setMinSize(width: limits.least.0, height: limits.least.1))
                toplevel.toplevel.send(.setMaxSize(width: limits.most.0, height: limits.most.1))
            }
            toplevel.surface.send(.commit)
            try self.fixture.pump()
            try draw(200, 100)
            try model.setFrame(Rect(x: 300, y: 200, width: 200, height: 100), of: window)
            try self.fixture.pump()
        }

        var window: Window.ID { get throws { try #require(model.windows.first) } }
        var frame: Rect { get throws { try #require(model.frame(of: window)) } }

        func draw(_ width: Int32, _ height: Int32) throws {
            try client.attach(0xff00_00ff, width: width, height: height, to: toplevel.surface)
            toplevel.surface.send(.commit)
            try fixture.pump()
        }

        /// Draws what the last configure asks for.
        func follow() throws { try draw(toplevel.size.width, toplevel.size.height) }

        func point(_ x: Double, _ y: Double, on screen: Screen.ID? = nil) throws {
            try model.pointerMoved(to: Point(x: x, y: y), on: screen ?? fixture.mainScreen, time: fixture.loop.now)
            try fixture.pump()
        }

        func button(_ pressed: Bool) throws {
            try model.pointerButton(code: 0x110, pressed: pressed, time: fixture.loop.now)
            try fixture.pump()
        }

        func finger(_ phase: Event.Phase, _ x: Double, _ y: Double) throws {
            try model.touch(id: 3, phase: phase, at: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.loop.now)
            try fixture.pump()
        }

        /// Presses and asks for a move or, with edges, for a resize.
        func begin(_ edges: XdgToplevel.ResizeEdge? = nil, x: Double = 310, y: Double = 210) throws {
            try point(x, y)
            try button(true)
            try ask(edges, serial: pointer.serials.last ?? 0)
        }

        func ask(_ edges: XdgToplevel.ResizeEdge?, serial: UInt32) throws {
            if let edges {
                toplevel.toplevel.send(.resize(seat: pointer.seat.id, serial: serial, edges: edges))
            } else {
                toplevel.toplevel.send(.move(seat: pointer.seat.id, serial: serial))
            }
            try fixture.pump()
        }
    }

    @Test("xdg-shell: a move follows the pointer, which leaves the surface until the button is released")
    func move() throws {
        let program = try Program()
        try program.begin()
        #expect(program.pointer.take().filter { $0.hasPrefix("leave") }.count == 1)
        let configures = program.toplevel.configures
        try program.point(350.4, 180)
        #expect(try program.frame == Rect(x: 340, y: 170, width: 200, height: 100))
        try program.point(5, 590)
        #expect(try program.frame.origin == Point(x: -5, y: 580), "W6: not snapped to the screen's edges")
        #expect(program.pointer.take() == [] && program.toplevel.configures == configures)
        try program.button(false)
        let after = program.pointer.take()
        #expect(after.count { $0.hasPrefix("enter") } == 1 && !after.contains { $0.hasPrefix("button") })
        try program.point(100, 100)
        #expect(try program.frame.origin == Point(x: -5, y: 580))
        #expect(program.client.isOpen)
    }

    @Test("xdg-shell: a move follows a finger, whose touch is cancelled")
    func touch() throws {
        let program = try Program()
        try program.finger(.began, 310, 210)
        try program.ask(nil, serial: program.touchSerial)
        #expect(program.touches == ["down", "cancel"])
        try program.finger(.moved, 360, 260)
        #expect(try program.frame.origin == Point(x: 350, y: 250))
        try program.finger(.ended, 370, 270)
        #expect(try program.frame.origin == Point(x: 360, y: 260) && program.touches == ["down", "cancel"])
        try program.finger(.began, 370, 270)
        try program.finger(.moved, 390, 290)
        #expect(try program.frame.origin == Point(x: 360, y: 260))
        #expect(program.touches == ["down", "cancel", "down", "motion"])
    }

    @Test(
        "xdg-shell: each edge that is dragged moves, the others stay", arguments: [1, 2, 4, 5, 6, 8, 9, 10] as [UInt32])
    func edges(value: UInt32) throws {
        let program = try Program()
        let before = try program.frame
        try program.begin(XdgToplevel.ResizeEdge(rawValue: value), x: 400, y: 250)
        #expect(program.toplevel.has(.resizing) && program.toplevel.size == (200, 100))
        try program.point(430, 262)
        let (left, right, top, bottom) = (value & 4 != 0, value & 8 != 0, value & 1 != 0, value & 2 != 0)
        let width: Int32 = left ? 170 : right ? 230 : 200
        let height: Int32 = top ? 88 : bottom ? 112 : 100
        #expect(program.toplevel.size == (width, height) && program.toplevel.has(.resizing))
        #expect(try program.frame == before, "C4: the client's commit changes the frame")
        try program.follow()
        let after = try program.frame
        #expect(after.size == Size(width: Double(width), height: Double(height)))
        #expect(left ? after.maxX == before.maxX : after.minX == before.minX)
        #expect(top ? after.maxY == before.maxY : after.minY == before.minY)
        // A client may choose less than it was asked for.
        try program.draw(width - 3, height - 4)
        #expect(try left ? program.frame.maxX == before.maxX : program.frame.minX == before.minX)
        let configures = program.toplevel.configures
        try program.point(420, 252)
        try program.button(false)
        #expect(!program.toplevel.has(.resizing) && program.toplevel.configures > configures)
        // The last size is committed after the end.
        try program.follow()
        #expect(try left ? program.frame.maxX == before.maxX : program.frame.minX == before.minX)
        #expect(try top ? program.frame.maxY == before.maxY : program.frame.minY == before.minY)
        let (origin, size) = (try program.frame.origin, program.toplevel.size)
        try program.draw(size.width + 10, size.height + 10)
        #expect(try program.frame.origin == origin, "then the client resizes its window as ever")
    }

    @Test("xdg-shell: a resize stays within the limits that were committed")
    func limits() throws {
        let program = try Program(limits: ((150, 0), (250, 120)))
        // C4: not committed, so not in force.
        program.toplevel.toplevel.send(.setMaxSize(width: 0, height: 0))
        try program.begin(.bottomRight, x: 480, y: 280)
        try program.point(700, 500)
        #expect(program.toplevel.size == (250, 120))
        try program.point(100, 10)
        #expect(program.toplevel.size == (150, 1))
        try program.follow()
        try program.point(700, 500)
        #expect(program.toplevel.size == (420, 320), "the commit has taken the greatest size away")
    }

    @Test("xdg-shell: without a press that the client holds, nothing is moved or resized", arguments: 0...4)
    func serials(mistake: Int) throws {
        let program = try Program()
        try program.point(310, 210)
        var serial = program.pointer.enterSerial
        if mistake > 0 {
            try program.button(true)
            serial = program.pointer.serials.last ?? 0
        }
        switch mistake {
        case 1: try program.button(false)  // Released.
        case 2: serial &+= 1000
        case 3:  // Another program's press.
            let client = try program.fixture.connect("other")
            let other = try TestToplevel.map(client, program.fixture, "other")
            other.toplevel.send(.move(seat: try client.seat().id, serial: serial))
            try program.fixture.pump()
            program.toplevel.toplevel.send(.resize(seat: program.pointer.seat.id, serial: 0, edges: .right))
        case 4:
            program.toplevel.toplevel.send(.setMaximized)
            try program.fixture.pump()
            try program.follow()
        default: break
        }
        let before = try program.frame
        if mistake != 3 {
            try program.ask(nil, serial: serial)
            try program.ask(.right, serial: serial)
        }
        try program.point(350, 250)
        #expect(try program.frame == before && !program.toplevel.has(.resizing))
        #expect(program.client.isOpen)
    }

    @Test(
        "xdg-shell: an edge that the protocol does not have is invalid_resize_edge",
        arguments: [3, 7, 12, 16] as [UInt32])
    func invalidEdges(value: UInt32) throws {
        let program = try Program()
        try program.begin(XdgToplevel.ResizeEdge(rawValue: value))
        #expect(program.client.protocolError?.code == XdgToplevel.Error.invalidResizeEdge.rawValue)
    }

    @Test(
        "xdg-shell: a drag ends when the window is maximized, unmapped or destroyed, or its screen is unplugged",
        arguments: 0...3)
    func ends(how: Int) throws {
        let program = try Program(try ServerFixture(screens: ["800x600", "640x480,external,name=B"]))
        try program.begin(.right)
        #expect(program.toplevel.has(.resizing))
        let screen = program.fixture.mainScreen
        switch how {
        case 0: program.toplevel.toplevel.send(.setMaximized)
        case 1:
            program.toplevel.surface.send(.attach(buffer: nil, x: 0, y: 0))
            program.toplevel.surface.send(.commit)
        case 2: program.toplevel.toplevel.send(.destroy)
        default: try program.fixture.server.disconnect(screen)
        }
        try program.fixture.pump()
        if how != 3 {
            try program.point(500, 300)
            try program.button(false)
        }
        if how == 0 || how == 3 { #expect(!program.toplevel.has(.resizing)) }
        if how == 0 {
            #expect(program.toplevel.size == (800, 600))
            try program.follow()
            #expect(try program.frame == Rect(x: 0, y: 0, width: 800, height: 600))
        }
        #expect(program.client.isOpen && program.model.checkInvariants() == [])
    }

    @Test("xdg-shell: a window dropped on another screen moves there; until then it stays on its own")
    func otherScreen() throws {
        let program = try Program(try ServerFixture(screens: ["800x600", "640x480,external,name=B"]))
        try program.begin()
        try program.point(100, 50, on: program.model.screens[1])
        #expect(try program.model.screen(of: program.window) == program.fixture.mainScreen)
        try program.button(false)
        #expect(try program.model.screen(of: program.window) == program.model.screens[1])
        #expect(try program.frame == Rect(x: 90, y: 40, width: 200, height: 100))
        #expect(program.client.isOpen && program.model.checkInvariants() == [])
    }

    @Test(
        "xdg-shell: a reactive pop-up is placed again while its window is moved, another one only follows",
        arguments: [true, false])
    func popups(isReactive: Bool) throws {
        let program = try Program()
        let positioner = TestPopup.positioner(program.client, width: 50, height: 40, x: 180, y: 90)
        let slides: XdgPositioner.ConstraintAdjustment = [.slideX, .slideY]
        positioner.send(.setConstraintAdjustment(constraintAdjustment: slides.rawValue))
        if isReactive { positioner.send(.setReactive) }
        let popup = TestPopup(program.client, parent: program.toplevel.xdg, positioner: positioner)
        popup.surface.send(.commit)
        try program.fixture.pump()
        try program.client.attach(0xffff_ff00, width: 50, height: 40, to: popup.surface)
        popup.surface.send(.commit)
        try program.fixture.pump()
        try #require(popup.place.map { [$0.x, $0.y] } == [180, 90])
        try program.begin()
        try program.point(700, 210)
        // The window is at 690 now: there are 110 points to the right of its left edge.
        #expect(popup.place.map { $0.x } == (isReactive ? 60 : 180))
        #expect(!popup.isDone)
    }

    @Test("a restart ends a resize, and keeps the edges for the size that is still to be committed")
    func handOver() throws {
        let program = try Program(try ServerFixture.handingOver())
        let before = try program.frame
        try program.begin(.topLeft)
        try program.point(290, 180)
        #expect(program.toplevel.size == (220, 130))
        try program.fixture.handOver()
        try program.fixture.pump()
        #expect(!program.toplevel.has(.resizing) && program.toplevel.size == (220, 130))
        try program.follow()
        #expect(try program.frame == Rect(x: 280, y: 170, width: 220, height: 130))
        #expect(try program.frame.maxX == before.maxX && program.frame.maxY == before.maxY)
        try program.point(350, 250)
        #expect(try program.frame.size == Size(width: 220, height: 130))
        #expect(program.client.isOpen)
    }
}
