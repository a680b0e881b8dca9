// S10: if the state folder is full, or its contents are not regular files, the server warns and continues.

import DisplayServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Displays

@Suite struct FaultStateTests {
    /// Whether this user may mount a file system in a private mount namespace.
    private static let canMount: Bool = {
        let words = ["-m", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]
        guard let program = try? Program("unshare", words) else { return false }
        _ = program.outputAtEnd()
        return program.exitStatus == 0
    }()

    @Test(
        "S10: on a full disk screens can still be plugged in, and are remembered once there is space",
        .enabled(if: canMount))
    func full() throws {
        let setup = try ServerProcess(
            """
            if [ -z "$inside" ]; then inside=1 exec unshare -m sh -c "$(cat "$folder/script")" "$0" "$@"; fi
            """,
            prepare: { folder in
                let script = """
                    mkdir "$folder/state" && mount -t tmpfs -o size=64k none "$folder/state" || exit 1
                    head -c 70000 /dev/zero > "$folder/state/filler" 2>/dev/null
                    exec "$0" "$@"
                    """
                try script.write(toFile: folder + "/script", atomically: false, encoding: .utf8)
            }, state: "state")
        #expect(try setup.request("POST", "/v1/screens", #"{"model":"640x480","name":"A"}"#).status == 201)
        try setup.wait("the warning") { $0.contains("not remembered") && $0.contains("No space left") }
        let inside = "/proc/\(setup.server.pid)/root\(setup.folder)/state"
        #expect(access(inside + "/screens.json.new", F_OK) != 0, "an incomplete file is left")
        #expect(unlink(inside + "/filler") == 0)
        #expect(try setup.request("POST", "/v1/screens", #"{"model":"640x480","name":"B"}"#).status == 201)
        try setup.fixture.wait(for: "the file") {
            let text = (try? String(contentsOfFile: inside + "/screens.json", encoding: .utf8)) ?? ""
            return text.contains("\"A\"") && text.contains("\"B\"")
        }
        try setup.stop()
    }

    @Test("S10: a limit on file sizes does not end the server", arguments: [0])
    func fileSize(blocks: Int) throws {
        let setup = try ServerProcess("ulimit -f \(blocks)", state: "state")
        #expect(try setup.request("POST", "/v1/screens", #"{"model":"640x480","name":"A"}"#).status == 201)
        try setup.wait("the warning") { $0.contains("not remembered") && $0.contains("too large") }
        #expect(try setup.request("GET", "/v1/screens").body.contains("\"A\""))
        let client = try setup.connect()
        client.disconnect()
        try setup.stop()
    }

    @Test(
        "S10: what is not a regular file, or is too large, is set aside unread and does not block the server",
        arguments: ["folder", "pipe", "device", "socket", "large"])
    func noFile(kind: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/screens.json"
        switch kind {
        case "folder": try #require(mkdir(file, 0o700) == 0)
        case "pipe": try #require(mkfifo(file, 0o600) == 0)
        case "device": try #require(symlink("/dev/zero", file) == 0)
        case "socket": try #require(mknod(file, S_IFSOCK | 0o600, 0) == 0)
        default:
            try #require(FileManager.default.createFile(atPath: file, contents: Data()))
            try #require(truncate(file, 1 << 40) == 0)
        }
        let fixture = try ServerFixture()
        var warnings: [String] = []
        fixture.server.onLog = { level, line in if level == .warning { warnings.append(line) } }
        let memory = ScreenMemoryKeeper(fixture.server, folder: folder.path)
        #expect(warnings.count == 1 && warnings[0].contains("set aside as \(file).corrupt"), "\(warnings)")
        try fixture.server.plug(ScreenSpecification(parsing: "640x480,name=A,external"))
        memory.flush()
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"A\""))
        #expect(warnings.count == 1, "\(warnings)")
    }
}
