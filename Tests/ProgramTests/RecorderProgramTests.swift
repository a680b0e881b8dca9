// wf-recorder as Debian ships it: a video of a screen.

import DisplayServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import WindowModel

@Suite struct RecorderProgramTests {
    /// Four bytes a pixel, blue first.
    private static let frameBytes = 320 * 240 * 4

    @Test(
        "wf-recorder records two seconds of a screen: the frames have the colours that a window showed, in order",
        .enabled(if: Program.isInstalled("wf-recorder")))
    func video() throws {
        let fixture = try ServerFixture(screens: ["320x240,name=A", "200x100,name=B,mirroring=off"])
        let client = try fixture.connect()
        let window = client.window("w").color(0xff00_0000).frame(0, 0, 320, 240)
        window.show()
        try fixture.pump()
        let file = try fixture.runtimeDirectory() + "/video.bgr0"
        let program = try fixture.spawn(
            "wf-recorder",
            ["-o", "A", "-f", file, "-m", "rawvideo", "-c", "rawvideo", "-x", "bgr0", "-F", "null", "-l"],
            environment: ["HOME": fixture.runtimeDirectory()])
        func frames() -> Int {
            var status = stat()
            return stat(file, &status) == 0 ? Int(status.st_size) / Self.frameBytes : 0
        }
        do {
            try fixture.wait(for: "the first copy") {
                fixture.server.captures.framebufferCount > 0 || !program.isRunning
            }
        } catch {
            throw FixtureError("\(error); it said \(program.readOutput())")
        }
        try #require(program.isRunning, "\(program.readOutput())")
        let end = fixture.server.clock.now + 2_000_000
        var level: UInt32 = 0
        var shownUntil: UInt64 = 0
        try fixture.wait(for: "two seconds of frames") {
            if fixture.server.clock.now >= shownUntil {
                // Brighter and brighter.
                level = min(200, level + 4)
                window.color(0xff00_0000 | level << 16 | level << 8 | level).commit()
                shownUntil = fixture.server.clock.now + 30_000
            }
            return fixture.server.clock.now >= end
        }
        program.kill(SIGINT)
        // It ends with its next frame.
        try fixture.wait(for: "its end") {
            level += 1
            window.color(level % 2 == 0 ? 0xfffe_fefe : 0xffff_ffff).commit()
            return !program.isRunning
        }
        #expect(program.exitStatus == 0, "\(program.readOutput())")
        #expect(frames() >= 10)
        let bytes = try Data(contentsOf: URL(filePath: file))
        #expect(bytes.count % Self.frameBytes == 0)
        // A frame is grey: its first pixel's blue, and its last one's.
        let brightness = stride(from: 0, to: bytes.count, by: Self.frameBytes).map { start in
            (bytes[bytes.startIndex + start], bytes[bytes.startIndex + start + Self.frameBytes - 4])
        }
        #expect(brightness.allSatisfy { $0.0 == $0.1 }, "a frame shows one moment")
        // When it ends it may write an older buffer once more.
        let levels = brightness.dropLast().map(\.0)
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 <= $1 + 1 }, "\(levels)")
        #expect(Set(levels).count >= 8, "\(levels)")
    }
}
