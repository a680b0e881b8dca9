// Minimized X11 windows, whose X server has unmapped them.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct X11IconTests {
    typealias Configured = TestX11Window.Configured

    /// The X server maps the window again: it has another surface.
    private func map(_ window: TestX11Window, _ width: Int32, _ height: Int32, _ setup: X11Setup) throws {
        let surface = setup.x11.program.surface()
        window.proxy.send(.setSurface(surface: surface.id.rawValue))
        try setup.fixture.pump()
        try setup.x11.program.attach(0xffff_0000, width: width, height: height, to: surface)
        surface.send(.commit)
        try setup.fixture.pump()
    }

    @Test(
        "a minimized window is listed without content, moves, survives a restart, and is key once it has content again",
        arguments: [false, true])
    func minimized(isFirst: Bool) throws {
        let setup = try X11Setup(canHandOver: true)
        let bar = try TestForeignToplevels(wlr: setup.fixture.connect("task bar"))
        let window: TestX11Window
        if isFirst {
            // From the beginning.
            window = setup.x11.window("w")
            window.proxy.send(.setState(mask: .minimized, states: .minimized))
            window.setFrame((30, 40), 200, 100)
            try setup.fixture.pump()
        } else {
            window = try setup.x11.map("w", at: (30, 40))
            try setup.send(.setState(mask: .minimized, states: .minimized), to: window)
            window.surface.send(.destroy)
            try setup.fixture.pump()
        }
        #expect(window.configured == Configured(30, 40, 200, 100, .minimized))
        #expect(bar.all.count == 1 && bar.all.first?.states == [1] && bar.all.first?.isClosed == false)
        let control = try TestControl(setup.fixture)
        let frame = #"{"frame": {"x": 50, "y": 60, "width": 300, "height": 200}}"#
        #expect(try control.send("PATCH", "/v1/windows/\(setup.id("w"))", frame).status == 200)
        #expect(window.configured == Configured(50, 60, 300, 200, .minimized))
        try setup.fixture.handOver()
        try setup.fixture.pump()
        #expect(window.configured == Configured(50, 60, 300, 200, .minimized) && bar.all.first?.isClosed == false)
        try setup.send(.activate, to: window)
        #expect(window.configured == Configured(50, 60, 300, 200))
        #expect(try bar.all.first?.isClosed == false && !setup.model.isVisible(setup.id("w")))
        try map(window, 300, 200, setup)
        #expect(try setup.frame("w") == Rect(x: 50, y: 60, width: 300, height: 200))
        #expect(try setup.model.isVisible(setup.id("w")) && setup.keyTitle == "w" && window.focus.last == true)
        #expect(bar.all.count == 1 && bar.all.first?.states == [2])
        // Withdrawn.
        window.destroy()
        try setup.fixture.pump()
        #expect(bar.all.first?.isClosed == true)
    }

    @Test("a task bar and the control API show what is minimized; what the control API has hidden stays so")
    func shown() throws {
        let setup = try X11Setup()
        let bar = try TestForeignToplevels(wlr: setup.fixture.connect("task bar"))
        let window = try setup.x11.map("w", at: (30, 40))
        func minimize() throws {
            try setup.send(.setState(mask: .minimized, states: .minimized), to: window)
            try setup.send(.setSurface(surface: 0), to: window)
            #expect(window.configured == Configured(30, 40, 200, 100, .minimized))
        }
        try minimize()
        bar.all.first?.wlr?.send(.unsetMinimized)
        try bar.client.flush()
        try setup.fixture.pump()
        #expect(window.configured == Configured(30, 40, 200, 100))
        try map(window, 200, 100, setup)
        #expect(setup.model.isVisible(try setup.id("w")))
        try minimize()
        try setup.model.setHidden(false, of: setup.id("w"))
        try setup.fixture.pump()
        #expect(window.configured == Configured(30, 40, 200, 100))
        try map(window, 200, 100, setup)
        try setup.model.setHidden(true, of: setup.id("w"))
        try setup.fixture.pump()
        try setup.send(.setSurface(surface: 0), to: window)
        try setup.send(.activate, to: window)
        try setup.send(.setState(mask: .minimized, states: []), to: window)
        #expect(window.configured == Configured(30, 40, 200, 100, .minimized))
        #expect(bar.all.count == 1 && bar.all.first?.isClosed == false && bar.all.first?.states == [1])
    }

    @Test("a maximized window that was minimized fills the screen again, also one that has changed meanwhile")
    func maximized() throws {
        let setup = try X11Setup()
        let window = try setup.x11.map("w", at: (30, 40))
        try setup.send(.setState(mask: .maximized, states: .maximized), to: window)
        try window.draw(800, 600)
        try setup.send(.setState(mask: .minimized, states: .minimized), to: window)
        try setup.send(.setSurface(surface: 0), to: window)
        try setup.fixture.server.rotate(setup.fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try setup.fixture.pump()
        #expect(window.configured == Configured(0, 0, 600, 800, [.maximized, .minimized]))
        try setup.send(.activate, to: window)
        try map(window, 600, 800, setup)
        #expect(try setup.frame("w") == Rect(x: 0, y: 0, width: 600, height: 800))
        try setup.send(.setState(mask: .maximized, states: []), to: window)
        #expect(window.configured == Configured(30, 40, 200, 100))
    }
}
