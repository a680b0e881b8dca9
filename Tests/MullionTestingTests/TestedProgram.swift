// What the tests of MullionTesting share.

import FoundationEssentials
import TestSupport
import Testing

@testable import MullionTesting

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
/// - Parameter program: stands in for mullionctl; see `stub`.
func withShippedMullion<Outcome>(
    screens: [String] = ["1280x800"], hasManualClock: Bool = false, program: String? = nil,
    artifacts: TemporaryFolder? = nil, test: String = #function, file: String = #fileID,
    _ body: (Mullion) async throws -> Outcome
) async throws -> Outcome {
    let folder = try artifacts ?? TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await withMullion(
        screens: screens, hasManualClock: hasManualClock, timeout: .seconds(30),
        program: program ?? Programs.shipped + "/mullionctl",
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

/// A program that runs a shell script before it becomes mullionctl, which is `$real` in the script.
func stub(_ script: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/mullionctl"
    try "real='\(Programs.shipped)/mullionctl'\n\(script)\n"
        .write(toFile: path + ".script", atomically: false, encoding: .utf8)
    // A program that was just written is busy while another thread starts one, which inherits the open file.
    let tests = #filePath.dropLast("MullionTestingTests/TestedProgram.swift".count)
    try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: tests + "Programs/before_mullionctl.sh")
    return path
}

extension Mullion.Program {
    /// Waits for its end without the test expecting that, unlike `wait`.
    func waitUnexpectedly() async throws {
        let number = number
        let status = await mullion.run.state.wait(mullion.timeout) { $0.ends[number] }
        _ = try #require(status, "\(condition)")
    }
}

/// A program with one window, whose words are those of `mullionctl claim`.
extension Mullion {
    func claim(_ words: String...) async throws -> Program {
        try await launch([Programs.shipped + "/mullionctl", "claim"] + words)
    }
}
