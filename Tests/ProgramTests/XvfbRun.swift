// mullion-xvfb-run, run by tests as xvfb-run.

import FoundationEssentials
import Glibc
import TestSupport

/// A folder in which scripts run, with a link to mullion-xvfb-run named xvfb-run that they find first.
struct XvfbRun {
    /// Whether there is what it needs, and what tests look at its display with. Others do not use its default display.
    static let isPossible =
        ["Xwayland", "xdpyinfo", "xauth"].allSatisfy(Program.isInstalled) && access("/tmp/.X99-lock", F_OK) != 0
    static let programs = Programs.package + "/Tests/Programs"

    private let temporary: TemporaryFolder
    var folder: String { temporary.path }
    var work: String { folder + "/work" }
    var links: String { folder + "/bin" }

    init() throws {
        temporary = try TemporaryFolder()
        for path in [work, links] { try Self.files.createDirectory(atPath: path, withIntermediateDirectories: true) }
        try link(Programs.package + "/Sources/mullion-xvfb-run/mullion-xvfb-run", as: "bin/xvfb-run")
    }

    /// Makes a link, with the folders above it.
    func link(_ file: String, as path: String) throws {
        let link = "\(folder)/\(path)"
        let above = String(link[..<(link.lastIndex(of: "/") ?? link.endIndex)])
        try Self.files.createDirectory(atPath: above, withIntermediateDirectories: true)
        try Self.files.createSymbolicLink(atPath: link, withDestinationPath: file)
    }

    /// Starts a Bash script in the working folder, with two arguments.
    func start(_ script: String, _ environment: [String: String] = [:]) throws -> Program {
        let path = "cd \(work); PATH=\(links):\(Programs.shipped):$PATH\n"
        // A home of its own, in which there is no X authority file.
        return try Program(
            "bash", ["-c", path + script, "script", "one", "two words"],
            environment: environment.merging(["HOME": work]) { $1 })
    }

    /// What a script writes, and its exit status.
    func run(_ script: String, _ environment: [String: String] = [:]) throws -> (output: String, status: Int32?) {
        let program = try start(script, environment)
        return (program.outputAtEnd(), program.exitStatus)
    }

    private static var files: FileManager { .default }
}
