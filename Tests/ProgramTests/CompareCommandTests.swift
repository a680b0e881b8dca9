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
        #expect(result.status == 1 && result.output.hasPrefix("mullionctl: \(broken) is not a PNG"), "\(result)")
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
