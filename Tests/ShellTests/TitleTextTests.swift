// The titles in title bars.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct TitleTextTests {
    /// The area of the bar where the title is, of a window as `BarredProgram` opens it.
    private static let title = Rect(x: 42, y: 32, width: 256, height: 28)

    private func isInTitle(_ x: Int, _ y: Int) -> Bool { Self.title.contains(Point(x: Double(x), y: Double(y))) }

    @Test("titles: drawn in white in their part of the bar, and nowhere else")
    func drawn() throws {
        let program = try BarredProgram(title: "")
        let before = try program.fixture.screenshot()
        program.toplevel.toplevel.send(.setTitle(title: "Grüße"))
        let after = try program.fixture.screenshot()
        let changed = after.pixels.indices.filter { before.pixels[$0] != after.pixels[$0] }
            .map { (x: $0 % 800, y: $0 / 800) }
        // A word of five letters, 13 points high: in the middle of the height, at the left.
        #expect(changed.count > 60 && changed.allSatisfy { isInTitle($0.x, $0.y) && $0.x < 100 })
        #expect(changed.allSatisfy { (36..<56).contains($0.y) })
        #expect(changed.contains { after[$0.x, $0.y] == 0xffff_ffff })
        // Without a title, the application's identifier stands in.
        program.toplevel.toplevel.send(.setTitle(title: ""))
        program.toplevel.toplevel.send(.setAppId(appId: "Grüße"))
        #expect(try program.fixture.screenshot() == after)
        program.toplevel.toplevel.send(.setAppId(appId: ""))
        #expect(try program.fixture.screenshot() == before)
    }

    @Test("titles: a viewer sees a title appear and disappear")
    func watched() throws {
        let program = try BarredProgram(title: "")
        var seen: Bitmap?
        program.fixture.server.captures.watch(program.fixture.mainScreen) { seen = $0.bitmap() }
        func showsTitle() -> Bool? {
            seen.map { picture in
                picture.pixels.indices.contains {
                    isInTitle($0 % 800, $0 / 800) && picture.pixels[$0] & 0xff_ffff == 0xff_ffff
                }
            }
        }
        try program.fixture.wait(for: "a picture") { showsTitle() == false }
        program.toplevel.toplevel.send(.setTitle(title: "Grüße"))
        try program.fixture.wait(for: "the title") { showsTitle() == true }
        program.toplevel.toplevel.send(.setTitle(title: ""))
        try program.fixture.wait(for: "the bar without a title") { showsTitle() == false }
    }

    @Test("titles: the longest possible one ends before the close button")
    func long() throws {
        let program = try BarredProgram()
        let before = try program.fixture.screenshot()
        program.toplevel.toplevel.send(.setTitle(title: String(repeating: "WM\u{7}", count: 1000)))
        let after = try program.fixture.screenshot()
        let columns = after.pixels.indices.filter { before.pixels[$0] != after.pixels[$0] }.map { $0 % 800 }
        #expect(try #require(columns.max()) < 298 && #require(columns.max()) > 260)
        // Two thousand windows' worth: what is kept is limited, what is shown is not.
        for number in 0..<40 {
            program.toplevel.toplevel.send(.setTitle(title: "number \(number)"))
            _ = try program.fixture.screenshot()
        }
        program.toplevel.toplevel.send(.setTitle(title: String(repeating: "WM\u{7}", count: 1000)))
        #expect(try program.fixture.screenshot() == after)
    }

    @Test("titles: a change of the title redraws the title and nothing else, of key the bar")
    func damage() throws {
        let fixture = try ServerFixture(clock: .manual)
        let program = try BarredProgram(fixture)
        let viewer = try fixture.connect("viewer")
        let copies = try TestScreencopy(viewer)
        let output = try #require(viewer.globals.first { $0.interface == WlOutput.name })
        let screen = try viewer.bind(WlOutput.self, name: output.name)
        func damage(_ change: () throws -> Void) throws -> [IntRect] {
            let frame = copies.frame(of: screen)
            try fixture.pump()
            try frame.copy(waiting: true)
            try fixture.pump()
            try change()
            try fixture.pump()
            // Time stands still for a client that owes a commit.
            program.toplevel.surface.send(.commit)
            try fixture.pump()
            try fixture.step(20_000)
            #expect(frame.isReady)
            return frame.damage
        }
        program.toplevel.toplevel.send(.setTitle(title: "one"))
        _ = try damage {}
        let title = IntRect(x: 42, y: 32, width: 256, height: 28)
        #expect(try damage { program.toplevel.toplevel.send(.setTitle(title: "two")) } == [title])
        let other = try damage {
            let second = try TestToplevel.map(program.client, fixture, "t", width: 10, height: 10)
            second.surface.send(.commit)
        }
        #expect(other.contains { $0.contains(IntRect(x: 32, y: 32, width: 300, height: 28)) }, "\(other)")
    }

    @Test("title bars: at the greatest scale their images are not larger than at 4, and bars share the close button's")
    func greatestScale() throws {
        let fixture = try ServerFixture()
        let bars = try (0..<3).map { _ in try BarredProgram(fixture, title: "title") }
        for scale in [64, 3.5, 1.0 / 64] {
            try fixture.model.setScale(scale, of: fixture.mainScreen)
            try fixture.pump()
            // From front to back: the close button, the title, and the bar behind both.
            let images = try bars.map { program in
                let backmost = fixture.model.rootAndPopups(of: program.window).dropLast().last
                let bar = try #require(backmost.flatMap { fixture.server.titleBars[$0] })
                return try bar.surfaces.map { try #require(bar.contents(of: $0)?.pixels) }
            }
            let greatest = min(scale, 4)
            for image in images {
                #expect(image[0] === images[0][0])
                #expect(image[0].width == max(1, Int(28 * greatest)) && image[0].height == image[0].width)
                #expect(image[1].width == Int(256 * greatest) && image[1].height == max(1, Int(28 * greatest)))
            }
            _ = try fixture.screenshot()
        }
    }

    @Test("titles: without libcairo bars have none, and one warning tells why")
    func withoutLibrary() throws {
        let fixture = try ServerFixture()
        fixture.server.titleBars.titles.library = "libmissing.so.99"
        var warnings: [String] = []
        fixture.server.onLog = { level, line in if level == .warning { warnings.append(line) } }
        let program = try BarredProgram(fixture)
        _ = try fixture.screenshot()
        #expect(warnings == [], "nothing is loaded before a title is drawn")
        program.toplevel.toplevel.send(.setTitle(title: "one"))
        try fixture.pump()
        #expect(warnings == [])
        for title in ["two", "three"] {
            program.toplevel.toplevel.send(.setTitle(title: title))
            try program.expectBar(BarredProgram.keyColor)
        }
        #expect(warnings.count == 1 && warnings[0].hasPrefix("title bars show no titles: libmissing.so.99"))
        #expect(warnings.first?.hasSuffix("; mullionctl doctor titles names its package") == true)
    }

    @Test(
        "titles: a text that does not fit is cut between characters and ends with an ellipsis",
        arguments: [
            ("title", 5, "title"), ("title", 4, "tit…"), ("title", 1, "…"), ("title", 0, ""), ("", 5, ""),
            ("a\nb", 3, "a b"), ("e\u{301}e\u{301}e\u{301}", 3, "e\u{301}e\u{301}e\u{301}"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), (String(repeating: "x", count: 300), 1000, nil),
        ] as [(String, Double, String?)])
    func cut(text: String, width: Double, result: String?) {
        let expected = result ?? String(repeating: "x", count: 256) + "…"
        #expect(TitleDrawing.cut(text, to: width) { Double($0.count) } == expected)
    }
}
