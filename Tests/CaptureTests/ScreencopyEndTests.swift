// How copies of screens end: unplugging, refusals, lack of memory, restarts; and who cannot make any.

import CMullionLinux
import Compositor
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ScreencopyEndTests {
    @Test("S9: a copy of a screen that is unplugged fails, waiting or not, and so does every later one")
    func unplugged() throws {
        let setup = try ScreencopyFixture(["80x60,name=A", "80x60,name=B,mirroring=none"], clock: .manual)
        let (waiting, other) = (try setup.waiting(1), try setup.waiting(0))
        let announced = try setup.frame(1)
        try setup.fixture.server.disconnect(setup.fixture.model.screens[1])
        try setup.fixture.pump()
        #expect(waiting.hasFailed && !other.hasFailed)
        try announced.copy()
        let late = try setup.frame(1)
        #expect(announced.hasFailed && late.lines == ["failed"])
        late.proxy.send(.copy(buffer: try other.buffer().id))
        try setup.tick()
        #expect(late.lines == ["failed"] && other.isReady && setup.client.isOpen)
    }

    @Test("S3: a copy that was announced in another mode fails")
    func modeChange() throws {
        let modes = [(80, 60), (64, 48)].map { Screen.Mode(width: $0.0, height: $0.1, refresh: 60_000) }
        let setup = try ScreencopyFixture(screens: [ScreenDescription(name: "A", modes: modes)], clock: .manual)
        let first = try setup.waiting()
        try setup.tick()
        #expect(first.isReady)
        let (waiting, announced) = (try setup.waiting(), try setup.frame())
        try setup.fixture.model.setMode(modes[1], of: setup.fixture.mainScreen)
        try setup.fixture.pump()
        try setup.tick()
        #expect(waiting.hasFailed)
        try announced.copy()
        try setup.fixture.wait(for: "the end") { announced.hasFailed }
        #expect(try setup.copied().size == (64, 48))
    }

    @Test(
        "userCopyBytes, allCopyBytes: a copy into more memory fails, and the log names the limit; room comes back",
        arguments: [false, true])
    func copyBytes(isShare: Bool) throws {
        let pixels = 80 * 60 * 4
        var limits = Limits()
        limits.allCopyBytes = SharedLimit(isShare ? 8 * pixels : 2 * pixels, share: 2 * pixels)
        limits.allCopyBytes.trustsOwner = !isShare
        let words = isShare ? "a user has at most \(2 * pixels) bytes" : "\(2 * pixels) bytes written by captures"
        let fixture = try ServerFixture(screens: ["80x60"], limits: limits)
        var lines: [String] = []
        fixture.server.onLog = { _, line in lines.append(line) }
        let clients = try (0..<2).map { try fixture.connect("\($0)") }
        let copies = try clients.map { try TestScreencopy($0) }
        let outputs = try clients.map { try $0.bind(WlOutput.self) }
        /// Copies, into a buffer of its own unless another is given.
        func copy(_ index: Int, to buffer: Proxy<WlBuffer>? = nil) throws -> (isReady: Bool, buffer: Proxy<WlBuffer>) {
            let frame = copies[index].frame(of: outputs[index])
            try fixture.wait(for: "the announcement") { frame.size.width == 80 }
            let buffer = try buffer ?? frame.buffer()
            try frame.copy(to: buffer)
            try fixture.wait(for: "an end") { frame.isReady || frame.hasFailed }
            return (frame.isReady, buffer)
        }
        let first = try copy(0)
        #expect(try first.isReady && copy(1).isReady)
        #expect(try copy(0, to: first.buffer).isReady, "the same memory again")
        #expect(try !copy(0).isReady)
        #expect(lines.contains { $0.contains("limit reached: \(words)") }, "\(lines)")
        first.buffer.send(.destroy)
        try fixture.pump()
        #expect(try copy(1).isReady && clients.allSatisfy(\.isOpen))
    }

    @Test("a part that is empty or outside the screen fails at once")
    func nothing() throws {
        let setup = try ScreencopyFixture()
        let parts: [(Int32, Int32, Int32, Int32)] = [
            (0, 0, 0, 5), (0, 0, 5, -5), (80, 0, 5, 5), (-6, -6, 6, 6), (.max, .max, .max, .max), (.min, 0, .min, 1),
        ]
        for part in parts { #expect(try setup.frame(part: part).lines == ["failed"], "\(part)") }
        #expect(setup.client.isOpen)
    }

    @Test(
        "a buffer that does not match the announcement is an error that describes both",
        arguments: [
            "a 79x60 buffer with format 1 and stride 316", "a 80x59 buffer with format 1 and stride 320",
            "a 80x60 buffer with format 0 and stride 320", "a 80x60 buffer with format 1 and stride 324",
            "a 1x1 buffer with format 1 and stride 4",
        ])
    func invalidBuffer(words: String) throws {
        let setup = try ScreencopyFixture()
        let frame = try setup.frame()
        let numbers = words.split { !$0.isNumber }.compactMap { Int32($0) }
        let buffer: Proxy<WlBuffer>
        if numbers[0] == 1 {
            let pixels = try setup.client.bind(WpSinglePixelBufferManagerV1.self)
            buffer = Proxy(setup.client.connection, version: 1)
            pixels.send(.createU32RgbaBuffer(id: buffer.id, r: 0, g: 0, b: 0, a: .max))
        } else {
            let pool = Proxy<WlShmPool>(setup.client.connection, version: 1)
            let memory = try setup.client.memoryFile(words: 10_000, filledWith: 0)
            setup.client.shm.send(.createPool(id: pool.id, fd: memory, size: 40_000))
            buffer = Proxy(setup.client.connection, version: 1)
            pool.send(
                .createBuffer(
                    id: buffer.id, offset: 0, width: numbers[0], height: numbers[1], stride: numbers[3],
                    format: WlShm.Format(rawValue: UInt32(numbers[2]))))
        }
        try frame.copy(to: buffer)
        try setup.fixture.pump()
        let error = try #require(setup.client.protocolError)
        #expect(error.code == ZwlrScreencopyFrameV1.Error.invalidBuffer.rawValue)
        #expect(
            error.message == words
                + " is not what was announced: 80x60, wl_shm's format 1 (xrgb8888) with stride 320")
    }

    @Test("a frame can be copied only once, even if it fails")
    func alreadyUsed() throws {
        for waits in [false, true] {
            let setup = try ScreencopyFixture()
            let frame = try setup.waiting()
            let buffer = try frame.buffer()
            try frame.copy(waiting: waits, to: buffer)
            try setup.fixture.pump()
            #expect(setup.client.protocolError?.code == ZwlrScreencopyFrameV1.Error.alreadyUsed.rawValue)
            #expect(setup.client.protocolError?.message == "a frame is copied once")
        }
    }

    @Test("a frame and its manager can be destroyed at any time")
    func destroyed() throws {
        let setup = try ScreencopyFixture(clock: .manual)
        let window = try setup.window(0, 0, 5, 5, 0xffff_0000)
        let (soon, waiting, kept) = (try setup.frame(), try setup.waiting(), try setup.waiting())
        try soon.copy()
        soon.proxy.send(.destroy)
        waiting.proxy.send(.destroy)
        setup.copies.manager.send(.destroy)
        try setup.fixture.pump()
        window.color(0xff00_ff00).commit()
        try setup.fixture.pump()
        try setup.tick()
        #expect(kept.isReady && !soon.isReady && !waiting.isReady)
        #expect(setup.fixture.server.captures.hasSessions)
        kept.proxy.send(.destroy)
        try setup.fixture.pump()
        #expect(!setup.fixture.server.captures.hasSessions && setup.client.isOpen)
        let again = try ScreencopyFixture(clock: .manual)
        _ = try again.waiting()
        try again.client.kill()
        #expect(!again.fixture.server.captures.hasSessions)
    }

    @Test("damage that a failed or abandoned copy did not report is reported by the next one")
    func givenUp() throws {
        let setup = try ScreencopyFixture(["800x600,name=A"], clock: .manual)
        // Large enough to be drawn in turns of its own.
        let window = try setup.window(10, 10, 200, 200, 0xffff_0000)
        _ = try setup.copied()
        for argb in [0xff00_ff00, 0xff00_00ff] as [UInt32] {
            let frame = try setup.frame()
            if argb == 0xff00_ff00 {
                let memory = try setup.client.memoryFile(words: 480_000, filledWith: 0)
                let own = OwnedDescriptor(dup(memory.rawValue))
                let buffer = try setup.client.buffer(of: memory, width: 800, height: 600)
                try setup.fixture.pump()
                #expect(ftruncate(own.rawValue, 0) == 0)
                try frame.copy(waiting: true, to: buffer)
            } else {
                try frame.copy(waiting: true)
            }
            window.color(argb).commit()
            try setup.client.flush()
            try setup.fixture.loop.runOnce()
            _ = setup.fixture.server.clock.advance(to: setup.fixture.server.clock.now + 20_000)
            #expect(setup.fixture.server.captures.isBusy, "the copy is under way")
            if argb == 0xff00_00ff { frame.proxy.send(.destroy) }
            try setup.fixture.wait(for: "the end") { frame.hasFailed || argb == 0xff00_00ff }
            let next = try setup.waiting()
            try setup.tick()
            #expect(next.isReady && next.damage == [IntRect(x: 10, y: 10, width: 200, height: 200)], "\(next.lines)")
            #expect(!frame.isReady)
        }
    }

    @Test("R1: after a turn the whole part is damaged, though the pixels are the same")
    func turned() throws {
        let setup = try ScreencopyFixture(clock: .manual)
        let id = setup.fixture.mainScreen
        let part: (Int32, Int32, Int32, Int32) = (10, 5, 30, 20)
        for orientation in [Screen.Orientation.portrait, .portraitUpsideDown, .portrait] {
            try setup.fixture.server.rotate(id, to: orientation, duration: 0)
            try setup.tick()
            let frame = try setup.waiting(part: part)
            for _ in 0..<2 { try setup.tick() }
            #expect(frame.isReady && frame.damage == [IntRect(x: 0, y: 0, width: 30, height: 20)])
        }
    }

    @Test("a framebuffer is freed some time after its last use, whatever is copied from other screens")
    func framebuffers() throws {
        let setup = try ScreencopyFixture(["80x60,name=A", "90x70,name=B,mirroring=off"])
        let window = try setup.window(0, 0, 10, 10, 0xffff_0000)
        _ = try (setup.shown(1), setup.copied(0))
        let captures = setup.fixture.server.captures
        let given = try setup.waiting(0)
        #expect(captures.framebufferCount == 2)
        var (frame, argb) = (try setup.waiting(0), 0xff00_0000 as UInt32)
        try setup.fixture.wait(for: "the other framebuffer to be freed") {
            if frame.isReady {
                frame.proxy.send(.destroy)
                frame = try setup.waiting(0)
            }
            argb += 1
            window.color(argb).commit()
            return captures.framebufferCount == 1
        }
        given.proxy.send(.destroy)
        frame.proxy.send(.destroy)
        try setup.fixture.wait(for: "both to be freed") { captures.framebufferCount == 0 }
    }

    @Test("a copy to memory that is read-only or becomes too short fails, and affects nothing else", arguments: 0..<3)
    func memory(kind: Int) throws {
        let setup = try ScreencopyFixture(["800x600,name=A"])
        let frame = try setup.frame()
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
        let buffer = try setup.client.buffer(of: given, width: 800, height: 600)
        try setup.fixture.pump()
        if kind == 2 { #expect(ftruncate(own.rawValue, 4096 * 20) == 0) }
        try frame.copy(to: buffer)
        try setup.fixture.wait(for: "the end") { frame.hasFailed }
        var first: UInt32 = 0
        #expect(pread(own.rawValue, &first, 4, 0) == 4)
        #expect(kind == 2 || first == 0x77)
        #expect(setup.client.isOpen)
        #expect(try setup.shows(setup.copied().pixels()))
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
        let setup = try ScreencopyFixture()
        let old = try TestScreencopy(setup.client, version: 1)
        let frame = old.frame(of: setup.outputs[0])
        try setup.fixture.pump()
        #expect(frame.lines == ["buffer 1 80x60 320"])
        try frame.copy(waiting: true)
        try setup.fixture.pump()
        #expect(setup.client.protocolError?.message.contains("request 2") == true)
    }

    @Test("over a restart copies that wait fail, and all others continue")
    func restart() throws {
        let setup = try ScreencopyFixture(["80x60,name=A", "40x30,name=B,mirroring=none"], clock: .manual)
        setup.fixture.server.isHandOverPossible = true
        let window = try setup.window(10, 10, 4, 4, 0xffff_0000)
        let (done, announced) = (try setup.copied(), try setup.frame(part: (8, 8, 10, 10)))
        for _ in 0..<100 { _ = try setup.frame() }
        let (waiting, soon) = (try setup.waiting(1), try setup.frame(1))
        try soon.copy()
        try setup.client.flush()
        try setup.fixture.handOver()
        try setup.fixture.pump()
        #expect(waiting.hasFailed && (soon.hasFailed || soon.isReady) && done.isReady)
        try announced.copy(waiting: true)
        try setup.fixture.pump()
        window.color(0xff00_ff00).commit()
        try setup.fixture.pump()
        try setup.tick()
        #expect(announced.damage == [IntRect(x: 0, y: 0, width: 10, height: 10)] && announced.isReady)
        #expect(try announced.pixels().count { $0 == 0x00ff00 } == 16)
        #expect(try setup.shows(setup.copied(1).pixels(), 1))
        _ = try TestScreencopy(setup.client)
        try setup.fixture.pump()
        #expect(setup.client.isOpen, "its frames count as one manager's")
        try done.copy()
        try setup.fixture.pump()
        #expect(setup.client.protocolError?.message == "a frame is copied once")
    }
}
