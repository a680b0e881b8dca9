// mullionctl record: videos of screens and windows, read again with FFmpeg.

import DisplayServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import ControlAPI

extension FrameWaits {
    /// Whether requests wait and none is due.
    fileprivate var areCurrent: Bool { !waits.isEmpty && !waits.contains(where: isDue) }
}

@Suite(.enabled(if: Program.isInstalled("ffmpeg") && Program.isInstalled("ffprobe")))
struct VideoTests {
    /// A recording of a fixture's server, whose clock is manual.
    private final class Recording {
        let fixture: ServerFixture
        let control: TestControl
        let client: TestClient
        let window: TestWindow
        let folder: String
        var program: Program?
        var output = ""

        init(screens: [String] = ["64x48,name=A"]) throws {
            fixture = try ServerFixture(screens: screens, clock: .manual)
            control = try TestControl(fixture)
            client = try fixture.connect()
            window = client.window("w").color(0xffff_0000).frame(0, 0, 64, 48)
            window.show()
            folder = try fixture.runtimeDirectory() + "/videos"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try fixture.pump()
        }

        /// Starts to record; returns when the first picture is taken and the next one awaited.
        func begin(_ file: String, _ options: [String]) throws {
            try start(["-o", "\(folder)/\(file)", "--fps-limit", "120"] + options)
            try awaitPicture()
        }

        func start(_ words: [String], environment: [String: String] = [:]) throws {
            program = try Program(
                Programs.built + "/mullionctl", ["--control", control.path, "record"] + words,
                environment: environment)
        }

        /// Waits until the latest picture is recorded.
        func awaitPicture() throws {
            try fixture.wait(for: "the recorder") {
                control.control.frameWaits.areCurrent || program?.isRunning == false
            }
            try #require(program?.isRunning == true, "\(program?.readOutput() ?? "")")
        }

        func show(_ color: UInt32, after microseconds: UInt64) throws {
            try fixture.step(microseconds)
            window.color(color).commit()
            try fixture.pump()
            try awaitPicture()
        }

        /// Waits for its end; returns its exit status.
        func end(_ signal: Int32? = nil) throws -> Int32? {
            if let signal { program?.kill(signal) }
            try fixture.wait(for: "its end") { program?.isRunning == false }
            output = program?.readOutput() ?? ""
            return program?.exitStatus
        }

        var files: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
        }

        /// What a file contains.
        func video(_ file: String) throws -> RecordedVideo { try RecordedVideo("\(folder)/\(file)") }

