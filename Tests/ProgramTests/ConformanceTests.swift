// wlcs, the Wayland conformance suite, on the server that ships.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct ConformanceTests {
    private static let package = String(#filePath.dropLast("/Tests/ProgramTests/ConformanceTests.swift".count))
    private static let wlcs =
        "pkg-config --exists wlcs wayland-client && test -x \"$(pkg-config --variable=test_runner wlcs)\""

    /// Debian has it; other systems may not.
    private static let hasJudge: Bool = {
        let check = try? Program("sh", ["-c", wlcs])
        _ = check?.outputAtEnd()
        let isInstalled = check?.exitStatus == 0 && Program.isInstalled("g++") && Program.isInstalled("python3")
        if !isInstalled { print("ConformanceTests: wlcs is not installed; its tests are skipped") }
        return isInstalled
    }()

    @Test(
        "wlcs: every test passes but those of expectations.txt, and those fail", .enabled(if: hasJudge))
    func conformance() throws {
        let folder = try TemporaryFolder()
        let judge = try Program(
            "python3",
            [Self.package + "/Tests/Conformance/run.py", "--seconds", "400", Programs.shipped + "/mulliond"],
            environment: ["TMPDIR": folder.path, "PYTHONDONTWRITEBYTECODE": "1"])
        let output = judge.outputAtEnd()
        #expect(judge.exitStatus == 0, "\(output)")
        print("ConformanceTests: " + output.split(separator: "\n").suffix(1).joined())
    }
}
