// Where layer surfaces are, and what they leave to other windows.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct LayerArrangementTests {
    private static func state(
        _ width: UInt32, _ height: UInt32, _ anchor: ZwlrLayerSurfaceV1.Anchor, zone: Int32 = 0, margin: Int32 = 0
    ) -> LayerState {
        var state = LayerState(layer: .top)
        (state.width, state.height, state.anchor, state.zone) = (width, height, anchor, zone)
        (state.top, state.right, state.bottom, state.left) = (margin, margin, margin, margin)
        return state
    }

    @Test(
        "a surface is next to the edges that it is attached to, and centred between two or without any",
        arguments: [
            ([], 350, 290), (.top, 350, 7), (.bottom, 350, 573), (.left, 7, 290), (.right, 693, 290),
            ([.top, .left], 7, 7), ([.bottom, .right], 693, 573), ([.top, .bottom], 350, 290),
            ([.left, .right], 350, 290), (.along, 350, 7), (.all, 350, 290),
        ] as [(ZwlrLayerSurfaceV1.Anchor, Double, Double)])
    func anchors(anchor: ZwlrLayerSurfaceV1.Anchor, x: Double, y: Double) {
        let arrangement = LayerArrangement(bounds: Rect(x: 0, y: 0, width: 800, height: 600), scale: 1)
        let state = Self.state(100, 20, anchor, margin: 7)
        #expect(arrangement.size(of: state) == Size(width: 100, height: 20))
        #expect(
            arrangement.frame(of: state, size: arrangement.size(of: state))
                == Rect(x: x, y: y, width: 100, height: 20))
    }

    @Test("a length of 0 is what the margins leave; a client that chooses less is centred there")
    func chosen() {
        let arrangement = LayerArrangement(bounds: Rect(x: 0, y: 0, width: 800, height: 600), scale: 1)
        var state = Self.state(0, 0, .all, margin: 10)
        state.left = 30
        #expect(arrangement.size(of: state) == Size(width: 760, height: 580))
        #expect(
            arrangement.frame(of: state, size: Size(width: 100, height: 100))
                == Rect(x: 360, y: 250, width: 100, height: 100))
    }

    @Test(
        "a positive zone counts for one edge, or for one and both beside it, with the margin there",
        arguments: [
            (.top, 25, 0, 0, 0), (.along, 25, 0, 0, 0), (.bottom, 0, 0, 25, 0), (.left, 0, 25, 0, 0),
            (.right, 0, 0, 0, 25), ([.top, .bottom, .left], 0, 25, 0, 0), ([.top, .bottom, .right], 0, 0, 0, 25),
            ([.bottom, .left, .right], 0, 0, 25, 0), ([], 0, 0, 0, 0), ([.top, .left], 0, 0, 0, 0),
            ([.top, .bottom], 0, 0, 0, 0), (.all, 0, 0, 0, 0),
        ] as [(ZwlrLayerSurfaceV1.Anchor, Double, Double, Double, Double)])
    func zones(anchor: ZwlrLayerSurfaceV1.Anchor, top: Double, left: Double, bottom: Double, right: Double) {
        let bounds = Rect(x: 0, y: 0, width: 800, height: 600)
        var arrangement = LayerArrangement(bounds: bounds, scale: 1)
        arrangement.reserveZone(of: Self.state(100, 20, anchor, zone: 20, margin: 5))
        #expect(
            bounds.margins(around: arrangement.usable)
                == Screen.Insets(top: top, left: left, bottom: bottom, right: right))
        let size = Size(width: 10, height: 10)
        let (clear, across) = (Self.state(10, 10, [.top, .left]), Self.state(10, 10, [.top, .left], zone: -1))
        #expect(arrangement.frame(of: clear, size: size).origin == Point(x: left, y: top))
        #expect(arrangement.frame(of: across, size: size).origin == .zero, "-1 ignores the zones of others")
    }

    @Test("no number leaves an area of less than 1 × 1, a size of 0 or a frame that is not finite")
    func extremes() {
        let numbers: [Int32] = [.min, -1, 0, 1, .max]
        for anchor in 0..<16 as Range<UInt32> {
            var arrangement = LayerArrangement(bounds: Rect(x: 0, y: 0, width: 800, height: 600), scale: 1)
            for zone in numbers {
                for margin in numbers {
                    let state = Self.state(0, UInt32(Int32.max), .init(rawValue: anchor), zone: zone, margin: margin)
                    let size = arrangement.size(of: state)
                    #expect(size.width >= 1 && size.height >= 1)
                    #expect(arrangement.frame(of: state, size: size).isFinite)
                    arrangement.reserveZone(of: state)
                    #expect(arrangement.usable.width >= 1 && arrangement.usable.height >= 1)
                    #expect(arrangement.bounds.contains(arrangement.usable))
                }
            }
        }
    }

    @Test("exclusive surfaces come first, from the overlay layer down, then the others in the remaining area")
    func order() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let plain = try TestLayerSurface(client, .background).set(0, 0, at: .all).map(fixture)
        let wallpaper = try TestLayerSurface(client, .background).set(0, 0, at: .all, zone: -1).map(fixture)
        let dock = try TestLayerSurface(client, .bottom).set(40, 0, at: [.left, .top, .bottom], zone: 40).map(fixture)
        let bar = try TestLayerSurface(client, .top).set(0, 30, at: .along, zone: 30).map(fixture)
        #expect(plain.takeConfigures() == ["800x600", "760x600", "760x570"])
        #expect(wallpaper.takeConfigures() == ["800x600"])
        #expect(dock.takeConfigures() == ["40x600", "40x570"])
        #expect(bar.takeConfigures() == ["800x30"], "its layer is above the dock's")
        for surface in [plain, dock] { try surface.draw() }
        try fixture.pump()
        #expect(fixture.frames == ["40,30 760x570", "0,0 800x600", "0,30 40x570", "0,0 800x30"])
        // V1: a hidden panel takes nothing.
        try fixture.model.setHidden(true, of: fixture.model.windows[3])
        try fixture.pump()
        #expect(dock.takeConfigures() == ["40x600"])
        dock.destroy()
        try fixture.pump()
        #expect(plain.takeConfigures() == ["760x600", "800x600"])
        #expect(bar.takeConfigures() == [] && wallpaper.takeConfigures() == [])
    }

    @Test("maximized windows fill what panels leave, and follow it; full-screen ones fill the screen")
    func maximized() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let toplevel = try TestToplevel.map(client, fixture)
        toplevel.toplevel.send(.setMaximized)
        try fixture.pump()
        #expect(toplevel.size == (800, 600))
        let bar = try TestLayerSurface(client).set(0, 30, at: .along, zone: 30).map(fixture)
        #expect(toplevel.size == (800, 570))
        #expect(fixture.frames[0] == "0,30 200x100", "it is where it belongs before it draws")
        try client.attach(0xff00ff00, width: 800, height: 570, to: toplevel.surface)
        toplevel.surface.send(.commit)
        try fixture.pump()
        #expect(fixture.frames[0] == "0,30 800x570")
        let window = fixture.model.windows[0]
        try fixture.model.setMode(Screen.Mode(width: 800, height: 600), scale: 2, of: fixture.mainScreen)
        try fixture.pump()
        #expect(toplevel.size == (400, 270))
        #expect(fixture.model.frame(of: window) == Rect(x: 0, y: 30, width: 400, height: 270), "R2")
        try fixture.model.setScale(1, of: fixture.mainScreen)
        toplevel.toplevel.send(.setFullscreen(output: nil))
        try fixture.pump()
        #expect(toplevel.size == (800, 600))
        #expect(fixture.model.frame(of: window)?.origin == .zero)
        #expect(fixture.model.windows(on: fixture.mainScreen).last != window, "W3: the level of the panel is higher")
        toplevel.toplevel.send(.unsetFullscreen)
        bar.destroy()
        try fixture.pump()
        #expect(toplevel.size == (800, 600))
        #expect(fixture.model.frame(of: window)?.origin == .zero)
        let configures = toplevel.configures
        try TestLayerSurface(client).set(100, 100, at: .bottom).map(fixture)
        #expect(toplevel.configures == configures, "this one has no zone")
    }

    @Test("the cascade begins below a panel, and again although the panel stays; windows of the extension ignore it")
    func cascade() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        try TestLayerSurface(client).set(0, 40, at: .along, zone: 40).map(fixture)
        for name in ["1", "2"] { _ = try TestToplevel.map(client, fixture, name) }
        #expect(fixture.frames[1...] == ["32,72 200x100", "64,104 200x100"])
        _ = try TestToplevel.map(client, fixture, "large", width: 800, height: 600)
        #expect(fixture.frames[3] == "0,40 800x600")
        let own = client.window("w").color(0xff00ff00)
        own.show()
        try fixture.pump()
        #expect(fixture.frames[4] == "0,0 800x600")
    }

    @Test("a panel is no plain window that makes the cascade go on")
    func alone() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        try TestLayerSurface(client).set(0, 40, at: .along, zone: 40).map(fixture)
        for _ in 0..<3 {
            let toplevel = try TestToplevel.map(client, fixture)
            #expect(fixture.frames[1] == "32,72 200x100")
            toplevel.toplevel.send(.destroy)
            toplevel.xdg.send(.destroy)
            toplevel.surface.send(.destroy)
            try fixture.pump()
        }
    }

    @Test("hostile numbers over the wire affect nobody else for longer than they last")
    func hostile() throws {
        let fixture = try ServerFixture()
        let (client, guest) = (try fixture.connect(), try fixture.connect("guest"))
        let toplevel = try TestToplevel.map(guest, fixture)
        toplevel.toplevel.send(.setMaximized)
        try fixture.pump()
        let extremes: [Int32] = [.min, .max, -1]
        for number in extremes {
            let panel = try TestLayerSurface(client).set(
                UInt32(Int32.max), 1, at: .top, zone: number, margin: (number, number, number, number))
            panel.commit()
            try fixture.pump()
            #expect(panel.takeConfigures() == ["2147483647x1"])
            try client.attach(0xff00ff00, width: 4, height: 4, to: panel.surface)
            panel.commit()
            try fixture.pump()
            #expect(client.isOpen && guest.isOpen)
            #expect(toplevel.size.width == 800 && toplevel.size.height >= 1)
            _ = try fixture.screenshot()
            #expect(fixture.model.checkInvariants() == [])
            panel.destroy()
            try fixture.pump()
            #expect(toplevel.size == (800, 600))
        }
    }

    @Test("arranging costs nothing per frame: commits of new content arrange nothing")
    func cost() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let bar = try TestLayerSurface(client).set(0, 30, at: .along, zone: 30).map(fixture)
        for _ in 0..<3 {
            try bar.draw()
            try client.flush()
            while try fixture.loop.runOnce(nonblocking: true) {
                #expect(fixture.server.screensToArrange.isEmpty)
            }
        }
        try fixture.pump()
        #expect(bar.configures == ["800x30"])
    }
}
