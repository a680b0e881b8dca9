// How copies of screens end: unplugging, refusals, lack of memory, restarts; and who cannot make any.

import CLinux
import Compositor
import Glibc
import System
import TestSupport
import Testing
import Wayland
import WindowModel

@testable import DisplayServer

@Suite struct ScreencopyEndTests {
    @Test("S9: a copy of a screen that is unplugged fails, waiting or not, and so does every later one")
    func unplugged() throws {
        let desk = try ScreencopyDesk(["80x60,name=A", "80x60,name=B,mirroring=none"], clock: .manual)
        let (waiting, other) = (try desk.waiting(1), try desk.waiting(0))
        let announced = try desk.frame(1)
        try desk.fixture.server.disconnect(desk.fixture.model.screens[1])
        try desk.fixture.pump()
        #expect(waiting.hasFailed && !other.hasFailed)
        try announced.copy()
        let late = try desk.frame(1)
        #expect(announced.hasFailed && late.lines == ["failed"])
        late.proxy.send(.copy(buffer: try other.buffer().id))
        try desk.tick()
        #expect(late.lines == ["failed"] && other.isReady && desk.client.isOpen)
    }

    @Test("S3: a copy that was announced in another mode fails")
    func modeChange() throws {
        let modes = [(80, 60), (64, 48)].map { Screen.Mode(width: $0.0, height: $0.1, refresh: 60_000) }
        let desk = try ScreencopyDesk(screens: [ScreenDescription(name: "A", modes: modes)], clock: .manual)
        let first = try desk.waiting()
        try desk.tick()
        #expect(first.isReady)
        let (waiting, announced) = (try desk.waiting(), try desk.frame())
        try desk.fixture.model.setMode(modes[1], of: desk.fixture.mainScreen)
        try desk.fixture.pump()
        try desk.tick()
        #expect(waiting.hasFailed)
        try announced.copy()
        try desk.fixture.wait(for: "the end") { announced.hasFailed }
        #expect(try desk.copied().size == (64, 48))
    }

    @Test("a part that is empty or outside the screen fails at once")
    func nothing() throws {
        let desk = try ScreencopyDesk()
        let parts: [(Int32, Int32, Int32, Int32)] = [
            (0, 0, 0, 5), (0, 0, 5, -5), (80, 0, 5, 5), (-6, -6, 6, 6), (.max, .max, .max, .max), (.min, 0, .min, 1),
        ]
        for part in parts { #expect(try desk.frame(part: part).lines == ["failed"], "\(part)") }
        #expect(desk.client.isOpen)
    }

    @Test(
        "a buffer that does not match the announcement is an error that describes both",
        arguments: [
            "a 79x60 buffer with format 1 and stride 316", "a 80x59 buffer with format 1 and stride 320",
            "a 80x60 buffer with format 0 and stride 320", "a 80x60 buffer with format 1 and stride 324",
            "a 1x1 buffer with format 1 and stride 4",
        ])
    func invalidBuffer(words: String) throws {
        let desk = try ScreencopyDesk()
        let frame = try desk.frame()
        let numbers = words.split { !$0.isNumber }.compactMap { Int32($0) }
        let buffer: Proxy<WlBuffer>
        if numbers[0] == 1 {
            let pixels = try desk.client.bind(WpSinglePixelBufferManagerV1.self)
            buffer = Proxy(desk.client.connection, version: 1)
            pixels.send(.createU32RgbaBuffer(id: buffer.id, r: 0, g: 0, b: 0, a: .max))
        } else {
            let pool = Proxy<WlShmPool>(desk.client.connection, version: 1)
            let memory = try desk.client.memoryFile(words: 10_000, filledWith: 0)
            desk.client.shm.send(.createPool(id: pool.id, fd: memory, size: 40_000))
            buffer = Proxy(desk.client.connection, version: 1)
            pool.send(
                .createBuffer(
                    id: buffer.id, offset: 0, width: numbers[0], height: numbers[1], stride: numbers[3],
                    format: WlShm.Format(rawValue: UInt32(numbers[2]))))
        }
        try frame.copy(to: buffer)
        try desk.fixture.pump()
        let error = try #require(desk.client.protocolError)
        #expect(error.code == ZwlrScreencopyFrameV1.Error.invalidBuffer.rawValue)
        #expect(
            error.message == words
                + " is not what was announced: 80x60, wl_shm's format 1 (xrgb8888) with stride 320")
    }

