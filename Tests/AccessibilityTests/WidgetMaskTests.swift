// Masks of mullionctl compare that are widgets.

import TestSupport
import Testing
import WindowModel

@testable import Accessibility

extension WidgetCommandTests {
    /// Saves the golden picture, and makes every pixel of the window another one.
    private func change(_ picture: [String], in folder: TemporaryFolder) throws {
        window.color(0xff00_ff00).commit()
        try fixture.pump()
        #expect(try compare(picture + ["--update"], in: folder).status == 0)
        window.color(0xff00_ff40).commit()
        try fixture.pump()
    }

    private func compare(_ words: [String], in folder: TemporaryFolder) throws -> (status: Int32, output: String) {
        try end(start(["compare", folder.path + "/golden.png"] + words))
    }

    /// The number of pixels that differ.
    private func differing(_ words: [String], in folder: TemporaryFolder) throws -> Int {
        let result = try compare(words, in: folder)
        if result.status == 0 { return 0 }
        // "… golden.png: N of M pixels, …"
        let number = result.output.split(separator: "golden.png: ").last?.prefix { $0 != " " }
        return try #require(number.flatMap { Int($0) }, "\(result)")
    }

    @Test("compare --mask role=…,name=… ignores what is in view of the widgets that match, in every picture of them")
    func masks() throws {
        let folder = try TemporaryFolder()
        show(
            Node(43, "Save, as", (10, 10, 80, 20)), Node(43, "Save", (180, 40, 80, 20)),
            Node(43, "Hidden", (10, 70, 80, 20), states: [.enabled]))
        for scale in [1.0, 2] {
            try fixture.model.setScale(scale, of: fixture.mainScreen)
            for (picture, orientation) in [
                (["PANEL"], .landscapeLeft), (["1", "--upright"], .landscapeLeft), ([], .portrait),
                (["--window", "1"], .portrait),
            ] as [([String], Screen.Orientation)] {
                try fixture.model.rotate(fixture.mainScreen, to: orientation, duration: 0, time: 1)
                try change(picture, in: folder)
                let area = Int(scale * scale)
                let all = try differing(picture, in: folder)
                #expect(all == 20_000 * area, "\(picture)")
                for (mask, covered) in [
                    ("role=button,name=Save, as", 1600), ("name=Save,state=showing,!focused", 400),
                    ("name=/^Save/,window=Form", 2000), ("name=Hidden", 0),
                ] {
                    let left = try differing(picture + ["--mask", mask], in: folder)
                    #expect(all - left == covered * area, "\(picture) \(mask)")
                }
                let whole = try compare(picture + ["--mask", "role=window"], in: folder)
                let isRefused = whole.status == 1 && whole.output.contains("leave nothing to compare")
                #expect(picture.contains("--window") ? isRefused : whole.status == 0, "\(picture) \(whole)")
                let both = ["--mask", "name=Save", "--mask", "0,0,1,1", "--mask", "name=/as$/"]
                #expect(try all - differing(picture + both, in: folder) - 2000 * area <= 1)
            }
        }
    }

    @Test("a mask that no widget matches is refused, and the nearest ones are named; mistakes have exit status 2")
    func maskMistakes() throws {
        let folder = try TemporaryFolder()
        show(Node(43, "Save", (10, 10, 80, 20)))
        client.window("Other").color(0xffff_0000).frame(300, 300, 40, 40).show()
        try change([], in: folder)
        for (words, status, message) in [
            (["--mask", "name=Svae"], 1, "no widget has name=Svae; the nearest: button \"Save\" in window 1"),
            (["--window", "2", "--mask", "name=Save"], 1, "no widget has name=Save window=2"),
            (["--window", "2", "--mask", "name=Save,window=Form"], 1, "no widget has name=Save window=Form"),
            (["--mask", "rol=button"], 2, "did you mean role?"),
            (["--mask", "role=buton"], 2, "\"buton\" is not a role; use button"),
            (["--window", "1", "--popups", "--mask", "name=Save"], 2, "no fixed place in a picture with --popups"),
            (["--mask", "window:role=x"], 1, "no window has the id or title \"role=x\""),
        ] as [([String], Int32, String)] {
            let result = try compare(words, in: folder)
            #expect(result.status == status && result.output.contains(message), "\(words): \(result)")
        }
    }
}
