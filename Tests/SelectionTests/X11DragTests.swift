// Drags of X11 programs, which their manager offers to other clients.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

/// A window of an X server on the left, and one of a plain program beside it.
private final class Setup {
    let fixture: ServerFixture
    let x11: TestX11
    let window: TestX11Window
    /// The X server's pointer and finger.
    let program: TestDataDevice
    /// The manager's.
    let device: TestDataDevice
    let to: TestDataDevice
    let right: TestWindow
    var isPressed = false

    init(_ screens: [String] = ["800x600"]) throws {
        fixture = try ServerFixture.handingOver(screens: screens)
        x11 = try TestX11(fixture)
        device = try TestDataDevice(x11.manager)
        program = try TestDataDevice(x11.program)
        window = try x11.map("x", at: (0, 0), 100, 100)
        to = try TestDataDevice(try fixture.connect("to"))
        right = to.client.window("right").color(0xff00_00ff).frame(100, 0, 100, 100)
        right.show()
        try fixture.pump()
    }

    func move(_ x: Double, _ y: Double) throws {
        try fixture.model.pointerMoved(to: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.loop.now)
        try fixture.pump()
    }

    func button(_ pressed: Bool) throws {
        isPressed = pressed
        try fixture.model.pointerButton(code: 0x110, pressed: pressed, time: fixture.loop.now)
        try fixture.pump()
    }

    /// The program begins to drag in its window.
    func begin() throws -> TestX11Drag {
        try move(10, 10)
        try button(true)
        let drag = TestX11Drag(x11)
        try fixture.pump()
        forget()
        return drag
    }

    /// The program drags over the other window, which accepts.
    func beginOver() throws -> (TestX11Drag, Proxy<WlDataSource>) {
        let drag = try begin()
        let source = device.source()
        drag.proxy.send(.setSource(source: source.id))
        try move(150, 50)
        to.answer("text/plain")
        try fixture.pump()
        forget()
        _ = drag.takeEvents()
        return (drag, source)
    }

    /// The error that disconnects the manager.
    func error() throws -> UInt32? {
        try fixture.pump()
        return x11.manager.protocolError?.code
    }

    func forget() { for device in [program, device, to] { _ = device.takeEvents() } }

    /// Whether drags are possible afterwards, without what happened before.
    func worksOn() throws -> Bool {
        if isPressed { try button(false) }
        let (drag, _) = try beginOver()
        try button(false)
        drag.proxy.send(.drop)
        try fixture.pump()
        return to.takeEvents().contains("drop") && fixture.model.checkInvariants() == []
    }
}

@Suite struct X11DragTests {
    @Test("the X server has the press all the time, and the manager learns whose window the drag is over")
    func follows() throws {
        let setup = try Setup()
        let drag = try setup.begin()
        #expect(drag.takeEvents() == ["target own"])
        try setup.move(150, 50)
        #expect(drag.takeEvents() == ["target other"])
        try setup.move(400, 400)
        try setup.move(401, 400)
        #expect(drag.takeEvents() == ["target none"])
        try setup.button(false)
        #expect(drag.takeEvents() == ["released"])
        #expect(setup.program.takeEvents().prefix(1) == ["button 0"])
        // Nobody else noticed.
        #expect(setup.to.takeEvents() == [])
        // It stays where it was.
        try setup.move(150, 50)
        #expect(drag.takeEvents() == [])
        drag.proxy.send(.destroy)
        #expect(try setup.worksOn())
    }

