// Data that are installed beside the programs, on systems that have none.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite(.startsShippedServer, .enabled(if: Program.isInstalled("foot")))
struct InstalledDataTests {
    /// Programs in PREFIX/bin, with what is in PREFIX/share/mullion, on a system without keyboard data and fonts.
    private struct Installation {
        let folder: TemporaryFolder
        var data: String { folder.path + "/share/mullion" }

        init() throws {
            folder = try TemporaryFolder()
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            // By another process: of a file that this one has open for writing, a child that another test starts at that
            // moment has a copy, and it could not be executed.
            let programs = ["mulliond", "mullionctl"].map { "\(Programs.shipped)/\($0)" }
            let copying = try Program("install", ["-D", "-t", path("bin")] + programs)
            let output = copying.outputAtEnd()
            try #require(copying.exitStatus == 0, "\(output)")
            try "{ policy: { decorations: \"bar\" } }".write(toFile: path("config"), atomically: true, encoding: .utf8)
            let fonts = "<fontconfig><cachedir>\(path("cache"))</cachedir></fontconfig>"
            try fonts.write(toFile: path("fonts.conf"), atomically: true, encoding: .utf8)
        }

        func path(_ name: String) -> String { "\(folder.path)/\(name)" }

        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: "\(data)/\(name)", withDestinationPath: target)
        }

        /// Saves a picture of a window with a title, and types into another one.
        func run(picture: String) throws -> (status: Int32?, output: String) {
            let script = """
                env -u FONTCONFIG_FILE foot --config=/dev/null --title=MMMM sh -c 'printf "\\033[?25l"; sleep 1000' 2>/dev/null &
                mullionctl wait window application=foot visible idle
                mullionctl screenshot -o \(path(picture))
                mullionctl claim title=Keys key >/dev/null &
                mullionctl wait window title=Keys key
                mullionctl type a
                """
            let program = try Program(
                path("bin/mullionctl"),
                ["run", "--config", path("config"), "--profile", "none", "--", "sh", "-ec", script],
                environment: [
                    "PATH": "\(path("bin")):/usr/bin:/bin", "HOME": folder.path, "TMPDIR": folder.path,
                    "XKB_CONFIG_ROOT": folder.path, "FONTCONFIG_FILE": path("fonts.conf"),
                ])
            let output = program.outputAtEnd()
            return (program.exitStatus, output)
        }
    }

    @Test("they take the place of the system's keyboard data and fonts")
    func data() throws {
        let installation = try Installation()
        let nothing = try installation.run(picture: "nothing.png")
        #expect(nothing.status != 0, "\(nothing.output)")

        try installation.link("xkb", to: "/usr/share/X11/xkb")
        for picture in ["keyboard.png", "again.png"] {
            let keyboard = try installation.run(picture: picture)
            #expect(keyboard.status == 0, "\(keyboard.output)")
        }

        try installation.link("fonts", to: "/usr/share/fonts/truetype/dejavu")
        let all = try installation.run(picture: "all.png")
        #expect(all.status == 0, "\(all.output)")
        let pictures = try ["keyboard.png", "again.png", "all.png"].map {
            try Data(contentsOf: URL(filePath: installation.path($0)))
        }
        #expect(pictures[0] == pictures[1] && pictures[1] != pictures[2], "the title needs a font")
    }
}
