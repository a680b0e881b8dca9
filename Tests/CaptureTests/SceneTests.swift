// Pictures of programs with so many surfaces that they are collected in several turns.

import Compositor
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct SceneTests {
    private static let (width, height) = (40, 25)

    /// A window covered by 1,000 sub-surfaces of a pixel each; they change colour together, with the window's commit.
    private struct Mosaic {
        let fixture: ServerFixture
        let client: TestClient
        let window: TestWindow
        let tiles: [TestSubsurface]
        let colors: [UInt32: Proxy<WlBuffer>]

        init() throws {
            fixture = try ServerFixture(screens: ["\(width)x\(height)"])
            let client = try fixture.connect()
            self.client = client
            let window = client.window("mosaic").frame(0, 0, Double(width), Double(height))
            self.window = window
            colors = [
                0xffff_0000: try client.buffer(0xffff_0000, width: 1, height: 1),
                0xff00_ff00: try client.buffer(0xff00_ff00, width: 1, height: 1),
            ]
            tiles = (0..<width * height).map { index in
                let tile = TestSubsurface(bare: client, surface: client.surface(), parent: window.surface)
                tile.subsurface.send(.setPosition(x: Int32(index % width), y: Int32(index / width)))
                return tile
            }
            paint(0xffff_0000)
            try client.attach(0xff00_0000, width: Int32(width), height: Int32(height), to: window.surface)
            window.show()
            try fixture.pump()
            // Every slice of work ends as early as possible.
            fixture.server.turnTime = 0
        }

        /// The number of requests that `paint` sends.
        var requests: Int { 3 * tiles.count + 1 }

        func paint(_ color: UInt32) {
            for tile in tiles {
                tile.surface.send(.attach(buffer: colors[color]?.id, x: 0, y: 0))
                tile.surface.send(.damageBuffer(x: 0, y: 0, width: 1, height: 1))
                tile.surface.send(.commit)
            }
            window.commit()
        }
    }

    @Test("C4: a picture of many surfaces shows one moment, however fast they change; others are served meanwhile")
    func moment() throws {
        let mosaic = try Mosaic()
        let fixture = mosaic.fixture
        let painter = try #require(fixture.server.clients.values.first)
        let other = try fixture.connect()
        var colors: Set<UInt32> = []
        var count = 0
        var overtakings = 0
        for round in 0..<40 {
            let start = painter.requestCount
            mosaic.paint(round % 2 == 0 ? 0xff00_ff00 : 0xffff_0000)
            try mosaic.client.flush()
            // The picture begins shortly before the commit.
            let last = start + UInt64(mosaic.requests)
            while painter.requestCount + UInt64(round) < last { try fixture.loop.runOnce(nonblocking: true) }
            fixture.server.capture([fixture.mainScreen]) { pictures in
                count += 1
                let found = Set(pictures[0].1.pixels)
                #expect(found.count == 1, "\(found.map { String($0, radix: 16) })")
                colors.formUnion(found)
            }
            var answers: [String] = []
            for (name, client) in [("held", mosaic.client), ("other", other)] {
                let answer = Proxy<WlCallback>(client.connection, version: 1)
                answer.onEvent = { _ in answers.append(name) }
                client.connection.display.send(.sync(callback: answer.id))
                try client.flush()
            }
            while answers.count < 2 {
                try fixture.loop.runOnce()
                _ = (mosaic.client.dispatch(), other.dispatch())
            }
            if answers == ["other", "held"] { overtakings += 1 }
        }
        try fixture.wait(for: "all pictures") { count == 40 }
        #expect(colors == [0xffff_0000, 0xff00_ff00])
        #expect(overtakings > 0)
        try fixture.pump()
        #expect(try fixture.color(x: 3, y: 3) == 0xff0000, "the client that was held back continues")
    }

    @Test("a program that ends while its surfaces are being collected is still in the picture")
    func end() throws {
        let mosaic = try Mosaic()
        let fixture = mosaic.fixture
        var picture: Bitmap?
        fixture.server.capture([fixture.mainScreen]) { picture = $0[0].1 }
        #expect(picture == nil)
        let client = try #require(fixture.server.clients.values.first)
        #expect(client.freezes == 1)
        client.close(because: nil)
        #expect(client.freezes == 0)
        try fixture.wait(for: "the picture") { picture != nil }
        #expect(picture.map { Set($0.pixels) } == [0xffff_0000])
        #expect(try fixture.color(x: 3, y: 3) == 0)
    }

    @Test("a watcher sees what changes while a picture is being compared", arguments: [0, 20, 40, 60, 80, 100, 120])
    func watching(turns: Int) throws {
        let mosaic = try Mosaic()
        let fixture = mosaic.fixture
        let painter = try #require(fixture.server.clients.values.first)
        let other = try fixture.connect()
        let dot = other.window("dot").color(0xff00_00ff).frame(0, 0, 1, 1)
        dot.show()
        var seen: Bitmap?
        fixture.server.captures.watch(fixture.mainScreen) { seen = $0.bitmap() }
        try fixture.wait(for: "the first picture") { seen?[0, 0] == 0xff00_00ff && !fixture.server.captures.isBusy }
        mosaic.paint(0xff00_ff00)
        try mosaic.client.flush()
        while painter.freezes == 0 { try fixture.loop.runOnce() }
        for _ in 0..<turns { try fixture.loop.runOnce(nonblocking: true) }
        dot.color(0xff12_3456).commit()
        try fixture.wait(for: "the change") { seen?[0, 0] == 0xff12_3456 }
        try fixture.wait(for: "all of it") { seen?[5, 5] == 0xff00_ff00 }
    }

    @Test("many windows are collected in several turns as well as many surfaces of one")
    func windows() throws {
        let fixture = try ServerFixture(screens: ["40x25"])
        let client = try fixture.connect()
        let buffer = try client.buffer(0xff00_ff00, width: 1, height: 1)
        for number in 0..<200 {
            let window = client.window("\(number)").frame(Double(number % 40), Double(number / 40), 1, 1)
            window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
            window.show()
            try fixture.pump()
        }
        fixture.server.turnTime = 0
        var picture: Bitmap?
        fixture.server.capture([fixture.mainScreen]) { picture = $0[0].1 }
        let painter = try #require(fixture.server.clients.values.first)
        var turns = 0
        while painter.freezes > 0 {
            try fixture.loop.runOnce()
            turns += 1
        }
        #expect(turns > 10)
        try fixture.wait(for: "the picture") { picture != nil }
        #expect(picture.map { $0.pixels.prefix(200).allSatisfy { $0 == 0xff00_ff00 } } == true)
    }
}
