// mullionctl doctor on machines that lack something, and what programs say there.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct DoctorTests {
    /// The output of `--json`.
    private struct Report: Decodable {
        struct Distribution: Decodable { var id: String, name: String, family: String? }
        struct Feature: Decodable { var name: String, required: Bool, state: String, missing: [String] }
        struct Missing: Decodable { var name: String, title: String, packages: [String: [String]] }

        var complete: Bool
        var distribution: Distribution
        var packages: [String]?
        var features: [Feature]
        var missing: [Missing]

        func state(of name: String) -> String? { features.first { $0.name == name }?.state }
    }

    private typealias Outcome = (output: String, status: Int32?)

    /// Runs a program on a machine without some files and folders.
    /// - Parameters:
    ///   - hidden: patterns of their paths.
    ///   - release: the contents of os-release; nil: this machine's.
    private func run(
        _ words: [String], without hidden: [String] = [], release: String? = nil, environment: [String: String] = [:]
    ) throws -> Outcome {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/empty", withIntermediateDirectories: true)
        if let release {
            try release.write(toFile: folder.path + "/os-release", atomically: true, encoding: .utf8)
        }
        let script = """
            for path in $HIDDEN; do
                [ ! -d "$path" ] || mount --bind "$0/empty" "$path"
                [ ! -f "$path" ] || mount --bind /dev/null "$path"
            done
            [ ! -e "$0/os-release" ] || mount --bind "$0/os-release" /etc/os-release
            [ -z "$FOUND" ] || PATH=$FOUND
            exec "$@"
            """
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let variables = ["HIDDEN": hidden.joined(separator: " "), "PATH": "\(Programs.shipped):\(path)"]
        let program = try Program(
            "unshare", ["-m", "sh", "-c", script, folder.path] + words,
            environment: environment.merging(variables) { $1 })
        return (program.outputAtEnd(), program.exitStatus)
    }

    private func doctor(
        _ words: [String] = [], without hidden: [String] = [], release: String? = nil,
        environment: [String: String] = [:]
    ) throws -> (report: Report, status: Int32?) {
        let (output, status) = try run(
            [Programs.shipped + "/mullionctl", "doctor", "--json"] + words, without: hidden, release: release,
            environment: environment)
        return (try JSONDecoder().decode(Report.self, from: Data(output.utf8)), status)
    }

    static let canHide: Bool = {
        let words = ["-m", "mount", "--bind", "/dev/null", "/etc/os-release"]
        guard geteuid() == 0, let program = try? Program("unshare", words) else { return false }
        _ = program.outputAtEnd()
        return program.exitStatus == 0
    }()

    private static let fonts = ["/usr/share/fonts", "/usr/local/share/fonts"]

    @Test(
        "what is missing is named with its feature; the exit status is 1 if that is essential",
        .enabled(if: canHide, "files can be hidden"),
        arguments: [
            (["/usr/share/X11/xkb"], "server", "xkb-data"), (fonts, "text", "fonts"), (fonts, "titles", "fonts"),
            (["/usr/share/fonts/*/dejavu", "/usr/share/fonts/dejavu*"], "text", "dejavu"),
            (["/usr/lib/*/libpng16.so.16", "/usr/lib64/libpng16.so.16"], "pictures", "libpng"),
            (["/usr/lib/*/libisal.so.2", "/usr/lib64/libisal.so.2"], "pictures", "isa-l"),
            (["/usr/lib/*/libcairo.so.2", "/usr/lib64/libcairo.so.2"], "titles", "cairo"),
            (["/usr/lib/*/libsystemd.so.0", "/usr/lib64/libsystemd.so.0"], "widgets", "libsystemd"),
            (["/usr/share/hwdata"], "vendors", "hwdata"),
        ])
    func missing(hidden: [String], feature: String, name: String) throws {
        let limited = ["isa-l", "dejavu"].contains(name)
        let essential = ["server", "text", "pictures"].contains(feature)
        let (report, status) = try doctor(without: hidden)
        let found = try #require(report.features.first { $0.name == feature })
        #expect(found.missing.contains(name) && found.state == (limited ? "limited" : "missing"), "\(found)")
        #expect(found.required == essential && report.missing.contains { $0.name == name })
        #expect(report.complete == (status == 0))
        if essential, !limited { #expect(status == 1) }
        // A feature that was asked for is needed.
        let asked = try doctor([feature], without: hidden)
        if !limited { #expect(asked.status == 1) }
        #expect(Set(asked.report.features.map(\.name)) == ["server", "pictures", "text", feature])
    }

    @Test(
        "programs that are not in PATH, and data that is not in XDG_DATA_DIRS",
        .enabled(if: canHide, "files can be hidden"))
    func programs() throws {
        let variables = ["FOUND": "/proc/nowhere", "XDG_DATA_DIRS": "/proc/nowhere"]
        let (report, _) = try doctor(["video", "x11", "widgets", "dbus"], environment: variables)
        #expect(report.features.filter { $0.name == "video" }.map(\.missing) == [["ffmpeg"]])
        #expect(report.features.filter { $0.name == "x11" }.map(\.missing) == [["xwayland"]])
        #expect(report.state(of: "dbus") == "missing")
        let widgets = try #require(report.features.first { $0.name == "widgets" })
        #expect(widgets.missing.starts(with: ["dbus-daemon", "at-spi2-core"]), "\(widgets)")
    }

    @Test("a folder for temporary files that cannot be used")
    func temporaryFolder() throws {
        for folder in ["/proc/nowhere", "/tmp/" + String(repeating: "x", count: 90)] {
            let program = try Program(
                Programs.shipped + "/mullionctl", ["doctor", "server"], environment: ["TMPDIR": folder])
            let output = program.outputAtEnd()
            #expect(output.hasPrefix("needed") && output.contains("set TMPDIR to"), "\(output)")
            #expect(program.exitStatus == 1)
        }
    }

    @Test(
        "the command that installs is the distribution's own", .enabled(if: canHide, "files can be hidden"),
        arguments: [
            ("ID=debian", "apt-get install fonts-dejavu-core\n"),
            ("ID=pop\nID_LIKE=\"ubuntu debian\"", "apt-get install fonts-dejavu-core\n"),
            ("ID=fedora\nNAME=Fedora", "on Fedora:\n  dnf install dejavu-sans-fonts dejavu-sans-mono-fonts"),
            ("ID=rocky\nID_LIKE='rhel centos fedora'", "EPEL"), ("ID=arch", "  pacman -S ttf-dejavu\n"),
            ("ID=alpine", "  Debian, Ubuntu: apt-get install fonts-dejavu-core\n  Fedora, RHEL: dnf install"),
        ])
    func distributions(release: String, command: String) throws {
        let words = [Programs.shipped + "/mullionctl", "doctor", "text"]
        let (output, status) = try run(words, without: Self.fonts, release: release)
        #expect(status == 1 && output.contains(command), "\(output)")
        #expect(output.contains("text    fonts    programs show boxes instead of letters\n"), "\(output)")
        let report = try doctor(["text"], without: Self.fonts, release: release).report
        #expect((report.packages == nil) == (report.distribution.family == nil))
        #expect(report.missing.map(\.packages["arch"]) == [["ttf-dejavu"]])
    }

    @Test("an unknown feature is refused, and the known ones are named")
    func unknown() throws {
        let program = try Program(Programs.shipped + "/mullionctl", ["doctor", "x11", "vidoe"])
        let output = program.outputAtEnd()
        #expect(program.exitStatus == 2, "\(output)")
        let message = "\"vidoe\" is not a feature; did you mean video? (use one of server, pictures, "
        #expect(output.hasPrefix("mullionctl: doctor: " + message), "\(output)")
    }

    // MARK: What programs say

    private static let savesEDID =
        #"mullionctl displays --json | sed 's/.*"edid":"\([^"]*\)".*/\1/' | base64 -d >$0.edid"#
    private static let plugs = "mullionctl plug edid=$0.edid port=$port"

    @Test(
        "what is lost without a library or data is said in words", .enabled(if: canHide, "files can be hidden"),
        arguments: [
            ("/usr/lib/*/libisal.so.2", "mullionctl screenshot BUILTIN-1 -o /dev/null", "compressed by zlib"),
            ("/usr/lib/*/libpng16.so.16", "mullionctl compare $0 BUILTIN-1 || true", "libpng cannot be loaded"),
            ("/usr/share/X11/xkb", "mullionctl type a || true", "the configured keyboard layout cannot be compiled"),
            ("/usr/share/hwdata", "\(savesEDID); for port in A B; do \(plugs); done", "have three letters"),
        ])
    func losses(hidden: String, command: String, message: String) throws {
        let folder = try TemporaryFolder()
        let golden = folder.path + "/golden.png"
        let start = ["mullionctl", "run", "--screen", "64x48"]
        #expect(try run(start + ["--", "mullionctl", "screenshot", "BUILTIN-1", "-o", golden]).status == 0)
        let artifacts = ["--artifacts", folder.path + "/artifacts"]
        let (output, status) = try run(start + artifacts + ["--", "sh", "-c", command, golden], without: [hidden])
        #expect(status == 0, "\(output)")
        let log = try String(contentsOfFile: folder.path + "/artifacts/mulliond.log", encoding: .utf8)
        #expect((output + log).contains(message), "\(output)\(log)")
        #expect((output + log).contains("mullionctl doctor"), "\(output)\(log)")
        #expect(log.ranges(of: "mullionctl doctor").count <= 1, "once")
    }

    @Test(
        "without libsystemd, the server says that it does without its service manager",
        .enabled(if: canHide, "files can be hidden"))
    func service() throws {
        let folder = try TemporaryFolder()
        let script = """
            "$0" --screen 64x48 --state none --ready-fd 3 3>"$XDG_RUNTIME_DIR/ready" &
            while [ ! -s "$XDG_RUNTIME_DIR/ready" ] && kill -0 $!; do sleep 0.05; done
            kill $!; wait
            """
        let (output, _) = try run(
            ["sh", "-c", script, Programs.server], without: ["/usr/lib/*/libsystemd.so.0"],
            environment: ["XDG_RUNTIME_DIR": folder.path, "NOTIFY_SOCKET": folder.path + "/none"])
        #expect(output.contains("mullionctl doctor service names the package"), "\(output)")
        #expect(output.contains("serving clients on") && output.ranges(of: "service manager").count == 1, "\(output)")
    }
}
