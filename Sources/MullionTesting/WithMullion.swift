// A test with a server of its own.

import FoundationEssentials
import Synchronization

/// Runs a test with a Mullion server of its own, and ends the server and all programs when the test has ended.
///
/// ```swift
/// @Test func save() async throws {
///     try await withMullion(screens: ["1280x800", "tv-1080p,name=TV"]) { mullion in
///         let app = try await mullion.launch(["my-editor", "letter.txt"])
///         let window = try await app.window(title: "letter.txt")
///         try await window.button("Save").click()
///         try await app.window(title: "letter.txt – saved").waitFor(.key)
///         try await mullion.screen("TV").match("slide.png")
///     }
/// }
/// ```
///
/// It works with Swift Testing and with XCTest. Tests may run in parallel. No sleeps: actions wait until they are possible,
/// expectations until they hold. No process or file is left, even if the test process is killed.
///
/// When the body throws, a program has crashed that the test did not wait for, or the server has ended before the test, a
/// folder is kept. It has a report of everything that happened, `report.html`, as `mullionctl run --artifacts` records it,
/// and in `program-1.txt` and so on what the programs have written. It is in `mullion-artifacts`, or in the folder that
/// the variable `MULLION_ARTIFACTS` names, and is called after the test. Expectations that do not throw keep nothing; use
/// `#require`.
/// - Parameters:
///   - screens: display models, as for `mullionctl run --screen`; an empty list is a server without screens.
///   - x11: whether X11 programs can be started.
///   - hasManualClock: whether the server's time stands still until the test steps it: `command("clock", "step", "16ms")`.
///   - timeout: how long each action and condition is waited for, in real time.
///   - program: the path of mullionctl; by default that of the variable `MULLIONCTL`, or the one in `PATH`.
///   - artifacts: where folders are kept.
///   - test, file: the name of the test, for the folder that is kept.
///   - isolation: the actor that the body runs on; by default the caller's.
///   - body: the test. The server and the programs are gone when it has returned.
/// - Returns: what the body returns.
/// - Throws: what the body throws, and `MullionError` when the server cannot start, ends before the test or cannot be
///   ended, or a program has crashed.
public func withMullion<Outcome>(
    screens: [String] = ["1280x800"], x11: Bool = false, hasManualClock: Bool = false,
    timeout: Duration = .seconds(10), program: String? = nil, artifacts: String? = nil, test: String = #function,
    file: String = #fileID,
    isolation: isolated (any Actor)? = #isolation, _ body: (Mullion) async throws -> Outcome
) async throws -> Outcome {
    let folder = Artifacts.folder(artifacts, test: test, file: file)
    var options = (screens.isEmpty ? ["none"] : screens).flatMap { ["--screen", $0] }
    options += ["--clock", hasManualClock ? "manual" : "real", "--accessibility"] + (x11 ? ["--x11"] : [])
    options += ["--artifacts", folder, "--on-failure"]
    let mullion = Mullion(
        try await ServerRun.start(options, program, artifacts: folder), timeout: timeout,
        hasManualClock: hasManualClock, artifacts: folder)
    let result: Result<Outcome, any Error>
    do {
        let outcome = try await body(mullion)
        try mullion.checkCrashes()
        result = .success(outcome)
    } catch {
        result = .failure(error)
    }
    var failure: String?
    if case .failure(let error) = result { failure = "\(error)\n\(mullion.situation)" }
    for program in mullion.programs { program.keepOutput() }
    let problem = await mullion.run.end(failure: failure)
    let isKept = FileManager.default.fileExists(atPath: folder)
    let place = isKept ? ["kept in \(folder): report.html and more"] : []
    switch result {
    case .success(let outcome):
        guard let problem else { return outcome }
        throw MullionError(([problem] + place).joined(separator: "\n"))
    case .failure(let error as MullionError):
        throw MullionError(([error.text, problem].compactMap(\.self) + place).joined(separator: "\n"))
    case .failure(let error):
        print(([problem].compactMap(\.self) + place).joined(separator: "\n"))
        throw error
    }
}

/// What was expected did not happen, or something could not be done.
public struct MullionError: Error, CustomStringConvertible {
    /// What was wrong, and what there was instead, nearest first.
    public let text: String

    init(_ text: String) { self.text = text }

    public var description: String { text }
}

/// The folder for what is kept of a test.
private enum Artifacts {
    static func folder(_ base: String?, test: String, file: String) -> String {
        let base = base ?? ProcessInfo.processInfo.environment["MULLION_ARTIFACTS"] ?? "mullion-artifacts"
        let words = (file + "-" + test.prefix { $0 != "(" }).split { !$0.isLetter && !$0.isNumber && $0 != "." }
        let root = base.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
        let name = root + base + "/" + words.joined(separator: "-")
        // Tests with arguments run several times, at the same time too.
        let count = uses.withLock { uses in
            uses[name, default: 0] += 1
            return uses[name, default: 1]
        }
        let folder = count == 1 ? name : "\(name)-\(count)"
        // What an earlier run has left would only confuse.
        try? FileManager.default.removeItem(atPath: folder)
        return folder
    }

    private static let uses = Mutex<[String: Int]>([:])
}
