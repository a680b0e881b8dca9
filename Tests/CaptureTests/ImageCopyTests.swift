// ext-image-copy-capture: sessions of screens, windows and cursors.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ImageCopyTests {
    private struct Setup {
        let fixture: ServerFixture
        let client: TestClient
        let copies: TestImageCopy
        let list: TestForeignToplevels

        init(_ screens: [String] = ["80x60,name=A"], clock: ClockMode = .manual) throws {
            fixture = try ServerFixture(screens: screens, clock: clock)
            client = try fixture.connect()
            copies = try TestImageCopy(client)
            list = try TestForeignToplevels(ext: client)
            try list.bindOutputs()
            try fixture.pump()
        }

        func window(_ title: String, _ argb: UInt32, _ frame: (Double, Double, Double, Double)) throws -> TestWindow {
            let window = client.window(title).color(argb).frame(frame.0, frame.1, frame.2, frame.3)
            window.show()
            try fixture.pump()
            return window
        }

        func screen(_ name: String = "A", cursor: Bool = false) throws -> TestImageSession {
            let session = copies.session(copies.source(of: try #require(list.output(name))), cursor: cursor)
            try fixture.pump()
            return session
        }

        func toplevel(_ title: String, cursor: Bool = false) throws -> TestImageSession {
            let handle = try #require(try list.toplevel(title).ext)
            let session = copies.session(copies.source(of: handle), cursor: cursor)
            try fixture.pump()
            return session
        }

        func captured(_ session: TestImageSession, _ format: WlShm.Format = .xrgb8888) throws -> TestImageFrame {
            let frame = try session.capture(format)
            try fixture.wait(for: "a frame") { frame.isReady || frame.lines.last?.hasPrefix("failed") == true }
            return frame
        }

        func tick() throws { try fixture.step(20_000) }

        func hover(_ x: Double, _ y: Double) throws {
            let place = InputEvent.Place(screen: nil, point: Point(x: x, y: y))
            _ = try fixture.server.injector.inject([.hover(place)])
            try fixture.pump()
        }

        func shown(cursor: Bool = false) throws -> [UInt32] {
            var result: [UInt32]?
            fixture.server.capture([fixture.mainScreen], cursor: cursor) { result = $0.first?.1.pixels }
            try fixture.wait(for: "a picture") { result != nil }
            return try #require(result).map { $0 & 0xff_ffff }
        }
    }

    @Test("S4: a screen's session announces native pixels; the first frame comes at once, later ones with a change")
    func screen() throws {
        let setup = try Setup(["80x60,name=A,orientation=landscapeLeft"])
        let window = try setup.window("w", 0xffff_0000, (0, 0, 10, 10))
        let session = try setup.screen()
        #expect(session.takeLines() == ["size 80x60", "format 1", "done"])
        let first = try setup.captured(session)
        #expect(first.lines == ["transform 1", "damage 0,0 80x60", "time", "ready"])
        #expect(try first.colors() == setup.shown())
        first.proxy.send(.destroy)
        let second = try session.capture()
        for _ in 0..<3 { try setup.tick() }
        #expect(second.lines.isEmpty, "nothing has changed")
        window.color(0xff00_ff00).commit()
        try setup.fixture.pump()
        #expect(second.lines.isEmpty, "before the tick")
        try setup.tick()
        #expect(second.isReady && second.damage.count == 1 && second.damage[0].area == 100, "\(second.lines)")
        #expect(try #require(second.time) <= setup.fixture.server.clock.now)
    }

    @Test("a frame updates what the client says is outdated, and what has changed; the rest may stay")
    func bufferDamage() throws {
        let setup = try Setup()
        let window = try setup.window("w", 0xffff_0000, (0, 0, 4, 4))
        let session = try setup.screen()
        try setup.captured(session).proxy.send(.destroy)
        window.color(0xff00_ff00).commit()
        try setup.fixture.pump()
        let frame = session.frame()
        try frame.attach(extraStride: 8)
        frame.proxy.send(.damageBuffer(x: 70, y: 50, width: 100, height: 2))
        frame.proxy.send(.capture)
        try setup.fixture.pump()
        try setup.tick()
        #expect(frame.isReady && frame.damage == [IntRect(x: 0, y: 0, width: 4, height: 4)])
        let pixels = try frame.colors()
        #expect(pixels[0] == 0x00_ff00 && pixels[3 * 80 + 3] == 0x00_ff00 && pixels[51 * 80 + 79] == 0)
        #expect(pixels[4] == 0x12_3456 && pixels[52 * 80 + 79] == 0x12_3456, "more than needed is not copied here")
    }

    @Test("W1: a window's session shows it alone, with alpha, whatever covers it, and minimized too")
    func toplevel() throws {
        let setup = try Setup(["80x60,name=A,scale=2"])
        let window = try setup.window("w", 0x8000_0000, (5, 5, 10, 8))
        _ = try setup.window("above", 0xffff_ffff, (0, 0, 40, 30))
        let session = try setup.toplevel("w")
        #expect(session.takeLines() == ["size 20x16", "format 0", "format 1", "done"])
        let first = try setup.captured(session, .argb8888)
        #expect(first.lines.first == "transform 0")
        #expect(try first.pixels().allSatisfy { $0 == 0x8000_0000 })
        first.proxy.send(.destroy)
        let second = try session.capture()
        _ = try setup.window("more", 0xff00_ffff, (0, 0, 40, 30))
        for _ in 0..<2 { try setup.tick() }
        #expect(second.lines.isEmpty, "other windows do not matter")
        window.color(0xff12_0034).commit()
        try setup.fixture.pump()
        try setup.tick()
        #expect(second.isReady)
        #expect(try second.colors().allSatisfy { $0 == 0x12_0034 })
    }

    @Test("a window that is resized announces its new size; a frame of the old one fails, and the next one is right")
    func resized() throws {
        let setup = try Setup()
        let window = try setup.window("w", 0xffff_0000, (5, 5, 10, 8))
        let session = try setup.toplevel("w")
        try setup.captured(session).proxy.send(.destroy)
        let waiting = try session.capture()
        window.frame(5, 5, 12, 9).commit()
        try setup.fixture.pump()
        #expect(session.takeLines().suffix(4) == ["size 12x9", "format 0", "format 1", "done"])
        try setup.tick()
        #expect(waiting.lines == ["failed 1"])
        waiting.proxy.send(.destroy)
        let next = try session.capture()
        try setup.tick()
        #expect(next.isReady && next.damage == [IntRect(x: 0, y: 0, width: 12, height: 9)])
        // Hidden by the control API: still there, and drawn as the program draws it.
        let model = setup.fixture.model
        let id = try #require(model.windows.first)
        next.proxy.send(.destroy)
        let hidden = try session.capture()
        try model.setBackgroundColor(Color(red: 0, green: 0, blue: 1), of: id)
        try setup.fixture.pump()
        try setup.tick()
        #expect(hidden.isReady)
    }

    @Test("S9, W7: unplugging, closing and unlisting stop a session once, and its frames fail")
    func stopped() throws {
        let setup = try Setup(["80x60,name=A", "40x30,name=B,mirroring=off"])
        let window = try setup.window("w", 0xffff_0000, (5, 5, 10, 8))
        let (screen, toplevel) = (try setup.screen("B"), try setup.toplevel("w"))
        for session in [screen, toplevel] {
            try setup.captured(session).proxy.send(.destroy)
            _ = session.takeLines()
        }
        let waiting = [try screen.capture(), try toplevel.capture()]
        try setup.fixture.pump()
        try setup.fixture.server.disconnect(setup.fixture.model.screens[1])
        window.hide()
        try setup.fixture.pump()
        #expect(waiting.map(\.lines) == [["failed 2"], ["failed 2"]])
        #expect(screen.takeLines() == ["stopped"] && toplevel.takeLines() == ["stopped"])
        for (session, frame) in zip([screen, toplevel], waiting) {
            frame.proxy.send(.destroy)
            #expect(try setup.captured(session).lines == ["failed 2"])
        }
        window.show()
        try setup.fixture.pump()
        #expect(toplevel.takeLines().isEmpty, "a window that is shown again is another one")
        let again = try setup.toplevel("w")
        _ = try setup.captured(again)
        window.window.send(.destroy)
        window.surface.send(.destroy)
        try setup.fixture.pump()
        #expect(again.lines.last == "stopped")
        let gone = try setup.screen("B")
        #expect(gone.lines == ["stopped"] && setup.client.isOpen)
    }

    @Test("the cursor is in the picture if requested; by itself it has a session with position and hotspot")
    func cursors() throws {
        let setup = try Setup()
        _ = try setup.window("w", 0xff00_0080, (20, 20, 30, 20))
        try setup.hover(30, 30)
        let (bare, seen) = (try setup.screen(), try setup.screen(cursor: true))
        #expect(try setup.captured(bare).colors() == setup.shown())
        #expect(try setup.captured(seen).colors() == setup.shown(cursor: true))
        let toplevel = try setup.toplevel("w", cursor: true)
        #expect(try setup.captured(toplevel).colors().contains { $0 != 0x80 })

        let pointer = try TestPointer(setup.client)
        let output = try #require(setup.list.output("A"))
        let over = setup.copies.cursor(over: setup.copies.source(of: output), of: pointer.pointer)
        let handle = try #require(try setup.list.toplevel("w").ext)
        let inside = setup.copies.cursor(over: setup.copies.source(of: handle), of: pointer.pointer)
        try setup.fixture.pump()
        #expect(over.takeLines().prefix(2) == ["enter", "position 30,30"])
        #expect(inside.takeLines().prefix(2) == ["enter", "position 10,10"])
        try setup.hover(31, 32)
        #expect(over.takeLines() == ["position 31,32"] && inside.takeLines() == ["position 11,12"])
        try setup.hover(75, 5)
        #expect(over.takeLines() == ["position 75,5"] && inside.takeLines() == ["leave"])

        let session = over.session()
        try setup.fixture.pump()
        #expect(session.lines.suffix(3) == ["format 0", "format 1", "done"] && session.size.width > 5)
        let image = try setup.captured(session, .argb8888)
        let pixels = try image.pixels()
        #expect(image.isReady && pixels.contains(0xff00_0000) && pixels.contains(0xffff_ffff) && pixels.contains(0))
        image.proxy.send(.destroy)
        let next = try session.capture(.argb8888)
        try setup.hover(70, 5)
        for _ in 0..<2 { try setup.tick() }
        #expect(next.lines.isEmpty, "it has only moved")
    }

    @Test("mistakes are the errors of the protocol")
    func errors() throws {
        typealias Frame = ExtImageCopyCaptureFrameV1.Error
        let cases: [(String, UInt32, (Setup, TestImageSession) throws -> Void)] = [
            (
                "option", ExtImageCopyCaptureManagerV1.Error.invalidOption.rawValue,
                { setup, _ in
                    let source = setup.copies.source(of: try #require(setup.list.output("A")))
                    let session = Proxy<ExtImageCopyCaptureSessionV1>(setup.client.connection, version: 1)
                    setup.copies.manager.send(
                        .createSession(
                            session: session.id, source: source.id,
                            options: ExtImageCopyCaptureManagerV1.Options(rawValue: 2)))
                }
            ),
            (
                "two frames", ExtImageCopyCaptureSessionV1.Error.duplicateFrame.rawValue,
                { _, session in
                    _ = session.frame()
                    _ = session.frame()
                }
            ),
            ("no buffer", Frame.noBuffer.rawValue, { _, session in session.frame().proxy.send(.capture) }),
            (
                "damage", Frame.invalidBufferDamage.rawValue,
                { _, session in session.frame().proxy.send(.damageBuffer(x: 0, y: -1, width: 5, height: 5)) }
            ),
            (
                "captured twice", Frame.alreadyCaptured.rawValue,
                { _, session in try session.capture().proxy.send(.capture) }
            ),
            (
                "attached late", Frame.alreadyCaptured.rawValue,
                { _, session in try session.capture().attach() }
            ),
            (
                "two cursor sessions", ExtImageCopyCaptureCursorSessionV1.Error.duplicateSession.rawValue,
                { setup, _ in
                    let source = setup.copies.source(of: try #require(setup.list.output("A")))
                    let cursor = setup.copies.cursor(over: source, of: try TestPointer(setup.client).pointer)
                    _ = cursor.session()
                    _ = cursor.session()
                }
            ),
        ]
        for (what, code, mistake) in cases {
            let setup = try Setup()
            let session = try setup.screen()
            try mistake(setup, session)
            try setup.fixture.pump()
            #expect(setup.client.protocolError?.code == code, "\(what)")
        }
    }

    @Test("a buffer that does not match fails the frame; memory that cannot be written too; no client is hurt")
    func buffers() throws {
        let setup = try Setup()
        let session = try setup.screen()
        for (format, size) in [(WlShm.Format.argb8888, (80, 60)), (.xrgb8888, (79, 60)), (.xrgb8888, (80, 61))] {
            let frame = session.frame()
            try frame.attach(format, size: size)
            frame.proxy.send(.capture)
            try setup.fixture.pump()
            #expect(frame.lines == ["failed 1"])
            frame.proxy.send(.destroy)
        }
        #expect(try setup.captured(session).isReady)
    }

    @Test("sessions are limited; destroyed ones make room, and end what they captured")
    func limit() throws {
        let setup = try Setup()
        let output = try #require(setup.list.output("A"))
        let source = setup.copies.source(of: output)
        let sessions = (0..<setup.fixture.server.limits.screenCopies).map { _ in setup.copies.session(source) }
        try setup.fixture.pump()
        let frame = try sessions[0].capture()
        try setup.fixture.pump()
        for session in sessions { session.proxy.send(.destroy) }
        try setup.fixture.wait(for: "its frame, which outlives it") { frame.isReady }
        frame.proxy.send(.destroy)
        try setup.fixture.pump()
        #expect(setup.client.isOpen && !setup.fixture.server.captures.hasSessions)
        for _ in 0...setup.fixture.server.limits.screenCopies { _ = setup.copies.session(source) }
        try setup.fixture.pump()
        #expect(setup.client.protocolError?.message.contains("limit reached: 64 sessions of captures") == true)
    }

    @Test("without the rights the globals do not exist")
    func rights() throws {
        for (rights, expected) in [
            ([.view, .inject, .administer], []), ([.capture], [true, false, true]),
            ([.view, .capture], [true, true, true]),
        ] as [(Rights, [Bool])] {
            let fixture = try ServerFixture()
            fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: rights)])
            let client = try fixture.connect()
            let names = Set(client.globals.map(\.interface))
            let found = [
                ExtOutputImageCaptureSourceManagerV1.name, ExtForeignToplevelImageCaptureSourceManagerV1.name,
                ExtImageCopyCaptureManagerV1.name,
            ].map(names.contains)
            #expect(found == (expected.isEmpty ? [false, false, false] : expected))
        }
    }

    @Test("over a restart sessions, frames and cursors go on; a copy that waits fails and can be repeated")
    func restart() throws {
        let setup = try Setup(["80x60,name=A"])
        setup.fixture.server.isHandOverPossible = true
        let window = try setup.window("w", 0xffff_0000, (0, 0, 10, 10))
        try setup.hover(5, 5)
        let (screen, toplevel) = (try setup.screen(), try setup.toplevel("w"))
        try setup.captured(screen).proxy.send(.destroy)
        let prepared = toplevel.frame()
        try prepared.attach()
        prepared.proxy.send(.damageBuffer(x: 0, y: 0, width: 10, height: 10))
        let waiting = try screen.capture()
        let pointer = try TestPointer(setup.client)
        let source = setup.copies.source(of: try #require(setup.list.output("A")))
        let cursor = setup.copies.cursor(over: source, of: pointer.pointer)
        try setup.fixture.pump()
        #expect(cursor.takeLines().prefix(2) == ["enter", "position 5,5"])
        _ = (screen.takeLines(), toplevel.takeLines())
        try setup.fixture.handOver()
        try setup.fixture.pump()
        #expect(waiting.lines == ["failed 0"])
        #expect(screen.lines.isEmpty && toplevel.lines.isEmpty && cursor.lines.isEmpty)
        prepared.proxy.send(.capture)
        try setup.fixture.wait(for: "the window's frame") { prepared.isReady }
        #expect(try prepared.colors().allSatisfy { $0 == 0xff_0000 })
        waiting.proxy.send(.destroy)
        let again = try screen.capture()
        window.color(0xff00_ff00).commit()
        try setup.fixture.pump()
        try setup.tick()
        #expect(again.isReady && again.damage == [IntRect(x: 0, y: 0, width: 80, height: 60)])
        try setup.hover(6, 7)
        #expect(cursor.takeLines() == ["position 6,7"])
        again.proxy.send(.capture)
        try setup.fixture.pump()
        #expect(setup.client.protocolError?.code == ExtImageCopyCaptureFrameV1.Error.alreadyCaptured.rawValue)
    }
}