        /// The red, green and blue of a pixel in every frame.
        func pixels(_ file: String, _ x: Int, _ y: Int) throws -> [[UInt8]] { try video(file).pixels(x, y) }
    }

    private func isNear(_ one: [UInt8], _ other: [UInt8]) -> Bool { RecordedVideo.areNear(one, other) }

    private let red: [UInt8] = [255, 0, 0]
    private let green: [UInt8] = [0, 128, 0]
    private let blue: [UInt8] = [0, 0, 200]

    @Test(
        "a frame for each change, at its time on the server's clock, and the last one again at the end",
        arguments: [("webm", "vp9"), ("mp4", "h264"), ("gif", "gif")])
    func changes(ending: String, codec: String) throws {
        let recording = try Recording()
        let file = "video.\(ending)"
        try recording.begin(file, ["--screen", "A"])
        try recording.show(0xff00_8000, after: 500_000)
        // Nothing that can be seen.
        try recording.show(0xff00_8000, after: 250_000)
        try recording.show(0xff00_00c8, after: 1_250_000)
        try recording.fixture.step(1_000_000)
        #expect(try recording.end(SIGINT) == 0, "\(recording.output)")
        #expect(recording.output == "\(recording.folder)/\(file): 3 pictures of A in 3 s\n")
        #expect(try recording.files == [file], "no temporary file is left")
        let video = try recording.video(file)
        #expect(video.streams.map(\.codec_name) == [codec])
        #expect(video.streams[0].width == 64 && video.streams[0].height == 48)
        #expect(video.times.dropLast() == [0, 500, 2000] && (2970..<3000).contains(video.times.last ?? 0))
        #expect((2995...3005).contains(video.duration), "\(video.duration)")
        let pixels = try recording.pixels(file, 32, 24)
        #expect(pixels.count == 4 && zip(pixels, [red, green, blue, blue]).allSatisfy(isNear), "\(pixels)")
    }

    @Test("of the pictures that follow each other within a step of a GIF, it has the last one")
    func steps() throws {
        let recording = try Recording()
        try recording.begin("video.gif", [])
        try recording.show(0xffff_ff00, after: 504_000)
        try recording.show(0xff00_ff00, after: 4_000)
        try recording.show(0xff00_8000, after: 4_000)
        try recording.show(0xff00_00c8, after: 493_000)
        try recording.show(0xffff_ffff, after: 14_000)
        try recording.show(0xffff_0000, after: 30_000)
        #expect(try recording.end(SIGINT) == 0, "\(recording.output)")
        let video = try recording.video("video.gif")
        #expect(video.times.prefix(3) == [0, 500, 1000], "\(video.times)")
        let pixels = try recording.pixels("video.gif", 32, 24)
        #expect(zip(pixels, [red, green, [255, 255, 255]]).allSatisfy(isNear), "\(pixels)")
    }

    @Test("a GIF shows the first picture again after another one")
    func again() throws {
        let recording = try Recording()
        try recording.begin("video.gif", [])
        for color in [0xffff_ffff, 0xffff_0000, 0xff00_8000, 0xffff_0000] as [UInt32] {
            try recording.show(color, after: 500_000)
        }
        try recording.fixture.step(500_000)
        #expect(try recording.end(SIGINT) == 0, "\(recording.output)")
        let pixels = try recording.pixels("video.gif", 32, 24)
        let seen = [red, [255, 255, 255], red, green, red, red]
        #expect(pixels.count == seen.count && zip(pixels, seen).allSatisfy(isNear), "\(pixels)")
    }

    @Test("the limit counts from the arrival of a picture, however long it was awaited")
    func limit() throws {
        let recording = try Recording()
        try recording.start(["-o", "\(recording.folder)/video.webm", "--fps-limit", "4"])
        try recording.awaitPicture()
        // Longer than the shortest time between two pictures.
        let idle = ContinuousClock.now + .milliseconds(300)
        try recording.fixture.wait(for: "time to pass") { ContinuousClock.now >= idle }
        let change = ContinuousClock.now
        try recording.show(0xff00_8000, after: 500_000)
        #expect(ContinuousClock.now - change >= .milliseconds(250))
        #expect(try recording.end(SIGINT) == 0, "\(recording.output)")
    }

    @Test("a screen that is unplugged ends the video, which is complete")
    func unplug() throws {
        let recording = try Recording(screens: ["64x48,name=A", "32x32,name=B"])
        try recording.begin("video.webm", ["--screen", "A"])
        try recording.show(0xff00_8000, after: 500_000)
        try recording.fixture.step(500_000)
        #expect(try recording.control.send("DELETE", "/v1/screens/A").status < 300)
        #expect(try recording.end() == 0)
        #expect(recording.output.contains("2 pictures of A in 1 s; it ended early:"), "\(recording.output)")
        let pixels = try recording.pixels("video.webm", 32, 24)
        #expect(zip(pixels, [red, green]).allSatisfy(isNear), "\(pixels)")
    }

    @Test("after a rotation pictures are fitted into the first one's size; odd sizes are padded")
    func rotation() throws {
        let recording = try Recording(screens: ["63x31,name=A"])
        try recording.begin("video.mp4", ["--screen", "A", "--upright"])
        let body = #"{"orientation":"landscapeLeft"}"#
        try recording.fixture.step(200_000)
        #expect(try recording.control.send("PATCH", "/v1/screens/A", body).status == 200)
        recording.window.frame(0, 0, 31, 63).commit()
        try recording.fixture.pump()
        try recording.awaitPicture()
        #expect(try recording.end(SIGTERM) == 0)
        #expect(recording.output.contains("were fitted into 63×31"), "\(recording.output)")
        let video = try recording.video("video.mp4")
        #expect(video.streams[0].width == 64 && video.streams[0].height == 32)
        let (side, middle) = (try recording.pixels("video.mp4", 4, 15), try recording.pixels("video.mp4", 31, 15))
        let (first, last) = (try #require(side.first), try #require(side.last))
        #expect(isNear(first, red) && isNear(last, [0, 0, 0]), "\(side)")
        #expect(isNear(middle.last ?? [], red), "\(middle)")
    }

    @Test("a window by itself, although another one covers it, until it is closed")
    func window() throws {
        let recording = try Recording()
        let cover = recording.client.window("cover").color(0xffff_ffff).frame(0, 0, 64, 48)
        cover.show()
        recording.window.frame(10, 10, 20, 16).commit()
        try recording.fixture.pump()
        let id = try #require(recording.fixture.model.windows.first)
        try recording.begin("video.webm", ["--window", "\(id)"])
        try recording.show(0xff00_00c8, after: 500_000)
        #expect(try recording.control.send("DELETE", "/v1/windows/\(id)?force=true").status == 204)
        #expect(try recording.end() == 0, "\(recording.output)")
        #expect(recording.output.contains("2 pictures of window \(id) in 0.5"), "\(recording.output)")
        let video = try recording.video("video.webm")
        #expect(video.streams[0].width == 20 && video.streams[0].height == 16)
        let pixels = try recording.pixels("video.webm", 10, 8)
        #expect(zip(pixels, [red, blue]).allSatisfy(isNear), "\(pixels)")
        let both = try recording.control.send("GET", "/v1/capture?window=1&joined=true")
        #expect(both.status == 400 && both.body.contains("use window, screen or joined, only one of them"))
    }

    @Test("the command's exit status and its output; a wrong command leaves no file")
    func command() throws {
        let recording = try Recording()
        try recording.start(["-o", "\(recording.folder)/video.gif", "--", "sh", "-c", "echo from the command; exit 7"])
        #expect(try recording.end() == 7, "\(recording.output)")
        let report = "mullionctl: \(recording.folder)/video.gif: 1 picture of all screens"
        #expect(recording.output.hasPrefix("from the command\n\(report)"), "\(recording.output)")
        try recording.start(["-o", "\(recording.folder)/b.gif", "--", "/no/such/program"])
        #expect(try recording.end() == 127 && recording.output.contains("/no/such/program"))
        #expect(try recording.files == ["video.gif"])
    }

    @Test("without ffmpeg, in a missing folder, or of a missing screen, nothing is recorded and nothing left")
    func refusals() throws {
        let recording = try Recording()
        func output(_ words: [String], path: String? = nil) throws -> String {
            var environment: [String: String] = [:]
            if let path { environment["PATH"] = path }
            try recording.start(words, environment: environment)
            #expect(try recording.end() != 0)
            return recording.output
        }
        let file = "\(recording.folder)/a.mp4"
        #expect(try output(["-o", file], path: "/nonexistent").contains("not installed; use apt-get install ffmpeg"))
        #expect(try output(["-o", "/no/folder/a.mp4"]).contains("/no/folder/a.mp4: No such file or directory"))
        #expect(try output(["-o", file, "--screen", "Z"]).contains("Z"))
        #expect(try output(["-o", "a.avi"]).contains("use a name that ends in .webm, .mp4 or .gif"))
        #expect(try output(["-o", file, "--fps-limit", "0"]).contains("use 0.1 to 120"))
        #expect(try output(["-o", file, "--popups"]).contains("--popups is an option of --window ID"))
        #expect(try recording.files == [])
    }

    /// Whether this user may mount a file system in a private mount namespace.
    static let canMount: Bool = {
        let words = ["-m", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]
        guard let program = try? Program("unshare", words) else { return false }
        _ = program.outputAtEnd()
        return program.exitStatus == 0
    }()

    @Test("on a full disk the recording fails with the reason, and leaves nothing", .enabled(if: canMount))
    func fullDisk() throws {
        let recording = try Recording()
        let script = """
            mount -t tmpfs -o size=64k none "$0" || exit 9
            dd if=/dev/zero of="$0/filler" bs=4096 2>/dev/null
            "$@"; status=$?; ls "$0"; exit $status
            """
        recording.program = try Program(
            "unshare",
            [
                "-m", "sh", "-c", script, recording.folder, Programs.built + "/mullionctl", "--control",
                recording.control.path, "record", "-o", "\(recording.folder)/a.webm", "--duration", "10ms",
            ])
        #expect(try recording.end() == 1)
        #expect(recording.output.contains("No space left on device"), "\(recording.output)")
        #expect(recording.output.hasSuffix("\nfiller\n"), "\(recording.output)")
    }
}
