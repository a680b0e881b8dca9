// zwlr_gamma_control_v1: tables change the pictures of a screen, exactly, and only those.

import DisplayServer
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing
import WindowModel

/// A control, with what its client received.
private final class Control {
    let proxy: Proxy<ZwlrGammaControlV1>
    private(set) var events: [String] = []
    private let client: TestClient

    init(_ client: TestClient, on output: Proxy<WlOutput>) throws {
        self.client = client
        let manager = try client.bind(ZwlrGammaControlManagerV1.self)
        proxy = Proxy(client.connection, version: 1)
        manager.send(.getGammaControl(id: proxy.id, output: output.id))
        manager.send(.destroy)
        proxy.onEvent = { [weak self] event in
            switch event {
            case .gammaSize(let size): self?.events.append("size \(size)")
            case .failed: self?.events.append("failed")
            }
        }
    }

    /// Sets ramps of 256 values of 16 bits.
    func set(_ red: (Int) -> Int, _ green: (Int) -> Int, _ blue: (Int) -> Int) throws {
        let values = (0..<256).map(red) + (0..<256).map(green) + (0..<256).map(blue)
        try send(values.map { UInt16($0) })
    }

    func send(_ values: [UInt16]) throws {
        let file = try client.memoryFile(words: values.count / 2, filledWith: 0)
        let written = values.withUnsafeBytes { pwrite(file.rawValue, $0.baseAddress, $0.count, 0) }
        #expect(written == values.count * 2)
        proxy.send(.setGamma(fd: file))
    }
}

@Suite struct GammaTests {
    /// A screen with a window of many colours' channels, and another screen.
    private func scene() throws -> (ServerFixture, TestClient) {
        let fixture = try ServerFixture.handingOver(screens: ["64x48", "64x48,external,name=B"])
        let client = try fixture.connect()
        for (index, color) in [0xff204060, 0xffc0a080, 0xffffffff, 0xff000000].enumerated() {
            client.window("w\(index)").color(UInt32(color)).frame(Double(index) * 16, 0, 16, 40).show()
        }
        client.window("b", on: client.screens[1]).color(0xff808080).frame(0, 0, 64, 48).show()
        try fixture.pump()
        return (fixture, client)
    }

    private func row(_ fixture: ServerFixture) throws -> [UInt32] {
        let picture = try fixture.screenshot()
        return [8, 24, 40, 56].compactMap { picture[$0, 5].map { $0 & 0xffffff } }
    }

    @Test("each pixel is looked up in the table, channel by channel, and the other screen is not affected")
    func pixels() throws {
        let (fixture, client) = try scene()
        let output = try client.bind(WlOutput.self)
        let plain = try fixture.screenshot()
        let other = try fixture.screenshot(fixture.model.screens[1])
        let control = try Control(client, on: output)
        try fixture.pump()
        #expect(control.events == ["size 256"])
        // Half of red, green as it is with both usual scalings, blue upside down.
        try control.set({ $0 * 128 }, { $0 * 257 }, { 65535 - $0 * 257 })
        #expect(try row(fixture) == [0x10409f, 0x60a07f, 0x7fff00, 0x0000ff])
        let whole = try fixture.screenshot()
        let expected = plain.pixels.map { pixel -> UInt32 in
            let (red, green, blue) = (pixel >> 16 & 0xff, pixel >> 8 & 0xff, pixel & 0xff)
            return 0xff00_0000 | (red / 2) << 16 | green << 8 | (255 - blue)
        }
        #expect(whole.pixels == expected)
        #expect(try fixture.screenshot(fixture.model.screens[1]) == other)
        // Programs that copy the screen see the same.
        let frame = try TestScreencopy(client).frame(of: output)
        try fixture.pump()
        try frame.copy()
        try fixture.wait(for: "a copy") { frame.isReady }
        #expect(try frame.pixels() == whole.pixels.map { $0 & 0xffffff })
        control.proxy.send(.destroy)
        try fixture.pump()
        #expect(try fixture.screenshot() == plain)
    }

    @Test("a change within a window is recoloured there once; a table that changes nothing costs nothing")
    func damage() throws {
        let (fixture, client) = try scene()
        let output = try client.bind(WlOutput.self)
        let control = try Control(client, on: output)
        let copies = try TestScreencopy(client)
        let first = copies.frame(of: output)
        try fixture.pump()
        try first.copy(waiting: true)
        try fixture.wait(for: "the first copy") { first.isReady }
        func next(_ change: () throws -> Void) throws -> TestScreenFrame {
            let frame = copies.frame(of: output)
            try fixture.pump()
            try frame.copy(waiting: true)
            try fixture.pump()
            try change()
            try fixture.wait(for: "a copy") { frame.isReady }
            return frame
        }
        // The whole screen when the table changes.
        let line: (Int) -> Int = { $0 * 128 }
        let all = try next { try control.set(line, line, line) }
        #expect(all.damage.map(\.area).reduce(0, +) == 64 * 48)
        let before = try all.pixels()
        // Then only what has changed.
        let part = try next { client.window("new").color(0xff80ff00).frame(2, 2, 4, 4).show() }
        #expect(part.damage.map(\.area).reduce(0, +) == 16)
        let after = try part.pixels()
        for (index, pixel) in after.enumerated() {
            let isInside = (2..<6).contains(index % 64) && (2..<6).contains(index / 64)
            #expect(pixel == (isInside ? 0x407f00 : before[index]))
        }
        // The same table again, and one that changes nothing.
        let drawn = fixture.server.counters.framesDrawn
        try control.set({ $0 * 128 }, { $0 * 128 }, { $0 * 128 })
        try fixture.pump()
        #expect(fixture.server.counters.framesDrawn == drawn)
        let plain = try next { try control.set({ $0 * 256 }, { $0 * 257 }, { $0 * 256 }) }
        #expect(try plain.pixels()[8 + 5 * 64] == 0x204060)
    }

