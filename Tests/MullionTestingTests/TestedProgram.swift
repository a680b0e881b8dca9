// What the tests of MullionTesting share.

import FoundationEssentials
import MullionTesting
import TestSupport
import Testing

/// Whether the programs that users install were built.
let isReady = FileManager.default.isExecutableFile(atPath: Programs.shipped + "/mullionctl")

/// Whether GTK 3 can be used in Python.
let hasGTK: Bool = {
    guard let program = try? Program("/usr/bin/python3", ["-c", "import gi; gi.require_version('Gtk', '3.0')"]) else {
        return false
    }
    _ = program.outputAtEnd()
    return program.exitStatus == 0
}()

/// `withMullion` with the programs that ship, and a folder for what is kept.
func withShippedMullion<Outcome>(
    screens: [String] = ["1280x800"], artifacts: TemporaryFolder? = nil, test: String = #function,
    file: String = #fileID,
    _ body: (Mullion) async throws -> Outcome
) async throws -> Outcome {
    let folder = try artifacts ?? TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await withMullion(
        screens: screens, timeout: .seconds(30), program: Programs.shipped + "/mullionctl",
        // It need not exist.
        artifacts: folder.path + "/kept",
        test: test, file: file, body)
}

/// The text of the error that a test throws.
func failure(
    screens: [String] = ["1280x800"], artifacts: TemporaryFolder? = nil, test: String = #function,
    file: String = #fileID, _ body: (Mullion) async throws -> Void
) async throws -> String {
    do {
        try await withShippedMullion(screens: screens, artifacts: artifacts, test: test, file: file, body)
    } catch let error as MullionError {
        return error.text
    }
    Issue.record("it has passed")
    return ""
}

/// A program with one window, whose words are those of `mullionctl claim`.
extension Mullion {
    func claim(_ words: String...) async throws -> Program {
        try await launch([Programs.shipped + "/mullionctl", "claim"] + words)
    }
}
