// Title bars: who has one, where it is, and what it looks like.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct TitleBarTests {
    @Test("title bars: a bar of 28 points above the frame, with a cross; of another colour while the window is not key")
    func looks() throws {
        let program = try BarredProgram()
        #expect(try program.frame == Rect(x: 32, y: 60, width: 300, height: 100), "the cascade leaves room for it")
        #expect(try program.bar == Rect(x: 32, y: 32, width: 300, height: 28))
        #expect(program.model.keyWindow == program.window)
        try program.expectBar(BarredProgram.keyColor)
        let other = try TestToplevel.map(program.client, program.fixture, "other", width: 10, height: 10)
        #expect(program.model.keyWindow != program.window)
        try program.expectBar(BarredProgram.otherColor)
        other.surface.send(.destroy)
        try program.draw(200, 80)
        try program.expectBar(BarredProgram.keyColor)
        #expect(program.model.checkInvariants() == [])
    }

    @Test("title bars: sharp at every scale, also after a change of it", arguments: [2, 1.5, 3])
    func scales(scale: Double) throws {
        let program = try BarredProgram(ServerFixture(screens: ["1600x1200,scale=\(scale)"]))
        try program.expectBar(BarredProgram.keyColor, scale: scale)
        try program.model.setScale(1, of: program.fixture.mainScreen)
        try program.expectBar(BarredProgram.keyColor)
    }

    @Test("title bars: turned with the screen, and part of what a mirror shows")
    func turnedAndMirrored() throws {
        let fixture = try ServerFixture(screens: ["800x600", "400x300,external,name=B"])
        let program = try BarredProgram(fixture)
        let corner = Point(x: 332 - 13.5, y: 60 - 13.5)
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0)
        let picture = try fixture.screenshot()
        let screen = try #require(fixture.model.screen(fixture.mainScreen))
        func color(_ point: Point) -> UInt32? {
            let pixel = screen.convertToPixels(point)
            return picture[Int(pixel.x.rounded(.down)), Int(pixel.y.rounded(.down))].map { $0 & 0xff_ffff }
        }
        #expect(color(corner) == BarredProgram.ink)
        #expect(color(Point(x: 32.5, y: 32.5)) == BarredProgram.keyColor)
        #expect(color(Point(x: 32.5, y: 31.5)) == 0 && color(Point(x: 32.5, y: 60.5)) == BarredProgram.green)
        try fixture.server.rotate(fixture.mainScreen, to: .portrait, duration: 0)
        // Half as large on the mirror.
        #expect(try fixture.color(x: 20, y: 20, on: fixture.model.screens[1]) == BarredProgram.keyColor)
        #expect(try program.bar?.minY == 32)
    }

    @Test("title bars: fade and turn with their window, and are hit where they are drawn (C5)")
    func alphaAndTransform() throws {
        let program = try BarredProgram()
        let model = program.model
        try model.setAlpha(0.5, of: program.window)
        let faded = try program.fixture.color(x: 40, y: 40)
        #expect([0x17_1d26, 0x18_1e26, 0x18_1e27].contains(faded), "\(String(faded, radix: 16))")
        try model.setAlpha(1, of: program.window)
        // A half turn about the middle of the frame, which is at 182, 110.
        try model.setTransform(AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0), of: program.window)
        #expect(try program.fixture.color(x: 300, y: 170) == BarredProgram.keyColor)
        #expect(try program.fixture.color(x: 300, y: 50) == 0)
        let hit = try #require(model.hitTest(Point(x: 45.5, y: 173.5), on: program.fixture.mainScreen))
        #expect(hit.window == program.window && hit.location == Point(x: 14.5, y: 14.5))
        #expect(model.hitTest(Point(x: 300, y: 50), on: program.fixture.mainScreen) == nil)
        try model.setHidden(true, of: program.window)
        #expect(try program.fixture.color(x: 300, y: 170) == 0)
    }

    @Test("title bars: none by default, for a client that draws its own, and for windows of the extension")
    func none() throws {
        let plain = try BarredProgram(decorations: .none)
        #expect(try plain.bar == nil && plain.frame.origin == Point(x: 32, y: 32))
        #expect(try plain.fixture.color(x: 40, y: 31) == 0)
        let own = try BarredProgram(mode: .clientSide)
        #expect(try own.bar == nil && own.frame.origin == Point(x: 32, y: 32))
        let fixture = try ServerFixture()
        fixture.server.decorations = .bar
        let client = try fixture.connect()
        client.window("w").color(0xff00_ff00).frame(300, 300, 200, 100).makeKeyAndVisible()
        let bare = try TestToplevel.map(client, fixture)
        #expect(try fixture.color(x: 350, y: 299) == 0 && fixture.color(x: 350, y: 300) == BarredProgram.green)
        #expect(fixture.model.windows.allSatisfy { fixture.model.rootAndPopups(of: $0).count == 1 })
        #expect(bare.size == (0, 0))
    }

    @Test("title bars: a maximized window leaves room for it, a full-screen one has none")
    func maximized() throws {
        let program = try BarredProgram()
        let toplevel = program.toplevel.toplevel
        toplevel.send(.setMaximized)
        try program.fixture.pump()
        #expect(program.toplevel.size == (800, 572))
        try program.follow()
        #expect(try program.frame == Rect(x: 0, y: 28, width: 800, height: 572))
        #expect(try program.bar == Rect(x: 0, y: 0, width: 800, height: 28))
        try program.expectBar(BarredProgram.keyColor)
        toplevel.send(.setFullscreen(output: nil))
        try program.fixture.pump()
        #expect(program.toplevel.size == (800, 600))
        try program.follow()
        #expect(try program.frame == Rect(x: 0, y: 0, width: 800, height: 600) && program.bar == nil)
        #expect(try program.fixture.color(x: 5, y: 5) == BarredProgram.green)
        toplevel.send(.unsetFullscreen)
        try program.fixture.pump()
        #expect(program.toplevel.size == (800, 572))
        try program.follow()
        #expect(try program.frame == Rect(x: 0, y: 28, width: 800, height: 572) && program.bar?.minY == 0)
        toplevel.send(.unsetMaximized)
        try program.fixture.pump()
        #expect(program.toplevel.size == (300, 100))
        try program.follow()
        #expect(try program.frame == Rect(x: 32, y: 60, width: 300, height: 100))
        #expect(program.model.checkInvariants() == [])
    }

    @Test("title bars: a window that opens maximized, and one whose screen changes (R2)")
    func maximizedFirst() throws {
        let program = try BarredProgram { $0.toplevel.send(.setMaximized) }
        #expect(try program.frame == Rect(x: 0, y: 28, width: 800, height: 572))
        try program.fixture.server.rotate(program.fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try program.fixture.pump()
        #expect(program.toplevel.size == (600, 772))
        try program.follow()
        #expect(try program.frame == Rect(x: 0, y: 28, width: 600, height: 772))
        #expect(try program.bar == Rect(x: 0, y: 0, width: 600, height: 28))
        try program.expectBarColor(at: Point(x: 1, y: 1))
    }

    @Test("title bars: come and go with the configuration, and tell maximized windows their new size")
    func reload() throws {
        let program = try BarredProgram(decorations: .none)
        let filling = try BarredProgram(program.fixture, decorations: .none) { $0.toplevel.send(.setMaximized) }
        let configures = program.toplevel.configures
        #expect(filling.toplevel.size == (800, 600))
        program.fixture.server.decorations = .bar
        try program.fixture.pump()
        #expect(filling.toplevel.size == (800, 572))
        try filling.follow()
        #expect(try filling.frame == Rect(x: 0, y: 28, width: 800, height: 572) && filling.bar?.minY == 0)
        #expect(try program.frame.origin == Point(x: 32, y: 32), "a window stays where it is")
        #expect(try program.bar == Rect(x: 32, y: 4, width: 300, height: 28))
        #expect(program.toplevel.size == (0, 0), "and chooses its size")
        program.fixture.server.decorations = .none
        try program.fixture.pump()
        #expect(try program.bar == nil && filling.bar == nil && filling.toplevel.size == (800, 600))
        try filling.follow()
        #expect(try filling.frame == Rect(x: 0, y: 0, width: 800, height: 600))
        #expect(program.toplevel.configures - configures <= 3)
        #expect(program.model.surfaceCount == 2 && program.model.checkInvariants() == [])
    }

    @Test(
        "title bars: follow the mode that the client asks for, and end with the decoration, the content or the client")
    func ends() throws {
        let program = try BarredProgram()
        program.decoration.send(.setMode(mode: .clientSide))
        try program.fixture.pump()
        #expect(try program.bar == nil)
        program.decoration.send(.setMode(mode: .serverSide))
        try program.fixture.pump()
        #expect(try program.bar != nil)
        program.toplevel.surface.send(.attach(buffer: nil, x: 0, y: 0))
        program.toplevel.surface.send(.commit)
        try program.fixture.pump()
        #expect(try program.bar == nil)
        program.toplevel.surface.send(.commit)
        try program.fixture.pump()
        try program.draw(300, 100)
        try program.expectBar(BarredProgram.keyColor)
        program.decoration.send(.destroy)
        try program.draw(310, 100)
        #expect(try program.bar == nil && program.client.isOpen)
        let second = try BarredProgram(program.fixture)
        #expect(try second.bar != nil && program.model.surfaceCount == 5)
        for client in [program.client, second.client] { client.connection.disconnect() }
        try program.fixture.wait(for: "their ends") { program.model.windows.isEmpty }
        #expect(program.model.surfaceCount == 0 && program.model.checkInvariants() == [])
    }

    @Test("title bars: a narrow window has no close button; the bar is as wide as any window")
    func widths() throws {
        let program = try BarredProgram(width: 55)
        let picture = try program.fixture.screenshot()
        for x in 32..<87 { #expect(picture[x, 46] == 0xff00_0000 | BarredProgram.keyColor) }
        try program.draw(56, 50)
        try program.expectBar(BarredProgram.keyColor)
        try program.draw(5000, 50)
        #expect(try program.bar?.width == 5000)
        #expect(try program.fixture.color(x: 700, y: 40) == BarredProgram.keyColor)
    }

    @Test("title bars: menus open in front of them, where they would without")
    func popups() throws {
        let program = try BarredProgram()
        let positioner = TestPopup.positioner(program.client, width: 40, height: 50, x: 20, y: -30)
        let menu = TestPopup(program.client, parent: program.toplevel.xdg, positioner: positioner)
        menu.surface.send(.commit)
        try program.fixture.pump()
        try program.client.attach(0xffff_0000, width: 40, height: 50, to: menu.surface)
        menu.surface.send(.commit)
        try program.fixture.pump()
        #expect(menu.place?.x == 20 && menu.place?.y == -30)
        #expect(try program.fixture.color(x: 60, y: 40) == 0xff0000 && program.fixture.color(x: 100, y: 40) != 0xff0000)
        // A bar that appears later goes behind it too.
        program.fixture.server.decorations = .none
        program.fixture.server.decorations = .bar
        #expect(try program.fixture.color(x: 60, y: 40) == 0xff0000)
        #expect(try program.fixture.color(x: 100, y: 40) == BarredProgram.keyColor)
    }

    @Test("title bars: a dialog is centred over its parent, and its bar stays on the screen")
    func dialog() throws {
        let program = try BarredProgram()
        func open(_ height: Int32) throws -> Rect {
            let dialog = program.client.toplevel("")
            let manager = try program.client.bind(ZxdgDecorationManagerV1.self)
            let decoration = Proxy<ZxdgToplevelDecorationV1>(program.client.connection, version: 1)
            manager.send(.getToplevelDecoration(id: decoration.id, toplevel: dialog.toplevel.id))
            decoration.send(.setMode(mode: .serverSide))
            dialog.toplevel.send(.setParent(parent: program.toplevel.toplevel.id))
            dialog.surface.send(.commit)
            try program.fixture.pump()
            try program.client.attach(0xffff_0000, width: 100, height: height, to: dialog.surface)
            dialog.surface.send(.commit)
            try program.fixture.pump()
            return try #require(program.model.windows.last.flatMap { program.model.frame(of: $0) })
        }
        #expect(try open(40) == Rect(x: 132, y: 90, width: 100, height: 40))
        #expect(try open(300) == Rect(x: 132, y: 28, width: 100, height: 300))
    }

    @Test("title bars: a restart keeps them")
    func handOver() throws {
        let fixture = try ServerFixture.handingOver()
        let program = try BarredProgram(fixture)
        let filling = try BarredProgram(fixture) { $0.toplevel.send(.setMaximized) }
        let (before, count) = (try fixture.pictures(), fixture.model.surfaceCount)
        let (frames, configures) = ([try program.frame, try filling.frame], filling.toplevel.configures)
        try fixture.handOver()
        #expect(try fixture.pictures() == before && fixture.model.surfaceCount == count)
        #expect(try [program.frame, filling.frame] == frames && filling.toplevel.configures == configures)
        try filling.point(300, 10)
        try filling.finger(.began, 790, 10)
        try filling.finger(.ended, 790, 10)
        #expect(filling.closes == 1)
        // The next server may be configured otherwise.
        fixture.server.decorations = .none
        try fixture.pump()
        #expect(try program.bar == nil && filling.toplevel.size == (800, 600))
        #expect(fixture.model.surfaceCount == 2 && fixture.model.checkInvariants() == [])
    }
}

extension BarredProgram {
    func expectBarColor(at point: Point) throws {
        let picture = try fixture.screenshot()
        let pixel = try #require(model.screen(fixture.mainScreen)).convertToPixels(point + Point(x: 0.5, y: 0.5))
        #expect(picture[Int(pixel.x), Int(pixel.y)].map { $0 & 0xff_ffff } == Self.keyColor)
    }
}
