// mullionctl compare and screenshot against a real control socket.

import Compositor
import FoundationEssentials
import TestSupport
import Testing

@Suite struct PictureCommandTests {
    @Test("mullionctl compare: creates, matches, describes a difference, tolerates, updates; exit status 0, 1 and 2")
    func compare() throws {
        let fixture = try ServerFixture(screens: ["50x40,name=A"])
        let control = try ControlSession(fixture)
        let client = try fixture.connect()
        let window = client.window("w").color(0xff00_0080).frame(5, 6, 7, 8)
        window.show()
        try fixture.pump()
        let golden = control.folder + "/golden.png"
        let diff = control.folder + "/diff.png"

        var result = try control.mullionctl("compare", golden, "A")
        #expect(result.status == 1 && result.output.contains("compare \(golden) A --update"), "\(result)")
        #expect(result.output.contains("mullionctl screenshot"))
        result = try control.mullionctl("compare", golden, "A", "--update")
        #expect(result.status == 0 && result.output == "\(golden) is created\n", "\(result)")
        result = try control.mullionctl("compare", golden, "A", "--diff", diff)
        #expect(result.status == 0 && result.output == "screen A equals \(golden)\n", "\(result)")
        #expect(!FileManager.default.fileExists(atPath: diff))

        window.color(0xff00_0085).commit()
        try fixture.pump()
        result = try control.mullionctl("compare", golden, "--diff=\(diff)")
        #expect(result.status == 1, "\(result)")
        #expect(
            result.output == """
                the picture of all screens differs from \(golden): 56 of 2000 pixels, by up to 5 of 255, \
                within 5,6 7×8; the first at 5,6: expected #000080, seen #000085; see \(diff)

                """)
        #expect(try PNG.decode(control.read("diff.png"))[5, 6] == 0xffff_0000)
        result = try control.mullionctl("compare", golden, "A", "--tolerance", "5")
        #expect(result.status == 0 && result.output.contains("with differences up to 5"), "\(result)")
        result = try control.mullionctl("--json", "compare", golden, "A", "--tolerance", "4")
        #expect(result.status == 1 && result.output.contains("\"differing\":56"), "\(result)")
        result = try control.mullionctl("compare", golden, "A", "--update")
        #expect(result.status == 0 && result.output == "\(golden) is updated\n", "\(result)")
        #expect(try control.mullionctl("compare", golden).status == 0)

