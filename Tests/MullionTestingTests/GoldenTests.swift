// Pictures of screens, saved and compared.

import FoundationEssentials
import MullionTesting
import TestSupport
import Testing

@Suite(.enabled(if: isReady, "the programs that ship were built")) struct GoldenTests {
    @Test("pictures: saved, equal, masked, and different with a picture of the differences")
    func pictures() async throws {
        let folder = try TemporaryFolder()
        let golden = folder.path + "/goldens/red.png"
        let text = try await failure(artifacts: folder, test: "red()") { mullion in
            let screen = try await mullion.mainScreen()
            let red = try await mullion.claim("title=Red", "frame=10,10,50,50", "color=#ffff0000").window(title: "Red")
            try await screen.waitFor(pixel: 10, 10, "#ff0000")
            await #expect(throws: MullionError.self) { try await screen.match(golden) }
            try await screen.match(golden, isUpdate: true)
            try await screen.match(golden)
            try await mullion.command("window", "\(red.id)", "frame=20,10,50,50")
            try await screen.match(golden, masks: [.pixels(x: 10, y: 10, width: 60, height: 50)])
            try await screen.match(golden, maximumDiffering: "1000", masks: [])
            try await mullion.within(.seconds(1)) { try await screen.match(golden) }
        }
        #expect(text.contains("differs from \(golden): 1000 of 1024000 pixels"), "\(text)")
        let kept = "\(folder.path)/kept/MullionTestingTests-GoldenTests.swift-red"
        #expect(FileManager.default.fileExists(atPath: kept + "/red-differences.png"))
    }

    @Test("the picture of the first variant that exists is compared, and that of the first name is saved")
    func variants() async throws {
        let folder = try TemporaryFolder()
        let golden = folder.path + "/menu.png"
        let text = try await failure { mullion in
            let screen = try await mullion.mainScreen()
            try await screen.match(golden, isUpdate: true)
            _ = try await mullion.claim("title=Red", "frame=10,10,50,50", "color=#ffff0000").window(title: "Red")
            try await screen.waitFor(pixel: 10, 10, "#ff0000")
            try await screen.match(golden, variants: ["gtk-4.8", "gtk-4"], isUpdate: true)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".png") }
            #expect(names.sorted() == ["menu.gtk-4.8.png", "menu.png"])
            try await screen.match(golden, variants: ["gtk-3", "gtk-4.8"])
            await #expect(throws: MullionError.self) {
                try await mullion.within(.seconds(1)) { try await screen.match(golden, variants: ["gtk-3"]) }
            }
            await #expect(throws: MullionError.self) { try await screen.match(golden, variants: ["gtk/3"]) }
            try await screen.match(folder.path + "/new.png", variants: ["gtk-3"])
        }
        #expect(text.contains("/new.png does not exist, and neither does new.gtk-3.png; create it with"), "\(text)")
    }

    @Test("parts of pictures are compared, and windows without what covers them")
    func parts() async throws {
        let folder = try TemporaryFolder()
        let (whole, part) = (folder.path + "/window.png", folder.path + "/part.png")
        let text = try await failure { mullion in
            let screen = try await mullion.mainScreen()
            let red = try await mullion.claim("title=Red", "frame=10,10,50,50", "color=#ffff0000").window(title: "Red")
            try await screen.waitFor(pixel: 10, 10, "#ff0000")
            try await red.match(whole, isUpdate: true)
            try await screen.match(part, crop: .window(red), isUpdate: true)
            _ = try await mullion.claim("frame=10,10,5,5", "title=Over", "color=#ff0000ff", "level=alert")
                .window(title: "Over")
            try await screen.waitFor(pixel: 10, 10, "#0000ff")
            try await red.match(whole)
            try await red.match(whole, masks: [.pixels(x: 0, y: 0, width: 5, height: 5)])
            try await screen.match(part, masks: [.pixels(x: 10, y: 10, width: 5, height: 5)], crop: .window(red))
            try await mullion.within(.seconds(1)) { try await screen.match(part, crop: .window(red)) }
        }
        #expect(text.contains("differs from \(part): 25 of 2500 pixels"), "\(text)")
    }

    @Test("a picture is not saved over another one that was saved before in the same run")
    func names() async throws {
        let folder = try TemporaryFolder()
        let golden = folder.path + "/one.png"
        let text = try await failure { mullion in
            let screen = try await mullion.mainScreen()
            // What could not be saved was not saved before.
            await #expect(throws: MullionError.self) {
                try await mullion.within(.seconds(1)) { try await mullion.screen("TV").match(golden, isUpdate: true) }
            }
            try await screen.match(golden, isUpdate: true)
            try await screen.match(folder.path + "/./one.png", isUpdate: true)
            _ = try await mullion.claim("title=Red", "frame=10,10,50,50", "color=#ffff0000").window(title: "Red")
            try await screen.match(golden, isUpdate: true)
        }
        let reason = "was saved before in this run, with another picture; give each picture a name of its own"
        #expect(text.hasPrefix("\(golden) \(reason)"), "\(text)")
    }

    @Test("with a manual clock, pictures are saved and compared although time stands still", .timeLimit(.minutes(5)))
    func manualClock() async throws {
        let folder = try TemporaryFolder()
        let golden = folder.path + "/red.png"
        // The window moves back when the picture was compared for the first time.
        let script = "case \" $* \" in *\" for=100ms \"*) \"$real\" window 1 frame=10,10,50,50;; esac"
        try await withShippedMullion(hasManualClock: true, program: stub(script, in: folder)) { mullion in
            let screen = try await mullion.mainScreen()
            _ = try await mullion.claim("title=Red", "frame=10,10,50,50", "color=#ffff0000").window(title: "Red")
            try await screen.match(golden, isUpdate: true)
            try await mullion.command("window", "1", "frame=20,10,50,50")
            try await mullion.within(.seconds(600)) { try await screen.match(golden) }
        }
    }

    @Test("only the last comparison of several leaves a note for the report")
    func notes() async throws {
        let folder = try TemporaryFolder()
        let (golden, log) = (folder.path + "/red.png", folder.path + "/log")
        let script = "[ \"$1\" = run ] && export MULLION_NOTES=/\necho \"$1 ${MULLION_NOTES:+noted}\" >>'\(log)'"
        try await withShippedMullion(program: stub(script, in: folder)) { mullion in
            let screen = try await mullion.mainScreen()
            try await screen.match(golden, isUpdate: true)
            _ = try await mullion.claim("title=Red", "frame=10,10,50,50").window(title: "Red")
            _ = try await mullion.command("version")
            await #expect(throws: MullionError.self) {
                try await mullion.within(.seconds(1)) { try await screen.match(golden) }
            }
        }
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        let matching = lines.drop { $0 != "version noted" }.dropFirst()
        #expect(matching.starts(with: ["compare ", "wait "]) && matching.last == "compare noted", "\(lines)")
        #expect(matching.count { $0.hasSuffix("noted") } == 1, "\(lines)")
    }
}