    @Test("a frame can be copied only once, even if it fails")
    func alreadyUsed() throws {
        for waits in [false, true] {
            let desk = try ScreencopyDesk()
            let frame = try desk.waiting()
            let buffer = try frame.buffer()
            try frame.copy(waiting: waits, to: buffer)
            try desk.fixture.pump()
            #expect(desk.client.protocolError?.code == ZwlrScreencopyFrameV1.Error.alreadyUsed.rawValue)
            #expect(desk.client.protocolError?.message == "a frame is copied once")
        }
    }

    @Test("a frame and its manager can be destroyed at any time")
    func destroyed() throws {
        let desk = try ScreencopyDesk(clock: .manual)
        let window = try desk.window(0, 0, 5, 5, 0xffff_0000)
        let (soon, waiting, kept) = (try desk.frame(), try desk.waiting(), try desk.waiting())
        try soon.copy()
        soon.proxy.send(.destroy)
        waiting.proxy.send(.destroy)
        desk.copies.manager.send(.destroy)
        try desk.fixture.pump()
        window.color(0xff00_ff00).commit()
        try desk.fixture.pump()
        try desk.tick()
        #expect(kept.isReady && !soon.isReady && !waiting.isReady)
        #expect(desk.fixture.server.captures.hasSessions)
        kept.proxy.send(.destroy)
        try desk.fixture.pump()
        #expect(!desk.fixture.server.captures.hasSessions && desk.client.isOpen)
        let again = try ScreencopyDesk(clock: .manual)
        _ = try again.waiting()
        try again.client.kill()
        #expect(!again.fixture.server.captures.hasSessions)
    }

    @Test("damage that a failed or abandoned copy did not report is reported by the next one")
    func givenUp() throws {
        let desk = try ScreencopyDesk(["800x600,name=A"], clock: .manual)
        let window = try desk.window(10, 10, 4, 4, 0xffff_0000)
        _ = try desk.copied()
        for argb in [0xff00_ff00, 0xff00_00ff] as [UInt32] {
            let frame = try desk.frame()
            if argb == 0xff00_ff00 {
                let memory = try desk.client.memoryFile(words: 480_000, filledWith: 0)
                let own = OwnedDescriptor(dup(memory.rawValue))
                let buffer = try desk.client.buffer(of: memory, width: 800, height: 600)
                try desk.fixture.pump()
                #expect(ftruncate(own.rawValue, 0) == 0)
                try frame.copy(waiting: true, to: buffer)
            } else {
                try frame.copy(waiting: true)
            }
            window.color(argb).commit()
            try desk.client.flush()
            try desk.fixture.loop.runOnce()
            _ = desk.fixture.server.clock.advance(to: desk.fixture.server.clock.now + 20_000)
            #expect(desk.fixture.server.captures.isBusy, "the copy is under way")
            if argb == 0xff00_00ff { frame.proxy.send(.destroy) }
            try desk.fixture.wait(for: "the end") { frame.hasFailed || argb == 0xff00_00ff }
            let next = try desk.waiting()
            try desk.tick()
            #expect(next.isReady && next.damage == [IntRect(x: 10, y: 10, width: 4, height: 4)], "\(next.lines)")
            #expect(!frame.isReady)
        }
    }

    @Test("R1: after a turn the whole part is damaged, though the pixels are the same")
    func turned() throws {
        let desk = try ScreencopyDesk(clock: .manual)
        let id = desk.fixture.mainScreen
        let part: (Int32, Int32, Int32, Int32) = (10, 5, 30, 20)
        for orientation in [Screen.Orientation.portrait, .portraitUpsideDown, .portrait] {
            try desk.fixture.server.rotate(id, to: orientation, duration: 0)
            try desk.tick()
            let frame = try desk.waiting(part: part)
            for _ in 0..<2 { try desk.tick() }
            #expect(frame.isReady && frame.damage == [IntRect(x: 0, y: 0, width: 30, height: 20)])
        }
    }

    @Test("a framebuffer is freed some time after its last use, whatever is copied from other screens")
    func framebuffers() throws {
        let desk = try ScreencopyDesk(["80x60,name=A", "90x70,name=B,mirroring=off"])
        let window = try desk.window(0, 0, 10, 10, 0xffff_0000)
        _ = try (desk.shown(1), desk.copied(0))
        let captures = desk.fixture.server.captures
        let given = try desk.waiting(0)
        #expect(captures.framebufferCount == 2)
        var (frame, argb) = (try desk.waiting(0), 0xff00_0000 as UInt32)
        try desk.fixture.wait(for: "the other framebuffer to be freed") {
            if frame.isReady {
                frame.proxy.send(.destroy)
                frame = try desk.waiting(0)
            }
            argb += 1
            window.color(argb).commit()
            return captures.framebufferCount == 1
        }
        given.proxy.send(.destroy)
        frame.proxy.send(.destroy)
        try desk.fixture.wait(for: "both to be freed") { captures.framebufferCount == 0 }
    }

