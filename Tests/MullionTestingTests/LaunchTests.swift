// Programs that tests launch: how they start and end, and what is kept of them.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import MullionTesting

@Suite(.enabled(if: isReady, "the programs that ship were built")) struct LaunchTests {
    @Test("programs: variables, folders, arguments with every character, signals to what they have started")
    func programs() async throws {
        try await withShippedMullion { mullion in
            let words = ["it's", "two\nlines", "$HOME \\ \"", "é", ""]
            let app = try await mullion.launch(
                ["sh", "-c", "printf '%s|' \"$@\"; echo $OWN $PWD", "sh"] + words, environment: ["OWN": "a b"],
                folder: "/usr")
            #expect(try await app.wait() == 0)
            #expect(app.output == words.map { $0 + "|" }.joined() + "a b /usr\n")
            let parent = try await mullion.launch(
                ["sh", "-c", "\"$1\" claim title=Child & wait", "sh", Programs.shipped + "/mullionctl"])
            let child = try await parent.window(title: "Child")
            parent.terminate()
            #expect(try await parent.wait() == 128 + SIGTERM)
            try await child.waitFor(.gone)
        }
    }

    @Test("a program that cannot be started is an error with the reason")
    func reasons() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/notes.txt"
        try "text".write(toFile: file, atomically: false, encoding: .utf8)
        try await withShippedMullion { mullion in
            func reason(_ words: String..., in folder: String = "/") async -> String {
                do {
                    try await mullion.launch(words, folder: folder)
                    return "it was started"
                } catch {
                    return "\(error)".split(separator: "\n").first.map(String.init) ?? ""
                }
            }
            #expect(await reason("no-such-program") == "no-such-program cannot be started: it is not installed")
            #expect(await reason("./none") == "./none cannot be started: there is no such file")
            let permission = "cannot be started: it is not a file that may be executed"
            #expect(await reason(file) == "\(file) \(permission)")
            #expect(await reason("./notes.txt", in: folder.path) == "./notes.txt \(permission)")
            #expect(await reason(folder.path) == "\(folder.path) \(permission)")
            let nowhere = "\(folder.path)/no where"
            let entered = "is not a folder that can be entered"
            #expect(await reason("true", in: nowhere) == "true cannot be started: \(nowhere) \(entered)")
            // It is a command of shells only.
            #expect(await reason("exit") == "exit cannot be started: it is not installed")
            // Longer than Linux allows.
            let long = String(repeating: "x", count: 200_000)
            #expect(await reason("true", long) == "true cannot be started: its arguments or variables were refused")
            #expect(await reason("true") == "it was started")
        }
    }

    @Test("a crash that the test does not wait for is a failure; one that it waits for or causes is not")
    func crash() async throws {
        let crash = ["sh", "-c", "kill -SEGV $$"]
        let text = try await failure { mullion in
            try await mullion.launch(crash).waitUnexpectedly()
        }
        #expect(text.hasPrefix("a program crashed, and the test did not wait for it to exit\n"), "\(text)")
        #expect(text.contains("crashed (signal 11, or exit status 139)"), "\(text)")
        try await withShippedMullion { mullion in
            #expect(try await mullion.launch(crash).wait() == 128 + SIGSEGV)
            let app = try await mullion.launch(["sleep", "1000"])
            app.send(SIGSEGV)
            try await app.waitUnexpectedly()
        }
    }

    @Test("a crash is a failure after signals that did not cause it", arguments: [SIGCONT, SIGTERM])
    func crashAfter(signal: Int32) async throws {
        let text = try await failure { mullion in
            // SIGCONT does nothing, and to end after SIGTERM, it crashes.
            let shell = "trap 'kill -SEGV $$' TERM; \"$1\" claim title=Ready & wait; wait"
            let app = try await mullion.launch(["sh", "-c", shell, "sh", Programs.shipped + "/mullionctl"])
            _ = try await app.window(title: "Ready")
            app.send(signal)
            if signal != SIGTERM { kill(try #require(app.pid), SIGSEGV) }
            try await app.waitUnexpectedly()
        }
        #expect(text.hasPrefix("a program crashed, and the test did not wait for it to exit\n"), "\(text)")
    }

    @Test("what programs have written is kept after a failure, and can be read after the test")
    func output() async throws {
        let folder = try TemporaryFolder()
        var app: Mullion.Program?
        _ = try await failure(artifacts: folder, test: "output()") { mullion in
            app = try await mullion.launch(["sh", "-c", "seq 100; exit 3"])
            try await app?.wait()
            throw MullionError("enough")
        }
        let lines = (1...100).map { "\($0)\n" }.joined()
        #expect(app?.output == lines)
        let kept = "\(folder.path)/kept/MullionTestingTests-LaunchTests.swift-output"
        #expect(try String(contentsOfFile: kept + "/program-1.txt", encoding: .utf8) == lines)
        let passed = try await withShippedMullion { mullion in
            let app = try await mullion.launch(["echo", "passed"])
            try await app.wait()
            return app
        }
        #expect(passed.output == "passed\n")
    }

    @Test("a server that ends before the test is a failure with a report, though all that the test did was well")
    func deadServer() async throws {
        struct Status: Decodable { var pid: pid_t }
        let folder = try TemporaryFolder()
        let text = try await failure(artifacts: folder, test: "dead()") { mullion in
            let app = try await mullion.launch(["echo", "before"])
            try await app.wait()
            let status = try await mullion.command("--json", "status")
            kill(try JSONDecoder().decode(Status.self, from: Data(status.utf8)).pid, SIGKILL)
            _ = await mullion.run.state.wait { $0.outcome }
            #expect(app.output == "before\n")
        }
        let kept = "\(folder.path)/kept/MullionTestingTests-LaunchTests.swift-dead"
        #expect(
            text == "the server ended before the test; its log is mulliond.log\nkept in \(kept): report.html and more")
        let files = try FileManager.default.contentsOfDirectory(atPath: kept)
        #expect(Set(["mulliond.log", "program-1.txt", "report.html"]).isSubset(of: files), "\(files)")
    }
}
