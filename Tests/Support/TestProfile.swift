// What programs of other people look like, whatever is installed on the machine.

import FoundationEssentials
import Glibc

/// The test profile of `mullionctl run`, for programs that a test starts itself.
///
/// Fonts, themes, language and the person's own settings would otherwise move the widgets that tests click.
enum TestProfile {
    /// The variables of the profile, and an empty home; the files exist until this process ends.
    static let variables: Result<[String: String], any Error> = Result { try make() }

    /// Set by the private server, not by the profile.
    private static let others = ["DBUS_SESSION_BUS_ADDRESS", "GTK_A11Y", "NO_AT_BRIDGE", "XDG_RUNTIME_DIR"]

    private static func make() throws -> [String: String] {
        let folder = try TemporaryFolder()
        let plain = try environment(["--profile", "none"], "env -0")
        var profile = try environment([], "cp -R \"${FONTCONFIG_FILE%/*}\" '\(folder.path)/profile' && env -0")
        profile = profile.filter { plain[$0.key] != $0.value && !others.contains($0.key) }
        guard let original = profile["FONTCONFIG_FILE"]?.split(separator: "/").dropLast().joined(separator: "/") else {
            throw FixtureError("mullionctl run sets no FONTCONFIG_FILE")
        }
        profile = profile.mapValues { $0.replacing("/" + original, with: folder.path + "/profile") }
        try hideOtherFonts(folder.path + "/profile/fonts.conf")
        profile["HOME"] = folder.path + "/home"
        profile["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
        try FileManager.default.createDirectory(atPath: folder.path + "/home", withIntermediateDirectories: false)
        kept = folder
        atexit { TestProfile.kept = nil }
        return profile
    }

    /// Leaves only DejaVu: programs that go through all fonts, such as Wine, choose others where there are more.
    private static func hideOtherFonts(_ path: String) throws {
        let folder = "/usr/share/fonts/truetype/dejavu"
        guard FileManager.default.fileExists(atPath: folder) else { throw FixtureError("there is no \(folder)") }
        var fonts = try String(contentsOfFile: path, encoding: .utf8)
        for (other, own) in [
            ("<dir>/usr/local/share/fonts</dir>", ""), ("<dir>/usr/share/fonts</dir>", "<dir>\(folder)</dir>"),
        ] {
            guard fonts.contains(other) else { throw FixtureError("\(path) does not have \(other)") }
            fonts = fonts.replacing(other, with: own)
        }
        try fonts.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Only set once, and released when the process ends.
    nonisolated(unsafe) private static var kept: TemporaryFolder?

    private static func environment(_ options: [String], _ command: String) throws -> [String: String] {
        let run = try Program(
            Programs.built + "/mullionctl", ["run"] + options + ["--", "sh", "-c", command], environment: ["LANG": ""])
        let output = run.outputAtEnd()
        guard run.exitStatus == 0 else { throw FixtureError("mullionctl run: \(output)") }
        let pairs = output.split(separator: "\0").map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(pairs.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }) { $1 }
    }
}