    @Test("what it drags is offered to other clients, negotiated, and dropped when the program says so")
    func drops() throws {
        let setup = try Setup()
        let drag = try setup.begin()
        let source = setup.device.source(["text/plain", "text/html"])
        drag.proxy.send(.setSource(source: source.id))
        try setup.move(50, 50)
        #expect(setup.to.takeEvents() == [] && setup.program.takeEvents() == [])
        try setup.move(150, 50)
        #expect(
            setup.to.takeEvents() == ["enter \(setup.right.surface.id) 50.0,50.0", "source actions 3"])
        #expect(setup.to.drag.map { setup.to.types[$0.id] } == ["text/plain", "text/html"])
        setup.to.answer("text/html", [.move], preferred: .move)
        try setup.move(160, 50)
        #expect(setup.to.takeEvents() == ["action 2", "motion 60.0,50.0"])
        #expect(setup.device.takeEvents() == ["source target text/html", "source action 2"])
        try setup.button(false)
        // The pointer is where it is; nothing was dropped.
        #expect(setup.to.takeEvents() == ["pointer enter \(setup.right.surface.id) 60.0,50.0"])
        _ = drag.takeEvents()
        drag.proxy.send(.drop)
        try setup.fixture.pump()
        #expect(drag.takeEvents() == ["ended"])
        #expect(setup.to.takeEvents().first == "drop" && setup.device.takeEvents() == ["source dropped"])
        let end = try setup.to.receive("text/html", from: setup.to.drag)
        try setup.fixture.pump()
        #expect(setup.device.provide("<b>") == "text/html")
        setup.to.drag?.send(.finish)
        try setup.fixture.pump()
        #expect(setup.device.takeEvents() == ["source finished"] && TestPipe.read(end) == "<b>")
        #expect(try setup.worksOn())
    }

    @Test("a drop before the release, or of what nobody accepts, cancels the source")
    func refused() throws {
        let setup = try Setup()
        let (early, _) = try setup.beginOver()
        early.proxy.send(.drop)
        try setup.fixture.pump()
        #expect(setup.to.takeEvents() == ["leave"] && early.takeEvents() == ["ended"])
        #expect(setup.device.takeEvents().contains("source cancelled"))
        try setup.button(false)
        let (drag, _) = try setup.beginOver()
        setup.to.answer(nil)
        try setup.button(false)
        setup.forget()
        drag.proxy.send(.drop)
        drag.proxy.send(.drop)
        try setup.fixture.pump()
        #expect(!setup.to.takeEvents().contains("drop"))
        #expect(setup.device.takeEvents().filter { $0 == "source cancelled" }.count == 1)
        #expect(try setup.worksOn())
    }

    @Test("without a press in one of the X server's windows, and during another drag, it has ended from the beginning")
    func unheld() throws {
        let setup = try Setup()
        try setup.move(10, 10)
        let idle = TestX11Drag(setup.x11)
        try setup.fixture.pump()
        #expect(idle.events == ["ended"])
        try setup.move(150, 50)
        try setup.button(true)
        let foreign = TestX11Drag(setup.x11)
        try setup.fixture.pump()
        #expect(foreign.events == ["ended"])
        // What has ended takes no source.
        let source = setup.device.source()
        foreign.proxy.send(.setSource(source: source.id))
        try setup.fixture.pump()
        #expect(setup.device.takeEvents() == ["source cancelled"])
        try setup.button(false)
        let drag = try setup.begin()
        let second = TestX11Drag(setup.x11)
        try setup.fixture.pump()
        #expect(second.events == ["ended"] && !drag.events.contains("ended"))
        #expect(setup.x11.manager.isOpen)
    }

    @Test("a program that does not drop after the release holds up no other drag")
    func silent() throws {
        let setup = try Setup()
        let (drag, _) = try setup.beginOver()
        try setup.button(false)
        setup.forget()
        // The plain program drags.
        try setup.move(150, 50)
        try setup.button(true)
        setup.to.startDrag(setup.to.source(), from: setup.right.surface)
        try setup.fixture.pump()
        #expect(drag.takeEvents() == ["released", "ended"])
        #expect(setup.device.takeEvents().contains("source cancelled"))
        let events = setup.to.takeEvents()
        #expect(events.contains("leave") && events.contains { $0.hasPrefix("enter") })
        #expect(!events.contains("source cancelled"))
    }

    @Test("others without a press do not end a drag that waits for its drop")
    func intruders() throws {
        let setup = try Setup()
        let (drag, _) = try setup.beginOver()
        try setup.button(false)
        setup.forget()
        setup.to.startDrag(setup.to.source(), from: setup.right.surface)
        let second = TestX11Drag(setup.x11)
        try setup.fixture.pump()
        #expect(second.events == ["ended"])
        #expect(drag.takeEvents() == ["released"])
        drag.proxy.send(.drop)
        try setup.fixture.pump()
        #expect(setup.to.takeEvents().contains("drop"))
    }

    @Test("another source, none, and a destroyed one; a source is used once")
    func sources() throws {
        let setup = try Setup()
        let (drag, first) = try setup.beginOver()
        let second = setup.device.source(["image/png"])
        drag.proxy.send(.setSource(source: second.id))
        try setup.fixture.pump()
        #expect(setup.to.takeEvents().prefix(1) == ["leave"])
        #expect(setup.to.drag.map { setup.to.types[$0.id] } == ["image/png"])
        #expect(setup.device.takeEvents().filter { $0 == "source cancelled" }.count == 1)
        drag.proxy.send(.setSource(source: nil))
        try setup.move(151, 50)
        #expect(setup.to.takeEvents() == ["leave"])
        let third = setup.device.source()
        drag.proxy.send(.setSource(source: third.id))
        try setup.fixture.pump()
        third.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.to.takeEvents().last == "leave" && drag.takeEvents() == [])
        // After the release, none is taken any more.
        try setup.button(false)
        let late = setup.device.source()
        drag.proxy.send(.setSource(source: late.id))
        setup.forget()
        try setup.fixture.pump()
        #expect(setup.to.takeEvents() == [] && setup.device.takeEvents() == ["source cancelled"])
        drag.proxy.send(.setSource(source: first.id))
        #expect(try setup.error() == WlDataSource.Error.invalidSource.rawValue)
    }

    @Test("E2: it ends when its window goes, with the X server, the manager, or the target's client")
    func deaths() throws {
        let hidden = try Setup()
        let (drag, _) = try hidden.beginOver()
        hidden.window.destroy()
        try hidden.fixture.pump()
        #expect(drag.takeEvents() == ["ended"] && hidden.to.takeEvents() == ["leave"])
        #expect(hidden.device.takeEvents().contains("source cancelled"))

        let ended = try Setup()
        let (second, _) = try ended.beginOver()
        try ended.x11.program.kill()
        #expect(second.takeEvents() == ["ended"] && ended.to.takeEvents().first == "leave")
        #expect(ended.x11.manager.isOpen && ended.fixture.model.checkInvariants() == [])

        let killed = try Setup()
        _ = try killed.beginOver()
        try killed.x11.manager.kill()
        #expect(killed.to.takeEvents().first == "leave")
        #expect(killed.to.client.isOpen && killed.fixture.model.checkInvariants() == [])

        let target = try Setup()
        let (fourth, _) = try target.beginOver()
        try target.to.client.kill()
        #expect(fourth.takeEvents() == ["target none"])
        try target.button(false)
        fourth.proxy.send(.drop)
        try target.fixture.pump()
        #expect(target.device.takeEvents().last == "source cancelled" && target.x11.manager.isOpen)
    }

    @Test("E2: the screen is unplugged: the drag ends; afterwards another one works")
    func unplugged() throws {
        let setup = try Setup(["800x600,name=A", "640x480,external,name=B"])
        let (drag, _) = try setup.beginOver()
        let screen = try #require(setup.fixture.model.screens.last)
        try setup.fixture.model.pointerMoved(to: Point(x: 5, y: 5), on: screen, time: setup.fixture.loop.now)
        try setup.fixture.pump()
        setup.forget()
        try setup.fixture.model.disconnect(screen)
        try setup.fixture.pump()
        #expect(drag.events.contains("ended"), "\(drag.events)")
        #expect(try setup.worksOn())
    }

    @Test("a finger drags like the pointer")
    func touch() throws {
        let setup = try Setup()
        func touch(_ phase: Event.Phase, _ x: Double) throws {
            try setup.fixture.model.touch(
                id: 3, phase: phase, at: Point(x: x, y: 50), on: setup.fixture.mainScreen,
                time: setup.fixture.loop.now)
            try setup.fixture.pump()
        }
        try touch(.began, 10)
        let drag = TestX11Drag(setup.x11)
        drag.proxy.send(.setSource(source: setup.device.source().id))
        try setup.fixture.pump()
        try touch(.moved, 150)
        setup.to.answer("text/plain")
        try setup.fixture.pump()
        try touch(.ended, 160)
        drag.proxy.send(.drop)
        try setup.fixture.pump()
        #expect(drag.events == ["target own", "target other", "released", "ended"])
        #expect(setup.to.events.contains("motion 60.0,50.0") && setup.to.events.last == "drop")
        #expect(setup.program.events == ["down 3", "up 3"])
    }

    @Test("a drag icon is never under the pointer, and in front of the windows of its level")
    func icon() throws {
        let setup = try Setup()
        let icon = try setup.x11.map("icon", .dragIcon, at: (140, 40), 30, 30)
        let window = try #require(setup.fixture.model.windows(on: setup.fixture.mainScreen).last)
        #expect(setup.fixture.model.window(window)?.title == "icon")
        let drag = try setup.begin()
        try setup.move(150, 50)
        #expect(drag.takeEvents() == ["target own", "target other"])
        icon.setFrame((150, 50), 30, 30)
        try setup.move(160, 60)
        #expect(drag.takeEvents() == [] && setup.fixture.model.frame(of: window)?.origin == Point(x: 150, y: 50))
        #expect(icon.focus == [])
        // The program uses the window for something else.
        try setup.button(false)
        icon.proxy.send(.setKind(kind: .unmanaged))
        try setup.fixture.pump()
        #expect(setup.fixture.model.window(window)?.isUserInteractionEnabled == true)
    }

    @Test("a restart ends the drag, before the release and after it")
    func restarts() throws {
        for isReleased in [false, true] {
            let setup = try Setup()
            let (drag, _) = try setup.beginOver()
            if isReleased { try setup.button(false) }
            try setup.fixture.handOver()
            try setup.fixture.pump()
            setup.isPressed = false
            #expect(drag.takeEvents() == (isReleased ? ["released", "ended"] : ["ended"]))
            #expect(setup.to.takeEvents().contains("leave"))
            #expect(setup.device.takeEvents().contains("source cancelled"))
            drag.proxy.send(.drop)
            drag.proxy.send(.destroy)
            #expect(try setup.worksOn())
        }
    }
}
