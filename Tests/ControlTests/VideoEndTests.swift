// mullionctl record with a server or an ffmpeg that hangs, fails, or ends.

import Compositor
import DisplayServer
import EventLoop
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite(.enabled(if: Program.isInstalled("ffmpeg") && Program.isInstalled("ffprobe")))
struct VideoEndTests {
    /// A control server with a manual clock, which sends what a test says.
    private final class Server {
        let fixture: ServerFixture
        let folder: String
        private var http: HTTPServer?
        /// The answers to requests for the present picture, in order; nil: none.
        var pictures: [HTTPResponse?] = []
        /// The answers to requests for the next picture.
        var changes: [HTTPResponse?] = []
        var answersClock = true
        /// The requests that have no answer.
        private(set) var held: [HTTPRequest] = []

        init() throws {
            fixture = try ServerFixture(screens: [])
            folder = try fixture.runtimeDirectory() + "/videos"
            for name in [folder, folder + "-programs"] {
                try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
            }
            let http = try HTTPServer(fixture.loop) { [unowned self] in answer($0) }
            try http.listen(on: .unix(path: folder + "-control", mode: 0o600))
            self.http = http
        }

        private func answer(_ request: HTTPRequest) {
            var response: HTTPResponse?
            if request.path.last == "clock" {
                if answersClock { response = Self.response(200, #"{"mode":"manual","now":4000000}"#) }
            } else if request.queryItem("after") == nil {
                if !pictures.isEmpty { response = pictures.removeFirst() }
            } else if !changes.isEmpty {
                response = changes.removeFirst()
            }
            if let response { request.reply(response) } else { held.append(request) }
        }

        /// Closes all connections.
        func end() {
            http?.stopListening()
            (http, held) = (nil, [])
        }

        static func response(_ status: Int, _ body: String) -> HTTPResponse {
            HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        }

        static func problem(_ status: Int, _ detail: String) -> HTTPResponse {
            response(
                status,
                #"{"code":"other","detail":"\#(detail)","status":\#(status),"title":"","type":"about:blank"}"#)
        }

        /// - Parameters:
        ///   - seconds: the server's time.
        ///   - padding: how many bytes follow the picture.
        static func picture(_ color: UInt32, frame: Int, seconds: Int, padding: Int = 0) throws -> HTTPResponse {
            let bytes = try PNG.encode(Bitmap(width: 32, height: 32, filledWith: color))
            let png = Data(bytes + [UInt8](repeating: 0, count: padding)).base64EncodedString()
            let time = seconds * 1_000_000
            return response(
                200,
                #"{"frame":\#(frame),"keyWindow":null,"png":"\#(png)","screens":[],"time":\#(time),"windows":[]}"#)
        }

        /// Starts to record.
        /// - Parameters:
        ///   - ffmpeg: a shell script instead of ffmpeg; nil: ffmpeg.
        ///   - hidesDescriptors: whether its /proc/self/fd is empty.
        func record(
            _ file: String, _ words: [String] = [], json: Bool = false, ffmpeg: String? = nil,
            hidesDescriptors: Bool = false
        ) throws -> Program {
            var path = "/usr/local/bin:/usr/bin:/bin"
            if let ffmpeg {
                path = "\(folder)-programs:\(path)"
                // Written by another process: programs that other tests start could inherit a descriptor that is open for
                // writing, and nobody can run the file meanwhile.
                let script = "#!/bin/sh\necho $$ > \(folder)-pid\n\(ffmpeg)"
                let words = ["-c", #"echo "$1" > "$0" && chmod 700 "$0""#, "\(folder)-programs/ffmpeg", script]
                #expect(try Program("sh", words).outputAtEnd() == "")
            }
            var command =
                hidesDescriptors ? ["-m", "sh", "-c", #"mount -t tmpfs none /proc/$$/fd && exec "$0" "$@""#] : []
            command += [Programs.built + "/mullionctl", "--control", folder + "-control"] + (json ? ["--json"] : [])
            command += ["record", "-o", "\(folder)/\(file)", "--screen", "A"] + words
            let program = hidesDescriptors ? "unshare" : command.removeFirst()
            return try Program(program, command, environment: ["PATH": path])
        }

        func wait(for what: String, _ program: Program, until condition: () throws -> Bool) throws {
            try fixture.wait(for: what) {
                let holds = try condition()
                try #require(holds || program.isRunning, "\(what): \(program.readOutput())")
                return holds
            }
        }

        /// Returns what the program wrote.
        func end(of program: Program) throws -> String {
            try fixture.wait(for: "the end") { !program.isRunning }
            return program.readOutput()
        }

        /// The process of the script that replaces ffmpeg, once it runs.
        var fake: pid_t? {
            let text = try? String(contentsOfFile: folder + "-pid", encoding: .utf8)
            return text.flatMap { pid_t($0.dropLast()) }
        }

        /// Whether that has ended and was collected.
        var isFakeGone: Bool { fake.map { kill($0, 0) != 0 } ?? false }

        var files: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
        }

        func pixels(_ file: String) throws -> [[UInt8]] { try RecordedVideo("\(folder)/\(file)").pixels(16, 16) }
    }

    private let red: [UInt8] = [255, 0, 0]
    private let blue: [UInt8] = [0, 0, 200]

    private func areNear(_ some: [[UInt8]], _ others: [[UInt8]]) -> Bool {
        some.count == others.count && zip(some, others).allSatisfy(RecordedVideo.areNear)
    }

    // MARK: A server that hangs

    @Test(
        "a server that hangs: the video is complete up to there, at once after a second signal",
        arguments: [
            (true, "a second signal arrived before the server's last picture"),
            (false, "the server did not answer within 15 seconds"),
        ])
    func silence(isHurried: Bool, reason: String) throws {
        let server = try Server()
        server.pictures = [try Server.picture(0xff_0000, frame: 1, seconds: 1)]
        server.changes = [try Server.picture(0x00_00c8, frame: 2, seconds: 3)]
        let program = try server.record("a.webm")
        try server.wait(for: "the recorder", program) { server.held.count == 1 }
        program.kill(SIGINT)
        try server.wait(for: "the request for the last picture", program) { server.held.count == 2 }
        if isHurried { program.kill(SIGTERM) }
        let output = try server.end(of: program)
        let expected = "mullionctl: \(server.folder)/a.webm: 2 pictures of A in 2.001 s; it ended early: \(reason)\n"
        #expect(program.exitStatus == 1 && output == expected, "\(output)")
        #expect(try server.files == ["a.webm"])
        #expect(areNear(try server.pixels("a.webm"), [red, blue]))
    }

    @Test("a server that hangs before the first picture: signals have their usual effect")
    func silentBeginning() throws {
        let server = try Server()
        server.answersClock = false
        let program = try server.record("a.webm")
        try server.wait(for: "the recorder", program) { server.held.count == 1 }
        program.kill(SIGINT)
        #expect(try server.end(of: program) == "" && program.exitStatus == -1)
        #expect(try server.files == [])
    }

    // MARK: The end of a recording

    @Test(
        "a server that ends or refuses makes the recording fail, with a complete video",
        arguments: [nil, (429, "slow down"), (503, "limit reached")])
    func failure(refusal: (status: Int, detail: String)?) throws {
        let server = try Server()
        server.pictures = [try Server.picture(0xff_0000, frame: 1, seconds: 1)]
        if let refusal { server.changes = [Server.problem(refusal.status, refusal.detail)] }
        let program = try server.record("a.mp4", json: true)
        if refusal == nil {
            try server.wait(for: "the recorder", program) { server.held.count == 1 }
            server.end()
        }
        let output = try server.end(of: program)
        let reason = refusal?.detail ?? "the server at \(server.folder)-control closed the connection"
        let file = server.folder + "/a.mp4"
        #expect(program.exitStatus == 1)
        #expect(
            output == #"{"ended":"\#(reason)","file":"\#(file)","height":32,"pictures":1,"seconds":0.001,"width":32}"#
                + "\n")
        #expect(areNear(try server.pixels("a.mp4"), [red]))
    }

    @Test("what is recorded is gone: the recording ends as usual, at the server's time")
    func gone() throws {
        let server = try Server()
        server.pictures = [try Server.picture(0xff_0000, frame: 1, seconds: 1)]
        let problem = Server.problem(404, "there is no screen A")
        // The command may have ended before the request for the next picture.
        (server.pictures, server.changes) = (server.pictures + [problem], [problem])
        let program = try server.record("a.webm", ["--", "sh", "-c", "exit 3"], json: true)
        let output = try server.end(of: program)
        #expect(program.exitStatus == 3)
        #expect(output.contains(#""ended":"there is no screen A","#) && output.contains(#""seconds":3,"#), "\(output)")
    }

    @Test("a last picture that is older than the latest one is not shown")
    func order() throws {
        let server = try Server()
        server.pictures = [
            try Server.picture(0xff_0000, frame: 1, seconds: 1), try Server.picture(0x00_ff00, frame: 2, seconds: 2),
        ]
        server.changes = [try Server.picture(0x00_00c8, frame: 3, seconds: 3)]
        let program = try server.record("a.webm")
        try server.wait(for: "the recorder", program) { server.held.count == 1 }
        program.kill(SIGINT)
        let output = try server.end(of: program)
        #expect(program.exitStatus == 0 && output.contains("2 pictures of A in 2.001 s"), "\(output)")
        #expect(areNear(try server.pixels("a.webm"), [red, blue]))
    }

    // MARK: ffmpeg

    @Test(
        "an ffmpeg that hangs: after a warning, a signal gives the video up, and nothing is left",
        arguments: [0, 1 << 20])
    func hangingEncoder(padding: Int) throws {
        let server = try Server()
        // The larger ones do not fit into the pipe.
        let picture = try Server.picture(0xff_0000, frame: 1, seconds: 1, padding: padding)
        server.pictures = [picture, picture]
        server.changes = [try Server.picture(0x00_00c8, frame: 2, seconds: 2, padding: padding)]
        let program = try server.record("a.webm", ffmpeg: "trap '' TERM HUP; exec sleep 600")
        try server.wait(for: "the recorder", program) { server.changes.isEmpty && server.fake != nil }
        // As often as it takes.
        try server.fixture.wait(for: "the end") {
            program.kill(SIGTERM)
            return !program.isRunning
        }
        let output = program.readOutput()
        #expect(program.exitStatus == 128 + SIGTERM)
        #expect(output.contains("is being completed; another signal gives it up\n"), "\(output)")
        #expect(output.hasSuffix("a.webm was given up, because ffmpeg had not completed it\n"), "\(output)")
        #expect(try server.isFakeGone && server.files == [])
    }

    @Test(
        "an ffmpeg that hangs ends the recording without a signal, and is not taken for a server that hangs",
        // Pictures that fit into the pipe, and pictures that do not.
        arguments: [0, 1 << 20])
    func hangingEncoderWithoutSignal(padding: Int) throws {
        let server = try Server()
        let picture = try Server.picture(0xff_0000, frame: 1, seconds: 1, padding: padding)
        server.pictures = [picture, picture]
        server.changes = [try Server.picture(0x00_00c8, frame: 2, seconds: 2, padding: padding)]
        let program = try server.record(
            "a.webm", ["--duration", "1s", "--", "true"], ffmpeg: "trap '' TERM HUP; exec sleep 600")
        let output = try server.end(of: program)
        let file = server.folder + "/a.webm"
        #expect(output == "mullionctl: \(file) was given up, because ffmpeg did nothing for 15 seconds\n", "\(output)")
        #expect(try program.exitStatus == 1 && server.isFakeGone && server.files == [])
    }

    @Test(
        "an ffmpeg that fails ends the recording, with the reason",
        arguments: [("exit 255", "ended with exit status 255"), ("kill -KILL $$", "was ended by SIGKILL")])
    func failingEncoder(script: String, reason: String) throws {
        let server = try Server()
        server.pictures = [try Server.picture(0xff_0000, frame: 1, seconds: 1)]
        let program = try server.record("a.webm", ffmpeg: "echo it broke >&2; \(script)")
        let output = try server.end(of: program)
        #expect(output == "mullionctl: \(server.folder)/a.webm: ffmpeg \(reason)\n  it broke\n")
        #expect(try program.exitStatus == 1 && server.files == [])
    }

    @Test("a recording that has failed waits for its command, whose exit status wins", arguments: [(0, 1), (7, 7)])
    func failureBesideCommand(status: Int32, expected: Int32) throws {
        let server = try Server()
        let picture = try Server.picture(0xff_0000, frame: 1, seconds: 1)
        server.pictures = [picture, picture]
        let pipe = server.folder + "-pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let program = try server.record(
            "a.webm", ["--duration", "1ms", "--", "sh", "-c", "read line < \(pipe); exit \(status)"],
            ffmpeg: "exit 1")
        try server.wait(for: "ffmpeg to fail", program) { server.isFakeGone }
        var writer: Int32 = -1
        try server.fixture.wait(for: "the command") {
            writer = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            return writer >= 0
        }
        write(writer, "\n", 1)
        close(writer)
        let output = try server.end(of: program)
        #expect(program.exitStatus == expected && output.contains("ffmpeg ended with exit status 1"), "\(output)")
    }

    // MARK: The file

    @Test("a recorder that is killed leaves no file")
    func killed() throws {
        let server = try Server()
        server.pictures = [try Server.picture(0xff_0000, frame: 1, seconds: 1)]
        let program = try server.record("a.webm")
        try server.wait(for: "the recorder", program) { server.held.count == 1 }
        program.kill(SIGKILL)
        _ = try server.end(of: program)
        #expect(try server.files == [])
    }

    @Test("where a file cannot do without a name, it has another one until then", .enabled(if: VideoTests.canMount))
    func named() throws {
        let server = try Server()
        let picture = try Server.picture(0xff_0000, frame: 1, seconds: 1)
        server.pictures = [picture, picture]
        // Through that folder, a file without a name gets one.
        let program = try server.record("a.webm", hidesDescriptors: true)
        try server.wait(for: "the recorder", program) { server.held.count == 1 }
        #expect(try server.files == ["a.webm.\(program.pid).tmp"])
        program.kill(SIGINT)
        #expect(try server.end(of: program).contains("1 picture of A") && program.exitStatus == 0)
        #expect(try server.files == ["a.webm"])
    }

    @Test("the file behind a link is replaced; what is not a regular file is refused")
    func links() throws {
        let server = try Server()
        let picture = try Server.picture(0xff_0000, frame: 1, seconds: 1)
        let target = server.folder + "/target"
        try Data("old".utf8).write(to: URL(filePath: target))
        #expect(symlink("target", server.folder + "/a.webm") == 0 && mkfifo(server.folder + "/b.webm", 0o600) == 0)
        server.pictures = [picture, picture, picture]
        let program = try server.record("a.webm", ["--duration", "1ms"])
        #expect(try server.end(of: program).contains("1 picture of A") && program.exitStatus == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: server.folder + "/a.webm") == "target")
        #expect(try RecordedVideo(target).streams.map(\.codec_name) == ["vp9"])
        let refused = try server.record("b.webm")
        #expect(try server.end(of: refused).contains("b.webm is not a regular file; use another name"))
        #expect(try refused.exitStatus == 1 && server.files == ["a.webm", "b.webm", "target"])
    }
}
