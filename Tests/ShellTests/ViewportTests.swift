// wp_viewport: which part of a buffer is shown and how large, in exact pixels.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ViewportTests {
    private static let blue: UInt32 = 0xff00_00ff

    /// A different colour for every position.
    private static func pixel(_ x: Int, _ y: Int) -> UInt32 { 0xff00_0000 | UInt32(x + 1) << 20 | UInt32(y + 1) << 12 }

    /// A window over blue that shows a picture of these pixels.
    private func show(
        _ client: TestClient, width: Int32, height: Int32, _ change: (TestWindow, Proxy<WpViewport>) -> Void
    ) throws -> (window: TestWindow, viewport: Proxy<WpViewport>) {
        let window = client.window("w").color(Self.blue).frame(0, 0, 40, 40)
        let viewport = try client.viewport(of: window.surface)
        let buffer = try client.picture(width: width, height: height) { Self.pixel(Int($0), Int($1)) }
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        change(window, viewport)
        window.show()
        return (window, viewport)
    }

    /// Checks the top left of the screen, and that blue lies around it.
    private func check(
        _ picture: Bitmap, width: Int, height: Int, _ what: String = "", _ expected: (Int, Int) -> UInt32
    ) {
        for y in 0..<height {
            for x in 0..<width { #expect(picture[x, y] == expected(x, y), "\(what) (\(x), \(y))") }
        }
        #expect(picture[width, 0] == Self.blue && picture[0, height] == Self.blue, "\(what)")
    }

    @Test("a source crops: the surface has its size, and shows nothing else")
    func crop() throws {
        let fixture = try ServerFixture(screens: ["64x64"])
        let client = try fixture.connect()
        let (window, viewport) = try show(client, width: 8, height: 6) { $1.source(2, 1, 5, 3) }
        check(try fixture.screenshot(), width: 5, height: 3) { Self.pixel($0 + 2, $1 + 1) }
        viewport.source(-1, -1, -1, -1)
        check(try fixture.screenshot(), width: 5, height: 3, "C4") { Self.pixel($0 + 2, $1 + 1) }
        window.commit()
        check(try fixture.screenshot(), width: 8, height: 6) { Self.pixel($0, $1) }
        viewport.source(2, 1, 5, 3)
        viewport.destination(10, 9)
        window.commit()
        check(try fixture.screenshot(), width: 10, height: 9) { Self.pixel($0 / 2 + 2, $1 / 3 + 1) }
        viewport.destination(-1, -1)
        viewport.source(0, 0, 3, 3)
        window.commit()
        check(try fixture.screenshot(), width: 3, height: 3) { Self.pixel($0, $1) }
    }

    @Test(
        "a buffer in the screen's own pixels is shown pixel by pixel, at whole and fractional scales",
        arguments: [1, 1.25, 1.5, 2, 3])
    func native(scale: Double) throws {
        let fixture = try ServerFixture(screens: ["200x200,scale=\(scale)"])
        let client = try fixture.connect()
        let (width, height) = (Int(8 * scale), Int(4 * scale))
        _ = try show(client, width: Int32(width), height: Int32(height)) { $1.destination(8, 4) }
        check(try fixture.screenshot(), width: width, height: height) { Self.pixel($0, $1) }
    }

    @Test(
        "transform, scale and viewport apply in this order", arguments: 0..<8 as Range<UInt32>)
    func transforms(transform: UInt32) throws {
        // 8 x 6 pixels upright, 4 x 3 points at scale 2; the client mirrors, then turns it counter-clockwise.
        let upright = (0..<6).map { y in (0..<8).map { x in Self.pixel(x, y) } }
        var drawn = transform >= 4 ? upright.map { Array($0.reversed()) } : upright
        for _ in 0..<(transform % 4) {
            let (width, height) = (drawn[0].count, drawn.count)
            drawn = (0..<width).map { row in (0..<height).map { drawn[$0][width - 1 - row] } }
        }
        for screenScale in [1, 2] {
            let fixture = try ServerFixture(screens: ["64x64,scale=\(screenScale)"])
            let client = try fixture.connect()
            let window = client.window("w").color(Self.blue).frame(0, 0, 30, 30)
            let viewport = try client.viewport(of: window.surface)
            let buffer = try client.picture(width: Int32(drawn[0].count), height: Int32(drawn.count)) {
                drawn[Int($1)][Int($0)]
            }
            window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
            window.surface.send(.setBufferTransform(transform: .init(rawValue: transform)))
            window.surface.send(.setBufferScale(scale: 2))
            viewport.source(0.5, 1, 3, 1.5)
            viewport.destination(6, 3)
            window.show()
            check(try fixture.screenshot(), width: 6 * screenScale, height: 3 * screenScale) { x, y in
                upright[y / screenScale + 2][x / screenScale + 1]
            }
        }
    }

    @Test("every mistake with a viewport has its own error, and leaves nothing behind")
    func errors() throws {
        typealias Mistake = (TestClient, TestWindow, Proxy<WpViewport>) throws -> Void
        func code(_ body: Mistake) throws -> UInt32? {
            let fixture = try ServerFixture(screens: ["64x64"])
            let client = try fixture.connect()
            let window = client.window("w")
            try client.attach(0xffff0000, width: 8, height: 4, to: window.surface)
            let viewport = try client.viewport(of: window.surface)
            try fixture.pump()
            #expect(client.isOpen)
            try body(client, window, viewport)
            try fixture.pump()
            if client.isOpen { return nil }
            #expect(fixture.model.checkInvariants() == [] && fixture.model.surfaceCount == 0)
            return client.protocolError?.code
        }
        let sources: [[Double]] = [
            [-1, 0, 4, 4], [0, -0.5, 4, 4], [0, 0, 0, 4], [0, 0, 4, 0], [0, 0, -1, -1], [-1, -1, -1, 4],
        ]
        for s in sources {
            #expect(try code { $2.source(s[0], s[1], s[2], s[3]) } == WpViewport.Error.badValue.rawValue, "\(s)")
        }
        for (width, height) in [(0, 4), (4, 0), (-1, 4), (4, -1), (-2, -2)] as [(Int32, Int32)] {
            #expect(try code { $2.destination(width, height) } == WpViewport.Error.badValue.rawValue)
        }
        func commit(
            _ source: (Double, Double, Double, Double), destination: Int32? = nil, scale: Int32 = 1,
            without: Bool = false
        ) throws -> UInt32? {
            try code { client, window, viewport in
                viewport.source(source.0, source.1, source.2, source.3)
                if let destination { viewport.destination(destination, destination) }
                window.surface.send(.setBufferScale(scale: scale))
                if without { window.surface.send(.attach(buffer: nil, x: 0, y: 0)) }
                window.commit()
            }
        }
        let (badSize, outside) = (WpViewport.Error.badSize.rawValue, WpViewport.Error.outOfBuffer.rawValue)
        #expect(try commit((0, 0, 2.5, 2)) == badSize)
        #expect(try commit((0, 0, 2, 1.25), without: true) == badSize)
        #expect(try commit((0.5, 0.5, 2.5, 2), destination: 5) == nil)
        #expect(try commit((0, 0, 8, 4)) == nil)
        #expect(try commit((0, 0, 9, 4)) == outside)
        #expect(try commit((0, 0.25, 8, 4)) == outside)
        #expect(try commit((20, 20, 1, 1), destination: 1) == outside)
        #expect(try commit((20, 20, 1, 1), without: true) == nil, "there is no buffer to be outside of")
        #expect(try commit((0, 0, 4, 2), scale: 2) == nil)
        #expect(try commit((0, 0, 5, 2), scale: 2) == outside)
        // The buffer shrinks under a source that stays.
        #expect(
            try code { client, window, viewport in
                viewport.source(4, 0, 4, 4)
                window.commit()
                try client.attach(0xffff0000, width: 6, height: 4, to: window.surface)
                window.commit()
            } == outside)
        #expect(
            try code { client, window, _ in _ = try client.viewport(of: window.surface) }
                == WpViewporter.Error.viewportExists.rawValue)
        for body in [{ $2.destination(1, 1) }, { $2.source(0, 0, 1, 1) }] as [Mistake] {
            #expect(
                try code { client, window, viewport in
                    window.surface.send(.destroy)
                    try body(client, window, viewport)
                } == WpViewport.Error.noSurface.rawValue)
        }
        #expect(
            try code { _, window, viewport in
                window.surface.send(.destroy)
                viewport.send(.destroy)
            } == nil)
    }

    @Test("a destroyed viewport is removed by the next commit, and the surface can get another one")
    func destroyed() throws {
        let fixture = try ServerFixture(screens: ["64x64"])
        let client = try fixture.connect()
        let (window, viewport) = try show(client, width: 4, height: 4) { $1.destination(8, 8) }
        viewport.send(.destroy)
        let second = try client.viewport(of: window.surface)
        check(try fixture.screenshot(), width: 8, height: 8) { Self.pixel($0 / 2, $1 / 2) }
        window.commit()
        check(try fixture.screenshot(), width: 4, height: 4) { Self.pixel($0, $1) }
        second.source(1, 1, 2, 2)
        window.commit()
        check(try fixture.screenshot(), width: 2, height: 2) { Self.pixel($0 + 1, $1 + 1) }
        #expect(client.isOpen)
    }

    @Test("C4: a synchronised sub-surface's viewport waits for the parent's commit, the last one wins")
    func subsurface() throws {
        let fixture = try ServerFixture(screens: ["64x64"])
        let client = try fixture.connect()
        let window = client.window("w").color(Self.blue).frame(0, 0, 40, 40)
        let child = try TestSubsurface(client, of: window.surface, argb: 0xffff0000, x: 0, y: 0, width: 2, height: 2)
        window.show()
        let viewport = try client.viewport(of: child.surface)
        viewport.destination(4, 4)
        child.surface.send(.commit)
        viewport.destination(6, 5)
        child.surface.send(.commit)
        child.surface.send(.commit)
        viewport.destination(20, 20)
        check(try fixture.screenshot(), width: 2, height: 2) { _, _ in 0xffff0000 }
        window.commit()
        check(try fixture.screenshot(), width: 6, height: 5) { _, _ in 0xffff0000 }
        // The cached state is invalid, and the viewport it came from is destroyed: the error is the surface's then.
        viewport.source(0, 0, 3, 3)
        child.surface.send(.commit)
        viewport.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen)
        window.commit()
        try fixture.pump()
        #expect(client.protocolError?.code == WlSurface.Error.invalidSize.rawValue)
    }

    @Test("H1: size, input region and opaque region are in the points of the viewport")
    func points() throws {
        let fixture = try ServerFixture(screens: ["64x64,scale=2"])
        let client = try fixture.connect()
        let input = try TestInput(client)
        let window = client.window("w").color(Self.blue).frame(0, 0, 32, 32)
        window.show()
        let child = try TestSubsurface(client, of: window.surface, argb: 0x80800000, x: 4, y: 4, width: 2, height: 2)
        let viewport = try client.viewport(of: child.surface)
        viewport.destination(16, 8)
        child.surface.send(.setInputRegion(region: client.region([(8, 0, 100, 100)]).id))
        child.surface.send(.setOpaqueRegion(region: client.region([(0, 0, 8, 8)]).id))
        child.surface.send(.commit)
        window.commit()
        try fixture.pump()
        let node = fixture.server.surfaces.all.first { $0.id == child.surface.id }?.node
        #expect(node.flatMap { fixture.model.surface($0)?.size } == Size(width: 16, height: 8))
        for (x, y, hit) in [(11.5, 8, false), (12.5, 8, true), (19.5, 11.5, true), (20.5, 8, false), (15, 12.5, false)]
        {
            _ = input.takeEvents()
            try fixture.tap(x: x, y: y)
            let target = hit ? child.surface.id : window.surface.id
            #expect(input.takeEvents().first?.hasPrefix("down 99 \(target) ") == true, "\(x), \(y)")
        }
        // In the opaque region the pixels replace what is below, elsewhere they blend.
        let picture = try fixture.screenshot()
        #expect(picture[8, 8] == 0xff80_0000 && picture[22, 23] == 0xff80_0000)
        #expect(picture[24, 8] == 0xff80_007f && picture[39, 23] == 0xff80_007f)
        #expect(picture[40, 8] == Self.blue && picture[8, 24] == Self.blue)
    }

    @Test("damage in points applies to the pixels that the viewport shows there")
    func damage() throws {
        let fixture = try ServerFixture(screens: ["200x200,scale=2"])
        let client = try fixture.connect()
        let window = client.window("w").color(Self.blue).frame(0, 0, 100, 100)
        let viewport = try client.viewport(of: window.surface)
        viewport.source(10, 10, 80, 60)
        viewport.destination(40, 30)
        try client.attach(0xffff0000, width: 100, height: 100, to: window.surface)
        window.show()
        try fixture.pump()
        var drawn: [Int] = []
        fixture.server.captures.watch(fixture.mainScreen) { drawn.append($0.damagedPixels) }
        try fixture.wait(for: "the whole screen") { drawn == [200 * 200] }
        func attach() throws {
            let buffer = try client.buffer(0xff00ff00, width: 100, height: 100)
            window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        }
        try attach()
        window.surface.send(.damage(x: 10, y: 20, width: 5, height: 4))
        window.commit()
        try fixture.wait(for: "the damage") { drawn.count == 2 }
        #expect(drawn[1] == 10 * 8)
        let picture = try fixture.screenshot()
        #expect(picture[20, 40] == 0xff00_ff00 && picture[29, 47] == 0xff00_ff00)
        #expect(picture[19, 40] == 0xffff_0000 && picture[30, 47] == 0xffff_0000)
        try attach()
        window.surface.send(.damageBuffer(x: 0, y: 0, width: 14, height: 13))
        window.commit()
        try fixture.wait(for: "the damage of the buffer") { drawn.count == 3 }
        #expect(drawn[2] == 4 * 3)
        try attach()
        viewport.source(0, 0, 80, 60)
        window.commit()
        try fixture.wait(for: "everything") { drawn.count == 4 }
        #expect(drawn[3] == 80 * 60)
    }

    @Test("a single pixel is a buffer of 1x1, stretched to any size without a seam")
    func singlePixel() throws {
        let fixture = try ServerFixture(screens: ["801x603"])
        let client = try fixture.connect()
        let window = client.window("w").color(Self.blue).frame(0, 0, 801, 603)
        let viewport = try client.viewport(of: window.surface)
        var released = 0
        let buffer = try client.singlePixel(0x1212_1212, 0x3434_3434, 0x5656_5656, .max)
        buffer.onEvent = { _ in released += 1 }
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        window.show()
        check(try fixture.screenshot(), width: 1, height: 1) { _, _ in 0xff12_3456 }
        viewport.destination(799, 601)
        window.commit()
        let picture = try fixture.screenshot()
        #expect(picture.pixels.filter { $0 == 0xff12_3456 }.count == 799 * 601)
        #expect(picture[798, 600] == 0xff12_3456 && picture[799, 0] == Self.blue)
        let translucent = try client.singlePixel(0x8000_0000, 0, 0, 0x8000_0000)
        window.surface.send(.attach(buffer: translucent.id, x: 0, y: 0))
        window.commit()
        #expect(try fixture.screenshot()[400, 300] == 0xff80_007f)
        #expect(released == 1)
    }
}
