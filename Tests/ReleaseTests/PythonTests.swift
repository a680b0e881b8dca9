// The Python package's own tests and its examples, with the programs that ship.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct PythonTests {
    private static let python = "/usr/bin/python3"
    private static let folder =
        String(#filePath.dropLast("Tests/ReleaseTests/PythonTests.swift".count)) + "Sources/pytest-mullion"

    /// Whether Debian's Python has this module.
    private static func has(_ module: String) -> Bool {
        guard let program = try? Program(python, ["-c", "import \(module)"]) else { return false }
        _ = program.outputAtEnd()
        return program.exitStatus == 0
    }

    /// Runs a module of Python in the package's folder.
    private static func run(_ words: [String]) throws -> (output: String, status: Int32?) {
        let artifacts = try TemporaryFolder()
        defer { withExtendedLifetime(artifacts) {} }
        let program = try Program(
            "env", ["-C", folder, python, "-m"] + words.map { $0.replacing("ARTIFACTS", with: artifacts.path) },
            environment: ["MULLIONCTL": Programs.shipped + "/mullionctl", "PYTHONDONTWRITEBYTECODE": "1"])
        let output = program.outputAtEnd()
        return (output, program.exitStatus)
    }

    @Test(
        "the package's tests and examples pass",
        .enabled(
            if: has("pytest") && has("gi") && Programs.isServerShipped, "python3-pytest and python3-gi are installed"))
    func tests() throws {
        // The folders come first: their conftest.py knows the options.
        var words = ["pytest", "tests", "examples", "-q", "-p", "no:cacheprovider", "--mullion-artifacts=ARTIFACTS"]
        if Self.has("xdist") { words += ["-n", "4"] }
        let result = try Self.run(words)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains(" passed"), "\(result.output)")
    }

    @Test("the package is typed", .enabled(if: has("mypy"), "mypy is installed"))
    func types() throws {
        let result = try Self.run(["mypy", "--cache-dir", "ARTIFACTS"])
        #expect(result.status == 0, "\(result.output)")
    }
}
