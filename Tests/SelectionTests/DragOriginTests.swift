// E2: presses on pop-ups and sub-surfaces that are moved and destroyed while a drag is in progress.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct DragOriginTests {
    enum Kind: CaseIterable { case popup, menu, subsurface }
    /// What the program does with the press: nothing, or it starts a drag of data or of its window.
    enum Use: CaseIterable { case nothing, data, frame }

    /// A toplevel of 400 × 300 points at the screen's corner, and a surface of 100 × 80 points at 50, 50 in it.
    private final class Setup {
        let fixture: ServerFixture
        let device: TestDataDevice
        let top: TestToplevel
        let origin: Proxy<WlSurface>
        /// Moves the surface by 40 points, and destroys it.
        private(set) var move: () -> Void = {}
        private(set) var destroy: () -> Void = {}
        var client: TestClient { device.client }
        var model: WindowModel { fixture.model }

        init(_ kind: Kind) throws {
            fixture = try ServerFixture()
            device = try TestDataDevice(try fixture.connect("program"))
            let (client, model) = (device.client, fixture.model)
            let top = try TestToplevel.map(client, fixture, width: 400, height: 300)
            self.top = top
            let window = try #require(model.windows.first)
            try model.setFrame(Rect(x: 0, y: 0, width: 400, height: 300), of: window)
            if kind == .subsurface {
                let child = try TestSubsurface(
                    client, of: top.surface, argb: 0xff00_ff00, x: 50, y: 50, width: 100, height: 80)
                origin = child.surface
                move = {
                    child.subsurface.send(.setPosition(x: 90, y: 90))
                    top.surface.send(.commit)
                }
                destroy = {
                    child.subsurface.send(.destroy)
                    child.surface.send(.destroy)
                }
                top.surface.send(.commit)
            } else {
                let positioner = TestPopup.positioner(client, width: 100, height: 80, x: 50, y: 50)
                let popup = TestPopup(client, parent: top.xdg, positioner: positioner)
                if kind == .menu { popup.popup.send(.grab(seat: try client.seat(0).id, serial: 0)) }
                popup.surface.send(.commit)
                try fixture.pump()
                try client.attach(0xff00_00ff, width: 100, height: 80, to: popup.surface)
                popup.surface.send(.commit)
                origin = popup.surface
                move = {
                    let positioner = TestPopup.positioner(client, width: 100, height: 80, x: 90, y: 90)
                    popup.popup.send(.reposition(positioner: positioner.id, token: 1))
                    popup.surface.send(.commit)
                }
                destroy = popup.destroy
            }
            try fixture.pump()
        }

        func point(_ x: Double, _ y: Double) throws {
            try model.pointerMoved(to: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.loop.now)
            try fixture.pump()
        }

        func button(_ pressed: Bool) throws {
            try model.pointerButton(code: 0x110, pressed: pressed, time: fixture.loop.now)
            try fixture.pump()
        }

        /// The buttons, and the surfaces that the pointer has left, since the last call.
        func pointerEvents() -> [String] {
            device.takeEvents().filter { $0.hasPrefix("button") || $0.hasPrefix("pointer leave") }
        }
    }

    @Test(
        "E2: the surface of a press is moved and destroyed: one release, one leave, and the next press is delivered",
        arguments: Kind.allCases, Use.allCases)
    func destroyed(_ kind: Kind, _ use: Use) throws {
        let setup = try Setup(kind)
        let (device, id) = (setup.device, setup.origin.id)
        try setup.point(100, 100)
        #expect(device.takeEvents().last == "pointer enter \(id) 50.0,50.0")
        try setup.button(true)
        #expect(setup.pointerEvents() == ["button 1"])
        switch use {
        case .nothing: break
        case .data: device.startDrag(device.source(["text/plain"], actions: [.copy]), from: setup.origin, icon: nil)
        case .frame:
            setup.top.toplevel.send(.move(seat: try setup.client.seat(0).id, serial: device.press))
        }
        try setup.fixture.pump()
        try setup.point(110, 120)
        setup.move()
        try setup.fixture.pump()
        try setup.point(120, 140)
        let frame = setup.model.frame(of: setup.model.windows[0])
        #expect(frame?.origin == (use == .frame ? Point(x: 20, y: 40) : .zero))
        // A drag has taken the pointer: the surface was left at its beginning, and the button is never released.
        #expect(setup.pointerEvents() == (use == .nothing ? [] : ["pointer leave \(id)"]))

        setup.destroy()
        try setup.fixture.pump()
        let events = device.takeEvents()
        #expect(
            events.filter { $0.hasPrefix("button") || $0 == "pointer leave \(id)" }
                == (use == .nothing ? ["button 0", "pointer leave \(id)"] : []))
        #expect(events.contains("source cancelled") == (use == .data), "\(events)")
        try setup.point(130, 150)
        #expect(setup.model.frame(of: setup.model.windows[0]) == frame, "nothing is dragged any more")
        try setup.button(false)
        #expect(!setup.pointerEvents().contains { $0.hasPrefix("button") })
        try setup.button(true)
        try setup.button(false)
        #expect(setup.pointerEvents() == ["button 1", "button 0"])
        #expect(setup.client.isOpen && setup.model.checkInvariants() == [])
    }
}