    @Test("a screen has one control; the others fail, and so does that of a screen that is unplugged")
    func exclusive() throws {
        let (fixture, client) = try scene()
        let other = try fixture.connect("other")
        let names = client.globals.filter { $0.interface == WlOutput.name }.map(\.name)
        let output = try client.bind(WlOutput.self, name: names[1])
        let first = try Control(client, on: output)
        try fixture.pump()
        let second = try Control(other, on: try other.bind(WlOutput.self, name: names[1]))
        try fixture.pump()
        #expect(second.events == ["failed"])
        // It is ignored, however often it tries.
        try second.set({ _ in 0 }, { _ in 0 }, { _ in 0 })
        try fixture.pump()
        #expect(try fixture.color(x: 5, y: 5, on: fixture.model.screens[1]) == 0x808080)
        first.proxy.send(.destroy)
        try fixture.pump()
        let third = try Control(other, on: try other.bind(WlOutput.self, name: names[1]))
        try third.set({ _ in 0 }, { _ in 0xffff }, { _ in 0 })
        try fixture.pump()
        #expect(try fixture.color(x: 5, y: 5, on: fixture.model.screens[1]) == 0x00ff00)
        let screen = try #require(fixture.model.screen(fixture.model.screens[1]))
        try fixture.server.disconnect(screen.id)
        try fixture.pump()
        #expect(third.events == ["size 256", "failed"])
        let again = try fixture.server.connect(screen.properties)
        try fixture.pump()
        #expect(try fixture.color(x: 5, y: 5, on: again) == 0x808080)
        third.proxy.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen && other.isOpen)
    }

    @Test("without the right administer there is no control")
    func right() throws {
        let fixture = try ServerFixture()
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: [.view, .capture, .inject, .clipboard, .lock])])
        let names = try fixture.connect().globals.map(\.interface)
        #expect(!names.contains(ZwlrGammaControlManagerV1.name))
        #expect(names.contains(ZwlrScreencopyManagerV1.name))
    }

    @Test("the colours are restored when the client dies, and kept over a restart of the server")
    func ends() throws {
        let (fixture, client) = try scene()
        let tuner = try fixture.connect("tuner")
        let control = try Control(tuner, on: try tuner.bind(WlOutput.self))
        try control.set({ $0 * 128 }, { $0 * 128 }, { $0 * 128 })
        try fixture.pump()
        #expect(try row(fixture) == [0x102030, 0x605040, 0x7f7f7f, 0])
        try fixture.handOver()
        try fixture.pump()
        #expect(try row(fixture) == [0x102030, 0x605040, 0x7f7f7f, 0])
        #expect(control.events == ["size 256"] && client.isOpen)
        try tuner.kill()
        #expect(try row(fixture) == [0x204060, 0xc0a080, 0xffffff, 0])
    }

    @Test("a table of another length, or one that is no file, is the client's error", arguments: 0..<3)
    func mistakes(index: Int) throws {
        let (fixture, client) = try scene()
        let control = try Control(client, on: try client.bind(WlOutput.self))
        var writing: OwnedDescriptor?
        switch index {
        case 0: try control.send([UInt16](repeating: 0, count: 766))
        case 1: try control.send([UInt16](repeating: 0, count: 770))
        default:
            // Never written, so that reading would wait for ever.
            var ends: [Int32] = [-1, -1]
            #expect(pipe(&ends) == 0)
            control.proxy.send(.setGamma(fd: OwnedDescriptor(ends[0])))
            writing = OwnedDescriptor(ends[1])
        }
        try fixture.pump()
        #expect(client.protocolError?.code == 1)
        withExtendedLifetime(writing) {}
    }

    @Test(
        "gammastep makes pictures warmer, and restores them when it ends",
        .enabled(if: Program.isInstalled("gammastep")))
    func gammastep() throws {
        let (fixture, _) = try scene()
        let program = try fixture.spawn(
            "gammastep", ["-m", "wayland", "-O", "3000", "-c", "/dev/null", "-P"], environment: ["HOME": "/nonexistent"]
        )
        try fixture.wait(for: "warm colours") {
            let white = try row(fixture)[2]
            return white >> 16 == 0xff && white & 0xff < 0xa0 && white >> 8 & 0xff < 0xd0
        }
        #expect(try fixture.color(x: 5, y: 5, on: fixture.model.screens[1]) != 0x808080)
        program.kill(SIGTERM)
        try fixture.wait(for: "the end") { !program.isRunning }
        try fixture.wait(for: "the colours") { try row(fixture) == [0x204060, 0xc0a080, 0xffffff, 0] }
    }
}
