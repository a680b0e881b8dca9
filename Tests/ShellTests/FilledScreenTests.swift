// S4: windows of programs, whose sizes are whole points, reach the last pixel of their screens at every scale.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct FilledScreenTests {
    private static let scales = [1, 1.1, 1.2, 1.25, 4.0 / 3, 1.4, 1.5, 1.6, 5.0 / 3, 1.6711111, 1.75, 2, 2.25, 2.5, 3]

    /// The modes of all monitors of the library, and of some laptops.
    private static var modes: Set<[Int]> {
        var sizes: Set<[Int]> = [[2256, 1504], [1366, 768], [2880, 1920], [2160, 1350], [3000, 2000], [301, 151]]
        for mode in DisplayLibrary().models.flatMap(\.modes) { sizes.insert([mode.width, mode.height]) }
        return sizes
    }

    /// The pixel at a position in points, as windows are drawn.
    private func pixel(_ position: Double, _ scale: Double) -> Int { Int((position * scale + 0.5).rounded(.down)) }

    @Test("S4: maximized and full-screen windows, wallpapers and locks reach the last pixel, and are no larger")
    func sizes() throws {
        let modes = Self.modes
        #expect(modes.count > 20)
        for mode in modes {
            let fixture = try ServerFixture(screens: ["\(mode[0])x\(mode[1])"])
            let screen = fixture.mainScreen
            let client = try fixture.connect()
            let (maximized, full) = (client.toplevel("maximized"), client.toplevel("full"))
            maximized.toplevel.send(.setMaximized)
            full.toplevel.send(.setFullscreen(output: nil))
            for toplevel in [maximized, full] {
                toplevel.surface.send(.commit)
                try fixture.pump()
                try client.attach(0xff00_ff00, width: 10, height: 10, to: toplevel.surface)
                toplevel.surface.send(.commit)
            }
            let wallpaper = try TestLayerSurface(client, .background).set(at: .all, zone: -1)
            wallpaper.commit()
            // Maximized windows and panels leave room for a panel at the bottom.
            let panel = try TestLayerSurface(client).set(0, 30, at: [.bottom, .left, .right], zone: 30)
            try panel.map(fixture)
            let output = try client.bind(WlOutput.self)
            let lock = try TestLock(client)
            try fixture.pump()
            let locked = lock.surface(on: output)
            try fixture.pump()
            for scale in Self.scales {
                for orientation in [Screen.Orientation.portrait, .landscapeLeft] {
                    try fixture.model.setScale(scale, of: screen)
                    try fixture.server.rotate(screen, to: orientation, duration: 0)
                    try fixture.pump()
                    let pixels: [Int] = orientation == .portrait ? mode : mode.reversed()
                    let bounds = try #require(fixture.model.screen(screen)?.bounds)
                    func expect(_ length: some BinaryInteger, reaches end: Int, _ what: String) {
                        let (own, less) = (pixel(Double(length), scale), pixel(Double(length) - 1, scale))
                        #expect(own >= end && less < end, "\(what): \(length) of \(mode) at \(scale)")
                    }
                    let fullSize = "\(full.size.width)x\(full.size.height)"
                    let sizes: [String: String?] = [
                        "full": fullSize, "wallpaper": wallpaper.configures.last, "lock": locked.configures.last,
                    ]
                    for (what, size) in sizes {
                        let lengths = try #require(size).split(separator: "x").compactMap { Int($0) }
                        for axis in 0..<2 { expect(lengths[axis], reaches: pixels[axis], what) }
                    }
                    expect(maximized.size.width, reaches: pixels[0], "maximized")
                    expect(maximized.size.height, reaches: pixel(bounds.height - 30, scale), "maximized")
                }
            }
            lock.unlock()
            try fixture.pump()
            #expect(client.isOpen)
        }
    }

    @Test(
        "S4: what covers a screen leaves no black pixels, and is not blurred",
        arguments: [1.1, 1.25, 1.4, 1.5, 1.75], [false, true])
    func pixels(scale: Double, isMaximized: Bool) throws {
        for (width, height) in [(301, 151), (300, 150), (226, 151)] as [(Int, Int)] {
            let fixture = try ServerFixture(screens: ["\(width)x\(height),scale=\(scale)"])
            let client = try fixture.connect()
            let top = client.toplevel("t")
            let viewport = try client.viewport(of: top.surface)
            top.toplevel.send(isMaximized ? .setMaximized : .setFullscreen(output: nil))
            top.surface.send(.commit)
            try fixture.pump()
            // As wp_fractional_scale_v1 says.
            let pixels = (
                width: Int32((Double(top.size.width) * scale).rounded()),
                height: Int32((Double(top.size.height) * scale).rounded())
            )
            func pattern(_ x: Int32, _ y: Int32) -> UInt32 { (x + y) % 2 == 0 ? 0xffff_ffff : 0xff00_00ff }
            let buffer = try client.picture(width: pixels.width, height: pixels.height, pattern)
            top.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
            viewport.destination(top.size.width, top.size.height)
            top.surface.send(.commit)
            try fixture.pump()
            let picture = try fixture.screenshot()
            var wrong: [String] = []
            for y in 0..<height {
                for x in 0..<width where picture[x, y] != pattern(Int32(x), Int32(y)) { wrong.append("\(x),\(y)") }
            }
            #expect(wrong.isEmpty, "\(wrong.count) of \(width)x\(height): \(wrong.prefix(5))")
        }
    }
}
