// mullionctl compare: what it refuses, and what it writes.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct CompareCommandTests {
    @Test("mistakes name the option, or the file, and what is allowed")
    func mistakes() throws {
        let session = try ControlSession(ServerFixture(screens: ["16x12,name=A"]))
        let golden = session.folder + "/golden.png"
        #expect(try session.mullionctl("screenshot", "A", "-o", golden).status == 0)
        for (words, text) in [
            (["--max-differing", "101%"], "--max-differing: \"101%\" is not a number of pixels; use a whole number"),
            (["--max-differing", "-1"], "--max-differing: \"-1\" is not a number of pixels"),
            (["--mask", "0,0,-5,3"], "--mask: \"0,0,-5,3\" is not a part of a picture; use X,Y,WIDTH,HEIGHT"),
            (["--mask", "1,2,3"], "--mask: \"1,2,3\" is not a part of a picture"),
        ] {
            let result = try session.mullionctl(["compare", golden, "A"] + words)
            #expect(result.status == 2 && result.output.contains(text), "\(result)")
        }
        for words in [["--max-differing", "100%"], ["--max-differing", "3"], ["--mask", "0,0,15,12"]] {
            #expect(try session.mullionctl(["compare", golden, "A"] + words).status == 0)
        }
        let covered = try session.mullionctl("compare", golden, "A", "--mask", "0,0,16,12")
        #expect(
            covered.status == 1 && covered.output.contains("--mask: the masks cover the whole picture"), "\(covered)")
        let broken = session.folder + "/broken.png"
        #expect(FileManager.default.createFile(atPath: broken, contents: Data("no".utf8)))
        let result = try session.mullionctl("compare", broken, "A")
        #expect(
            result.status == 1 && result.output.hasPrefix("mullionctl: \(broken): the picture is not a PNG"),
            "\(result)")
    }

    @Test("--window takes the title of a window, if only one has it")
    func title() throws {
        let fixture = try ServerFixture(screens: ["16x12,name=A"])
        let session = try ControlSession(fixture)
        let client = try fixture.connect()
        for title in ["one", "two", "two"] {
            let window = client.window(title).frame(0, 0, 8, 6)
            window.show()
        }
        try fixture.pump()
        let golden = session.folder + "/golden.png"
        #expect(try session.mullionctl("screenshot", "--window", "one", "-o", golden).status == 0)
        #expect(try session.mullionctl("compare", golden, "--window", "one").status == 0)
        #expect(try session.mullionctl("compare", golden, "--window", "1").status == 0)
        let two = try session.mullionctl("compare", golden, "--window", "two")
        #expect(
            two.status == 1 && two.output.contains("--window: 2 windows have the title \"two\"; use an id"), "\(two)")
        let none = try session.mullionctl("compare", golden, "--window", "no")
        #expect(none.status == 1 && none.output.contains("no window has the id or title \"no\""), "\(none)")
    }

    @Test("--update makes the folder of the picture")
    func update() throws {
        let session = try ControlSession(ServerFixture(screens: ["16x12,name=A"]))
        let golden = session.folder + "/some/folder/golden.png"
        let update = try session.mullionctl("compare", golden, "A", "--update")
        #expect(update.status == 0 && update.output == "\(golden) is created\n", "\(update)")
        #expect(try session.mullionctl("compare", golden, "A").status == 0)
    }
}
