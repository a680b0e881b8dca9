// What errors say, what is kept, and that nothing remains.

import FoundationEssentials
import Glibc
import MullionTesting
import TestSupport
import Testing

@Suite(.enabled(if: isReady, "the programs that ship were built")) struct MullionTestingTests {
    @Test("a missing window: the nearest one, how programs are, and a report; a test that passes keeps nothing")
    func missingWindow() async throws {
        let folder = try TemporaryFolder()
        let text = try await failure(artifacts: folder, test: "missing(_:)") { mullion in
            let app = try await mullion.claim("title=Preferences")
            _ = try await app.window(title: "Preferences")
            _ = try await mullion.within(.seconds(1)) { try await app.window(title: "Preference") }
        }
        #expect(text.contains("no window has this title\n  window 1 \"Preferences\" of mullionctl claim"), "\(text)")
        #expect(text.contains("claim title=Preferences (pid ") && text.contains(" runs; its output ends with\n  | "))
        let kept = "\(folder.path)/kept/MullionTestingTests-MullionTestingTests.swift-missing"
        #expect(text.hasSuffix("kept in \(kept): report.html and more"), "\(text)")
        let report = try String(contentsOfFile: kept + "/report.html", encoding: .utf8)
        #expect(report.contains("no window has this title") && report.contains("Preferences"))
        try await withShippedMullion(artifacts: folder, test: "missing(_:)") { _ in }
        try await withShippedMullion(artifacts: folder, test: "other()") { _ in }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/kept") == [
                kept.split(separator: "/").last.map(String.init)
            ])
    }

    @Test("a program that fails ends a wait at once; its output says why")
    func failingProgram() async throws {
        let text = try await failure { mullion in
            let app = try await mullion.launch(["sh", "-c", "echo 'it'\\''s\nbroken' >&2; exit 4"])
            _ = try await mullion.within(.seconds(300)) { try await app.window(title: "Main") }
        }
        #expect(text.hasPrefix("the program failed, so waiting was stopped\n"), "\(text)")
        #expect(text.contains("exited with 4; its output ends with\n  | it's\n  | broken"), "\(text)")
    }

    @Test("input that nobody receives is an error with the reasons")
    func missedInput() async throws {
        let text = try await failure { mullion in
            let window = try await mullion.claim("title=Here", "frame=10,10,50,50").window(title: "Here")
            try await window.click(x: 5, y: 5)
            try await mullion.mainScreen().click(x: 500, y: 500)
        }
        #expect(text.contains("no client received the click: no window takes input at this point"), "\(text)")
        #expect(text.contains("not window 1 \"Here\": the point is outside its frame"), "\(text)")
    }

    @Test("windows belong to the program that was launched; several need different titles")
    func owners() async throws {
        let text = try await failure { mullion in
            let shell = "'\(Programs.shipped)/mullionctl' claim title=Twin & wait"
            let other = try await mullion.claim("title=Twin").window(title: "Twin")
            let child = try await mullion.launch(["sh", "-c", shell]).window(title: "Twin")
            #expect(other.id != child.id)
            try await child.close()
            try await mullion.waitFor("window", "title=Twin", "count=1")
            _ = try await mullion.claim("title=Twin").window(title: "Twin")
            _ = try await mullion.window(title: "Twin")
        }
        #expect(text.hasPrefix("2 windows are titled Twin: [1, 3]"), "\(text)")
    }

    @Test("a window is found that opens as another program's of the same title closes", .timeLimit(.minutes(5)))
    func exchangedWindows() async throws {
        let folder = try TemporaryFolder()
        // The first window closes when a second one is waited for.
        let script = """
            case " $* " in *" count=2 "*) "$real" window 1 close && "$real" wait gone title=Twin >&2;; esac
            """
        try await withShippedMullion(program: stub(script, in: folder)) { mullion in
            let other = try await mullion.claim("title=Twin").window(title: "Twin")
            let shell = "\"$1\" wait gone title=Twin timeout=60s && exec \"$1\" claim title=Twin"
            let app = try await mullion.launch(["sh", "-c", shell, "sh", Programs.shipped + "/mullionctl"])
            #expect(other.id == 1)
            #expect(try await mullion.within(.seconds(600)) { try await app.window(title: "Twin").id } == 2)
        }
        let text = try await failure { mullion in
            _ = try await mullion.claim("title=Twin").window(title: "Twin")
            let app = try await mullion.claim("title=Other")
            _ = try await mullion.within(.seconds(1)) { try await app.window(title: "Twin") }
        }
        #expect(text.contains("claim title=Other is titled Twin, only these are:\n  window 1 \"Twin\" of"), "\(text)")
    }

    @Test("tests in parallel have a server each, and nothing remains of any")
    func parallel() async throws {
        let temporary = try TemporaryFolder()
        let mark = temporary.path
        let folders = try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask {
                    try await withShippedMullion(screens: ["640x480", "tv-720p,name=TV\(number)"]) { mullion in
                        let shell = "trap '' TERM; setsid sleep 1000 & \"$@\" & wait"
                        let claim = [
                            Programs.shipped + "/mullionctl", "claim", "title=\(number)", "screen=TV\(number)",
                        ]
                        let app = try await mullion.launch(
                            ["sh", "-c", shell, "sh"] + claim, environment: ["MULLION_TEST_MARK": mark])
                        _ = try await app.window(title: "/./")
                        #expect(processes(marked: mark).count >= 3)
                        let folder = try await mullion.launch(["printenv", "XDG_RUNTIME_DIR"])
                        try await folder.wait()
                        return String(folder.output.dropLast())
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(folders).count == 4)
        for folder in folders { #expect(!FileManager.default.fileExists(atPath: folder), "\(folder)") }
        #expect(processes(marked: mark).isEmpty)
    }

    /// The processes that have inherited the variable MULLION_TEST_MARK with this value, and are not zombies.
    private func processes(marked mark: String) -> [pid_t] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return entries.compactMap { pid_t($0) }.filter { id in
            guard let data = FileManager.default.contents(atPath: "/proc/\(id)/environ") else { return false }
            return data.split(separator: 0).contains { $0.elementsEqual("MULLION_TEST_MARK=\(mark)".utf8) }
        }
    }

    @Test("without mullionctl, or with a mistake in the screens, the error says what to do")
    func mistakes() async throws {
        do {
            try await withMullion(program: "/nowhere/mullionctl") { _ in }
            Issue.record("it has started")
        } catch let error as MullionError {
            #expect(error.text.hasPrefix("/nowhere/mullionctl cannot be started: No such file or directory; install"))
        }
        do {
            try await withShippedMullion(screens: ["nonsense"]) { _ in }
            Issue.record("it has started")
        } catch let error as MullionError {
            #expect(error.text.hasPrefix("the server did not start: ") && error.text.contains("nonsense"), "\(error)")
        }
    }
}
