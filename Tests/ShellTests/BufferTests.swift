// Buffers: exact pixels, sizes, and when they are released.

import Compositor
import Glibc
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct BufferTests {
    /// Shows a buffer in a window at the screen's corner, over blue.
    private func show(
        _ buffer: Proxy<WlBuffer>, _ client: TestClient, scale: Int32 = 1, transform: WlOutput.Transform = .normal
    ) -> TestWindow {
        let window = client.window("w").color(0xff0000ff).frame(0, 0, 100, 100)
        window.surface.send(.setBufferScale(scale: scale))
        window.surface.send(.setBufferTransform(transform: transform))
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        window.show()
        return window
    }

    /// The places of red, green, blue and alpha in a format: shift and bits in the little-endian number.
    private static let layouts: [(WlShm.Format, bytes: Int, channels: [(shift: Int, bits: Int)])] = [
        (.argb8888, 4, [(16, 8), (8, 8), (0, 8), (24, 8)]), (.xrgb8888, 4, [(16, 8), (8, 8), (0, 8)]),
        (.abgr8888, 4, [(0, 8), (8, 8), (16, 8), (24, 8)]), (.xbgr8888, 4, [(0, 8), (8, 8), (16, 8)]),
        (.rgba8888, 4, [(24, 8), (16, 8), (8, 8), (0, 8)]), (.bgrx8888, 4, [(8, 8), (16, 8), (24, 8)]),
        (.rgb565, 2, [(11, 5), (5, 6), (0, 5)]), (.bgr565, 2, [(0, 5), (5, 6), (11, 5)]),
        (.argb1555, 2, [(10, 5), (5, 5), (0, 5), (15, 1)]), (.argb4444, 2, [(8, 4), (4, 4), (0, 4), (12, 4)]),
        (.rgb888, 3, [(16, 8), (8, 8), (0, 8)]), (.bgr888, 3, [(0, 8), (8, 8), (16, 8)]),
        (.xrgb2101010, 4, [(20, 10), (10, 10), (0, 10)]), (.abgr2101010, 4, [(0, 10), (10, 10), (20, 10), (30, 2)]),
    ]

    @Test("every format's eight pure colours are drawn exactly")
    func formats() throws {
        let fixture = try ServerFixture(screens: ["64x64"])
        let client = try fixture.connect()
        for (format, bytes, channels) in Self.layouts {
            var data: [UInt8] = []
            for color in 0..<8 {
                var value: UInt64 = 0
                for (index, channel) in channels.enumerated() where index == 3 || color >> (2 - index) & 1 == 1 {
                    value |= (1 << UInt64(channel.bits) - 1) << UInt64(channel.shift)
                }
                for byte in 0..<bytes { data.append(UInt8(truncatingIfNeeded: value >> UInt64(byte * 8))) }
            }
            let buffer = try client.buffer(data, width: 8, height: 1, format: format)
            let window = show(buffer, client)
            let picture = try fixture.screenshot()
            for color in 0..<8 {
                let (red, green, blue) = (UInt32(color >> 2 & 1), UInt32(color >> 1 & 1), UInt32(color & 1))
                let expected = 0xff00_0000 | red * 0xff0000 | green * 0xff00 | blue * 0xff
                #expect(picture[color, 0] == expected, "\(format), colour \(color)")
            }
            window.destroy()
        }
        #expect(client.isOpen)
    }

    @Test("argb8888 is premultiplied and blends; xrgb8888 ignores its unused byte")
    func alpha() throws {
        let fixture = try ServerFixture(screens: ["64x64"])
        let client = try fixture.connect()
        let colors: [UInt32] = [0x8080_0000, 0, 0xff12_3456, 0x8000_0000]
        _ = show(try client.picture(width: 4, height: 1) { x, _ in colors[Int(x)] }, client)
        var picture = try fixture.screenshot()
        #expect(picture.pixels[0..<5] == [0xff80_007f, 0xff00_00ff, 0xff12_3456, 0xff00_007f, 0xff00_00ff])
        _ = show(try client.buffer([0x56, 0x34, 0x12, 0], width: 1, height: 1, format: .xrgb8888), client)
        picture = try fixture.screenshot()
        #expect(picture[0, 0] == 0xff12_3456)
    }

    @Test("buffer scale 2 halves the size; on a screen of scale 2 each buffer pixel is one pixel")
    func scale() throws {
        for screenScale in [1, 2] {
            let fixture = try ServerFixture(screens: ["64x64,scale=\(screenScale)"])
            let client = try fixture.connect()
            let colors: [UInt32] = [0xffff0000, 0xff00ff00, 0xff0000ff, 0xffffffff]
            let buffer = try client.picture(width: 8, height: 8) { x, y in colors[Int(x / 4 + y / 4 * 2)] }
            let window = show(buffer, client, scale: 2)
            window.color(0xff888888).commit()
            let picture = try fixture.screenshot()
            let half = 2 * screenScale
            #expect(picture[half - 1, half - 1] == colors[0] && picture[half, half - 1] == colors[1])
            #expect(picture[half - 1, half] == colors[2] && picture[2 * half - 1, 2 * half - 1] == colors[3])
            #expect(picture[2 * half, 0] == 0xff888888)
        }
    }

    @Test("a size that is not a multiple of the scale is invalid_size; impossible scales and transforms are refused")
    func invalid() throws {
        func mistake(_ body: (TestClient, Proxy<WlSurface>) throws -> Void) throws -> UInt32? {
            let fixture = try ServerFixture(screens: ["64x64"])
            let client = try fixture.connect()
            try body(client, client.window("w").surface)
            try fixture.pump()
            #expect(fixture.model.checkInvariants() == [] && fixture.model.surfaceCount == 0)
            return client.protocolError?.code
        }
        for (width, height) in [(7, 8), (8, 7)] as [(Int32, Int32)] {
            #expect(
                try mistake { client, surface in
                    surface.send(.setBufferScale(scale: 2))
                    try client.attach(0xff000000, width: width, height: height, to: surface)
                    surface.send(.commit)
                } == WlSurface.Error.invalidSize.rawValue)
        }
        #expect(try mistake { $1.send(.setBufferScale(scale: 0)) } == WlSurface.Error.invalidScale.rawValue)
        #expect(try mistake { $1.send(.setBufferScale(scale: -3)) } == WlSurface.Error.invalidScale.rawValue)
        #expect(
            try mistake { $1.send(.setBufferTransform(transform: .init(rawValue: 8))) }
                == WlSurface.Error.invalidTransform.rawValue)
        #expect(try mistake { $1.send(.attach(buffer: nil, x: 1, y: 0)) } == WlSurface.Error.invalidOffset.rawValue)
    }

    @Test("all eight buffer transforms show the upright picture", arguments: 0..<8 as Range<UInt32>)
    func transforms(transform: UInt32) throws {
        let fixture = try ServerFixture(screens: ["64x64"])
        let client = try fixture.connect()
        // 3 wide, 2 high. The client mirrors it for 4…7, then rotates it counter-clockwise by quarter turns.
        let upright: [[UInt32]] = [[0xff110000, 0xff220000, 0xff330000], [0xff440000, 0xff550000, 0xff660000]]
        var drawn = transform >= 4 ? upright.map { Array($0.reversed()) } : upright
        for _ in 0..<(transform % 4) {
            let (width, height) = (drawn[0].count, drawn.count)
            drawn = (0..<width).map { row in (0..<height).map { drawn[$0][width - 1 - row] } }
        }
        let (width, height) = (Int32(drawn[0].count), Int32(drawn.count))
        let buffer = try client.picture(width: width, height: height) { drawn[Int($1)][Int($0)] }
        _ = show(buffer, client, transform: .init(rawValue: transform))
        let picture = try fixture.screenshot()
        for y in 0..<2 {
            for x in 0..<3 { #expect(picture[x, y] == upright[y][x], "(\(x), \(y))") }
        }
        #expect(picture[3, 0] == 0xff0000ff && picture[0, 2] == 0xff0000ff)
    }

    @Test("a buffer is released when another buffer, or none, replaces it, and not before")
    func release() throws {
        let fixture = try ServerFixture(screens: ["64x64"])
        let client = try fixture.connect()
        var log: [String] = []
        func buffer(_ name: String) throws -> Proxy<WlBuffer> {
            let buffer = try client.buffer(0xffff0000, width: 8, height: 8)
            buffer.onEvent = { _ in log.append(name) }
            return buffer
        }
        let (a, b, c) = (try buffer("a"), try buffer("b"), try buffer("c"))
        let window = show(a, client)
        _ = try fixture.screenshot()
        window.commit()
        window.surface.send(.attach(buffer: a.id, x: 0, y: 0))
        window.commit()
        try fixture.pump()
        #expect(log == [], "attached again, the same buffer is still in use")
        window.surface.send(.attach(buffer: b.id, x: 0, y: 0))
        try fixture.pump()
        #expect(log == [], "not committed")
        window.commit()
        try fixture.pump()
        #expect(log == ["a"])
        // Replaced before the commit: never used.
        window.surface.send(.attach(buffer: c.id, x: 0, y: 0))
        window.surface.send(.attach(buffer: nil, x: 0, y: 0))
        window.commit()
        try fixture.pump()
        #expect(log == ["a", "b"])
        #expect(try fixture.color(x: 4, y: 4) == 0x0000ff)
        // A synchronised sub-surface that commits twice before its parent: the first buffer is never shown.
        let child = TestSubsurface(bare: client, surface: client.surface(), parent: window.surface)
        for next in [a, b] {
            child.surface.send(.attach(buffer: next.id, x: 0, y: 0))
            child.surface.send(.commit)
        }
        try fixture.pump()
        #expect(log == ["a", "b", "a"])
        child.subsurface.send(.destroy)
        try fixture.pump()
        #expect(log == ["a", "b", "a", "b"])
        window.surface.send(.attach(buffer: c.id, x: 0, y: 0))
        window.commit()
        window.destroy()
        try fixture.pump()
        #expect(log.last == "c", "the surface is destroyed")
    }

    @Test("a buffer is not released while it is being drawn, and the picture shows its state when drawing began")
    func releaseAfterDrawing() throws {
        let fixture = try ServerFixture(screens: ["3840x2160,scale=1"])
        let client = try fixture.connect()
        var log: [String] = []
        let buffer = try client.buffer(0xffff0000, width: 100, height: 100)
        buffer.onEvent = { _ in log.append("release") }
        let window = show(buffer, client)
        try fixture.pump()
        fixture.server.capture([fixture.mainScreen]) { pictures in
            log.append("drawn \(String(pictures.first?.1[50, 50] ?? 0, radix: 16))")
        }
        try client.attach(0xff00ff00, width: 100, height: 100, to: window.surface)
        window.commit()
        try fixture.wait(for: "both") { log.count == 2 }
        #expect(log == ["drawn ffff0000", "release"])
        #expect(try fixture.color(x: 50, y: 50) == 0x00ff00)
    }

    @Test("only damaged areas are redrawn")
    func damage() throws {
        let fixture = try ServerFixture(screens: ["640x480"])
        let client = try fixture.connect()
        let window = show(try client.buffer(0xffff0000, width: 100, height: 100), client)
        try fixture.pump()
        var drawn: [Int] = []
        fixture.server.captures.watch(fixture.mainScreen) { drawn.append($0.damagedPixels) }
        try fixture.wait(for: "the whole screen") { drawn == [640 * 480] }
        let buffer = try client.buffer(0xff00ff00, width: 100, height: 100)
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        window.surface.send(.damageBuffer(x: 10, y: 20, width: 5, height: 4))
        window.surface.send(.damage(x: 12, y: 20, width: 5, height: 4))
        window.commit()
        try fixture.wait(for: "the damage") { drawn.count == 2 }
        #expect(drawn[1] == 7 * 4)
        window.frame(1, 0, 100, 100).commit()
        try fixture.wait(for: "a move") { drawn.count == 3 }
        #expect(drawn[2] <= 101 * 100)
    }

    @Test("a displayed buffer stays visible after its destruction; pools that grow serve old and new buffers")
    func destroyed() throws {
        let fixture = try ServerFixture(screens: ["64x64"])
        let client = try fixture.connect()
        let memory = try client.memoryFile(words: 64, filledWith: 0xffff0000)
        guard let copy = memory.duplicate() else { throw FixtureError("dup") }
        let pool = Proxy<WlShmPool>(client.connection, version: 1)
        client.shm.send(.createPool(id: pool.id, fd: memory, size: 256))
        let old = Proxy<WlBuffer>(client.connection, version: 1)
        pool.send(.createBuffer(id: old.id, offset: 0, width: 8, height: 8, stride: 32, format: .argb8888))
        let window = show(old, client)
        old.send(.destroy)
        #expect(try fixture.color(x: 4, y: 4) == 0xff0000)
        #expect(ftruncate(copy.rawValue, 512) == 0)
        let green = [UInt32](repeating: 0xff00ff00, count: 64)
        #expect(green.withUnsafeBytes { pwrite(copy.rawValue, $0.baseAddress, 256, 256) } == 256)
        pool.send(.resize(size: 512))
        let new = Proxy<WlBuffer>(client.connection, version: 1)
        pool.send(.createBuffer(id: new.id, offset: 256, width: 8, height: 8, stride: 32, format: .argb8888))
        pool.send(.destroy)
        #expect(try fixture.color(x: 4, y: 4) == 0xff0000)
        window.surface.send(.attach(buffer: new.id, x: 0, y: 0))
        window.surface.send(.damage(x: 0, y: 0, width: .max, height: .max))
        window.commit()
        #expect(try fixture.color(x: 4, y: 4) == 0x00ff00)
        #expect(client.isOpen)
        let second = Proxy<WlShmPool>(client.connection, version: 1)
        client.shm.send(.createPool(id: second.id, fd: try client.memoryFile(words: 64, filledWith: 0), size: 256))
        second.send(.resize(size: 128))
        try fixture.pump()
        #expect(client.protocolError?.code == WlShm.Error.invalidFd.rawValue, "pools only grow")
    }

    @Test("a surface destroyed with pending and cached state leaves nothing behind")
    func pending() throws {
        let fixture = try ServerFixture(screens: ["64x64"])
        let client = try fixture.connect()
        let window = show(try client.buffer(0xffff0000, width: 8, height: 8), client)
        let child = try TestSubsurface(client, of: window.surface, argb: 0xff00ff00, x: 0, y: 0, width: 4, height: 4)
        var deleted = 0
        for surface in [child.surface, window.surface] {
            for commits in [true, false] {
                let callback = Proxy<WlCallback>(client.connection, version: 1)
                callback.onEvent = { _ in deleted += 1 }
                surface.send(.frame(callback: callback.id))
                try client.attach(0xff00ff00, width: 4, height: 4, to: surface)
                if commits, surface === child.surface { surface.send(.commit) }
            }
        }
        child.surface.send(.destroy)
        child.subsurface.send(.setPosition(x: 1, y: 1))
        child.subsurface.send(.setDesync)
        child.subsurface.send(.destroy)
        window.surface.send(.destroy)
        window.window.send(.makeKeyAndVisible)
        window.window.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen && deleted == 0)
        #expect(fixture.model.surfaceCount == 0 && fixture.model.windows.isEmpty)
        #expect(fixture.model.checkInvariants() == [])
    }
}