    @Test("a copy to memory that is read-only or becomes too short fails, and affects nothing else", arguments: 0..<3)
    func memory(kind: Int) throws {
        let desk = try ScreencopyDesk(["800x600,name=A"])
        let frame = try desk.frame()
        let memory = OwnedDescriptor(linux_memfd_create("mullion-test", MFD_CLOEXEC | MFD_ALLOW_SEALING))
        let pixels = [UInt32](repeating: 0x77, count: 480_000)
        #expect(pixels.withUnsafeBytes { pwrite(memory.rawValue, $0.baseAddress, $0.count, 0) } == 1_920_000)
        let own = OwnedDescriptor(dup(memory.rawValue))
        var given = memory
        switch kind {
        case 0: given = OwnedDescriptor(open("/proc/self/fd/\(memory.rawValue)", O_RDONLY | O_CLOEXEC))
        case 1: #expect(linux_fcntl(memory.rawValue, F_ADD_SEALS, F_SEAL_WRITE) == 0)
        default: break
        }
        let buffer = try desk.client.buffer(of: given, width: 800, height: 600)
        try desk.fixture.pump()
        if kind == 2 { #expect(ftruncate(own.rawValue, 4096 * 20) == 0) }
        try frame.copy(to: buffer)
        try desk.fixture.wait(for: "the end") { frame.hasFailed }
        var first: UInt32 = 0
        #expect(pread(own.rawValue, &first, 4, 0) == 4)
        #expect(kind == 2 || first == 0x77)
        #expect(desk.client.isOpen)
        #expect(try desk.shows(desk.copied().pixels()))
    }

    @Test("without the right to capture the global does not exist")
    func right() throws {
        let fixture = try ServerFixture()
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: [.view, .inject, .administer])])
        let client = try fixture.connect()
        #expect(!client.globals.contains { $0.interface == ZwlrScreencopyManagerV1.name })
        #expect(client.globals.contains { $0.interface == ZwlrVirtualPointerManagerV1.name })
    }

    @Test("version 1 has neither buffer_done nor copy_with_damage")
    func versions() throws {
        let desk = try ScreencopyDesk()
        let old = try TestScreencopy(desk.client, version: 1)
        let frame = old.frame(of: desk.outputs[0])
        try desk.fixture.pump()
        #expect(frame.lines == ["buffer 1 80x60 320"])
        try frame.copy(waiting: true)
        try desk.fixture.pump()
        #expect(desk.client.protocolError?.message.contains("request 2") == true)
    }

    @Test("over a restart copies that wait fail, and all others continue")
    func restart() throws {
        let desk = try ScreencopyDesk(["80x60,name=A", "40x30,name=B,mirroring=none"], clock: .manual)
        desk.fixture.server.isHandOverPossible = true
        let window = try desk.window(10, 10, 4, 4, 0xffff_0000)
        let (done, announced) = (try desk.copied(), try desk.frame(part: (8, 8, 10, 10)))
        for _ in 0..<100 { _ = try desk.frame() }
        let (waiting, soon) = (try desk.waiting(1), try desk.frame(1))
        try soon.copy()
        try desk.client.flush()
        try desk.fixture.handOver()
        try desk.fixture.pump()
        #expect(waiting.hasFailed && (soon.hasFailed || soon.isReady) && done.isReady)
        try announced.copy(waiting: true)
        try desk.fixture.pump()
        window.color(0xff00_ff00).commit()
        try desk.fixture.pump()
        try desk.tick()
        #expect(announced.damage == [IntRect(x: 0, y: 0, width: 10, height: 10)] && announced.isReady)
        #expect(try announced.pixels().count { $0 == 0x00ff00 } == 16)
        #expect(try desk.shows(desk.copied(1).pixels(), 1))
        _ = try TestScreencopy(desk.client)
        try desk.fixture.pump()
        #expect(desk.client.isOpen, "its frames count as one manager's")
        try done.copy()
        try desk.fixture.pump()
        #expect(desk.client.protocolError?.message == "a frame is copied once")
    }
}
