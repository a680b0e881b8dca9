// wp_fractional_scale_v1, and programs that draw at the screen's native resolution.

import Compositor
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

@Suite struct FractionalScaleTests {
    @Test("the main screen's scale is sent at once, then that of the window's screen; none is sent twice")
    func scales() throws {
        let fixture = try ServerFixture(screens: ["640x480,scale=1.5", "640x480,external,scale=2,name=TV"])
        let client = try fixture.connect()
        let surface = client.surface()
        var received: [UInt32] = []
        func take() throws -> [UInt32] {
            try fixture.pump()
            defer { received = [] }
            return received
        }
        let scale = try client.fractionalScale(of: surface)
        scale.onEvent = { if case .preferredScale(let value) = $0 { received.append(value) } }
        #expect(try take() == [180])
        try fixture.model.setScale(1.25, of: fixture.mainScreen)
        #expect(try take() == [150])
        let window = Proxy<MullionWindowV1>(client.connection, version: client.application.version)
        client.application.send(
            .createWindow(id: window.id, surface: surface.id, screen: client.screens[1].proxy.id))
        #expect(try take() == [240], "before it is shown")
        try client.attach(0xffff0000, width: 8, height: 8, to: surface)
        window.send(.setHidden(hidden: 0))
        surface.send(.commit)
        try fixture.model.setScale(1, of: fixture.mainScreen)
        #expect(try take() == [], "not its screen")
        window.send(.setScreen(screen: client.screens[0].proxy.id))
        surface.send(.commit)
        #expect(try take() == [120])
        window.send(.setScreen(screen: client.screens[1].proxy.id))
        surface.send(.commit)
        #expect(try take() == [240])
        try fixture.model.setScale(1.0 / 3, of: fixture.model.screens[1])
        #expect(try take() == [40])
        try fixture.server.disconnect(fixture.model.screens[1])
        #expect(try take() == [], "S8: it waits for its screen")
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,scale=3,name=TV"))
        #expect(try take() == [360])
        scale.send(.destroy)
        try fixture.model.setScale(1, of: fixture.model.screens[1])
        let second = try client.fractionalScale(of: surface)
        second.onEvent = { if case .preferredScale(let value) = $0 { received.append(value) } }
        #expect(try take() == [120])
        surface.send(.destroy)
        try fixture.model.setScale(2, of: fixture.model.screens[1])
        #expect(try take() == [])
        second.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen)
    }

    @Test("S2: without a screen no scale is sent until there is one; sub-surfaces and pop-ups follow their window")
    func parts() throws {
        let fixture = try ServerFixture(screens: [])
        let client = try fixture.connect()
        let top = client.toplevel("t")
        var received: [String] = []
        func follow(_ surface: Proxy<WlSurface>, _ name: String) throws -> Proxy<WpFractionalScaleV1> {
            let scale = try client.fractionalScale(of: surface)
            scale.onEvent = { if case .preferredScale(let value) = $0 { received.append("\(name) \(value)") } }
            return scale
        }
        let childSurface = client.surface()
        let scales = [try follow(top.surface, "top"), try follow(childSurface, "child")]
        try fixture.pump()
        #expect(received == [])
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,scale=1.5"))
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,external,scale=2,name=TV"))
        try fixture.pump()
        #expect(received.sorted() == ["child 180", "top 180"])
        received = []
        // The scale comes before the first configure, so that the first picture is right.
        top.xdg.onEvent = { [weak top] event in
            guard case .configure(let serial) = event else { return }
            received.append("configure")
            top?.xdg.send(.ackConfigure(serial: serial))
        }
        let tv = try client.bind(WlOutput.self, name: client.screens[1].globalName)
        top.toplevel.send(.setFullscreen(output: tv.id))
        top.surface.send(.commit)
        try fixture.pump()
        #expect(received.prefix(2) == ["top 240", "configure"])
        received = []
        let child = TestSubsurface(bare: client, surface: childSurface, parent: top.surface)
        let positioner = TestPopup.positioner(client, width: 20, height: 16)
        let popup = TestPopup(client, parent: top.xdg, positioner: positioner)
        let popupScale = try follow(popup.surface, "popup")
        popup.surface.send(.commit)
        try fixture.pump()
        #expect(received == ["child 240", "popup 240"])
        withExtendedLifetime((scales, child, popupScale)) {}
    }

    @Test("a second scale object for a surface is refused")
    func duplicate() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let surface = client.surface()
        let first = try client.fractionalScale(of: surface)
        _ = try client.fractionalScale(of: surface)
        try fixture.pump()
        let expected = WpFractionalScaleManagerV1.Error.fractionalScaleExists.rawValue
        #expect(client.protocolError?.code == expected)
        withExtendedLifetime(first) {}
    }

    @Test("a toplevel that follows the scale of 1.5 shows its finest pattern unblurred")
    func sharp() throws {
        let fixture = try ServerFixture(screens: ["300x150,scale=1.5"])
        let client = try fixture.connect()
        let top = client.toplevel("t")
        var scale = 0.0
        let object = try client.fractionalScale(of: top.surface)
        object.onEvent = { if case .preferredScale(let value) = $0 { scale = Double(value) / 120 } }
        let viewport = try client.viewport(of: top.surface)
        top.toplevel.send(.setFullscreen(output: nil))
        top.surface.send(.commit)
        try fixture.pump()
        #expect(scale == 1.5 && top.size == (200, 100))
        let width = Int32((Double(top.size.width) * scale).rounded())
        let height = Int32((Double(top.size.height) * scale).rounded())
        let buffer = try client.picture(width: width, height: height) { ($0 + $1) % 2 == 0 ? 0xffff_ffff : 0xff00_0000 }
        top.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        viewport.destination(top.size.width, top.size.height)
        top.surface.send(.commit)
        let picture = try fixture.screenshot()
        #expect((picture.width, picture.height) == (300, 150))
        var wrong = 0
        for y in 0..<150 {
            for x in 0..<300 where picture[x, y] != ((x + y) % 2 == 0 ? 0xffff_ffff : 0xff00_0000) { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test(
        "foot draws at the screen's scale or the next integer; at the screen's scale the pixels match",
        arguments: [1.5, 2])
    func foot(scale: Double) throws {
        let fixture = try ServerFixture(screens: ["800x600,scale=\(scale)"])
        let program = try fixture.spawn(
            "foot", ["--config=/dev/null", "--override=cursor.blink=no", "cat"], environment: ["LC_ALL": "C.UTF-8"])
        func root() -> Surface? {
            guard let window = fixture.model.windows.first(where: { fixture.model.isVisible($0) }) else { return nil }
            return fixture.model.window(window)?.root.flatMap { fixture.model.surface($0) }
        }
        func contents() -> AttachedBuffer? { root().flatMap { fixture.server.surfaces[$0.id]?.contents } }
        /// Of the picture, across.
        func drawn() -> Double? {
            guard let contents = contents(), let size = root()?.size else { return nil }
            return Double(contents.width) / size.width
        }
        // It enters its screen with its first picture, and then draws again. Since version 1.16 it scales by fractions.
        try fixture.wait(for: "a window of scale 2 or the screen's") {
            drawn().map { abs($0 - scale) < 0.01 || $0 == 2 } == true
        }
        guard let factor = drawn(), abs(factor - scale) < 0.01 else { return #expect(program.isRunning) }
        try fixture.wait(for: "its pixels, unscaled") {
            let picture = try fixture.screenshot()
            guard let root = root(), let window = root.window, let frame = fixture.model.frame(of: window),
                let contents = contents()
            else { return false }
            let left = Int(((frame.minX + root.position.x) * scale).rounded())
            let top = Int(((frame.minY + root.position.y) * scale).rounded())
            var colors: Set<UInt32> = []
            var isSame = true
            let whole = IntRect(x: 0, y: 0, width: contents.width, height: contents.height)
            _ = contents.withPixels(in: whole) { pixels, stride in
                for y in 0..<contents.height where picture[left, top + y] != nil {
                    for x in 0..<contents.width {
                        guard let shown = picture[left + x, top + y] else { continue }
                        let drawn = pixels.load(fromByteOffset: y * stride + x * 4, as: UInt32.self)
                        colors.insert(drawn)
                        if drawn & 0xffffff != shown & 0xffffff { isSame = false }
                    }
                }
            }
            return isSame && colors.count > 1
        }
    }
}