        // Masks, crops, differing pixels, variants and windows.
        window.color(0xff00_0080).commit()
        try fixture.pump()
        func compare(_ words: String...) throws -> (status: Int32, output: String) {
            try control.mullionctl(["compare", golden] + words)
        }
        let both = control.folder + "/both.png"
        result = try compare("A", "--side-by-side", both, "--diff", diff)
        #expect(result.status == 1 && result.output.hasSuffix("; see \(diff) and \(both)\n"), "\(result)")
        #expect(try PNG.decode(control.read("both.png")).width == 3 * 50 + 2 * 8)
        #expect(try compare("A", "--mask", "window:w").status == 0)
        #expect(try compare("--mask", "5,6,7,4", "--mask=5,10,7,4").status == 0)
        #expect(try compare("--mask", "5,6,7,4").output.contains("28 of 1972 pixels, by up to 5"))
        result = try compare("--max-differing", "56")
        #expect(result.output.hasSuffix("equals \(golden), with differences up to 5 in 56 pixels\n"), "\(result)")
        #expect(try compare("--max-differing", "2.7%").output.contains("56 of 2000 pixels (54 allowed)"))
        #expect(
            try compare("--crop", "20,0,30,40").output.contains("the sizes differ: 30×40 pixels seen, 50×40 expected"))
        let variant = control.folder + "/golden.other.png"
        #expect(try compare("A", "--variant", "other", "--update").output == "\(variant) is created\n")
        #expect(try compare("A", "--variant", "other").output == "screen A equals \(variant)\n")
        #expect(try compare("A", "--variant", "third").status == 1)
        let id = "\(try #require(fixture.model.windows.last))"
        let alone = control.folder + "/w.png"
        result = try control.mullionctl("compare", alone, "--window", id, "--update")
        #expect(try result.status == 0 && PNG.decode(control.read("w.png")).pixels.count == 56, "\(result)")
        result = try control.mullionctl("compare", alone, "--window", id)
        #expect(result.output == "window \(id) equals \(alone)\n", "\(result)")
        result = try control.mullionctl("screenshot", "A", "--crop", "window:w", "-o", alone)
        #expect(try result.status == 0 && PNG.decode(control.read("w.png")).pixels.count == 56, "\(result)")
        for (words, hint) in [
            (["A", "--window", id], "use it without SCREEN"), (["--popups"], "--popups is an option of --window"),
            (["--diff", both, "--side-by-side", both], "different files"), (["--variant", "a/b"], "not a part of"),
        ] {
            result = try control.mullionctl(["compare", golden] + words)
            #expect(result.status == 2 && result.output.contains(hint), "\(words): \(result)")
        }
        result = try compare("--mask", "1,2,3")
        #expect(result.status == 2 && result.output.contains("\"1,2,3\" is not a part of a picture"), "\(result)")

        result = try control.mullionctl("compare", golden, "A", "--tolerance", "300")
        #expect(result.status == 2 && result.output.contains("0 to 255"), "\(result)")
        #expect(try control.mullionctl("compare").status == 2)
        #expect(try control.mullionctl("screens", "--upright").status == 2)
        #expect(try control.mullionctl("compare", golden, "--upright=yes").status == 2)
        result = try control.mullionctl("compare", control.folder + "/socket")
        #expect(result.status == 1 && result.output.contains("/socket"), "\(result)")
    }

    @Test("mullionctl screenshot --state saves the server's state at the moment of the picture")
    func state() throws {
        struct State: Decodable {
            struct Screen: Decodable { var name: String, toPixels: [Double], png: String? }
            struct Window: Decodable { var title: String, toPixels: [Double] }
            var frame: UInt64
            var png: String?
            var screens: [Screen]
            var windows: [Window]
        }
        let fixture = try ServerFixture(screens: ["30x20,name=A", "40x20,name=B,orientation=landscapeRight"])
        let control = try ControlSession(fixture)
        let client = try fixture.connect()
        let second = try #require(client.screens.first { $0.name == "B" })
        client.window("w", on: second).color(0xffff_0000).frame(2, 3, 4, 5).show()
        try fixture.pump()
        for (words, color) in [([], 0xffff_0000), (["B"], 0xffff_0000), (["B", "--upright"], 0xffff_0000)]
            as [([String], UInt32)]
        {
            let files = ["-o", control.folder + "/picture.png", "--state", control.folder + "/state.json"]
            let result = try control.mullionctl(["screenshot"] + words + files)
            #expect(result.status == 0 && result.output.isEmpty, "\(result)")
            let state = try JSONDecoder().decode(State.self, from: Data(control.read("state.json")))
            let picture = try PNG.decode(control.read("picture.png"))
            #expect(state.png == nil && state.screens.allSatisfy { $0.png == nil } && state.frame > 0)
            let m = try #require(state.windows.first).toPixels
            // The middle of the window's last point.
            let (x, y) = (m[0] * 3.5 + m[2] * 4.5 + m[4], m[1] * 3.5 + m[3] * 4.5 + m[5])
            #expect(picture[Int(x), Int(y)] == color, "\(words)")
            #expect(picture.pixels.count { $0 == color } == 20)
            #expect(picture.width == (words.isEmpty ? 50 : words.count == 1 ? 40 : 20))
        }
        let same = control.folder + "/x"
        #expect(try control.mullionctl("screenshot", "-o", same, "--state", same).status == 2)
    }
}
