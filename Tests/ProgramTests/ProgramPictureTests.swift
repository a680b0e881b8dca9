// Unmodified programs of the distribution, seen in pixels.

import Compositor
import TestSupport
import Testing
import WindowModel

@Suite struct ProgramPictureTests {
    private func colors(_ bitmap: Bitmap) -> Set<UInt32> { Set(bitmap.pixels) }

    @Test("weston-simple-shm attaches, animates, and leaves nothing behind when killed")
    func simpleShm() throws {
        let fixture = try ServerFixture()
        let program = try fixture.spawn("weston-simple-shm")
        try fixture.wait(for: "a window") { fixture.model.windows.contains { fixture.model.isVisible($0) } }
        let first = try fixture.screenshot()
        #expect(colors(first).count > 100)
        try fixture.wait(for: "another picture") { try fixture.screenshot() != first }
        program.kill(9)
        try fixture.wait(for: "the client to go") { fixture.server.clientCount == 0 }
        #expect(fixture.model.windows.isEmpty)
        #expect(fixture.model.surfaceCount == 0)
        #expect(colors(try fixture.screenshot()) == [0xff000000])
    }

    @Test("weston-flower shows its flower")
    func flower() throws {
        let fixture = try ServerFixture()
        let program = try fixture.spawn("weston-flower")
        try fixture.wait(for: "a window") { fixture.model.windows.contains { fixture.model.isVisible($0) } }
        try fixture.wait(for: "petals") { colors(try fixture.screenshot()).count > 20 }
        #expect(program.isRunning)
    }

    @Test("wayland-info lists every global and exits")
    func info() throws {
        let fixture = try ServerFixture(screens: ["1920x1080@59.94"])
        let program = try fixture.spawn("wayland-info")
        try fixture.wait(for: "its end") { !program.isRunning }
        let output = program.readOutput()
        #expect(program.exitStatus == 0)
        for name in [
            "wl_compositor", "wl_subcompositor", "wl_seat", "xdg_wm_base", "wl_data_device_manager",
            "mullion_application_v1", "wp_viewporter", "wp_fractional_scale_manager_v1",
            "wp_single_pixel_buffer_manager_v1", "zwp_primary_selection_device_manager_v1",
            "logical_width: 1920, logical_height: 1080",
        ] {
            #expect(output.contains(name), "\(name)")
        }
        #expect(output.contains("refresh: 59.940 Hz"))
    }

    @Test("E3, K7: text typed with keys reaches foot and is shown")
    func foot() throws {
        let fixture = try ServerFixture()
        let program = try fixture.spawn(
            "foot", ["--config=/dev/null", "--override=cursor.blink=no", "cat"], environment: ["LC_ALL": "C.UTF-8"])
        try fixture.wait(for: "a window") { fixture.model.windows.contains { fixture.model.isVisible($0) } }
        #expect(fixture.model.keyWindow != nil)
        var before = try fixture.screenshot()
        // foot draws its first frames in its own time: wait until the picture is stable.
        try fixture.wait(for: "a still picture") {
            let now = try fixture.screenshot()
            defer { before = now }
            return now == before && colors(now).count > 1
        }
        for key: UInt32 in [35, 18, 38, 38, 24] { try fixture.press(key) }
        try fixture.wait(for: "hello on the screen") {
            let now = try fixture.screenshot()
            let changed = zip(now.pixels, before.pixels).filter { $0 != $1 }.count
            return changed > 50
        }
        #expect(program.isRunning)
    }

    @Test("a client killed at any moment leaves no window, no surface, no object: kill -9 200 times")
    func killed() throws {
        let fixture = try ServerFixture()
        let witness = try fixture.connect("witness")
        witness.window("witness").color(0xff00ff00).makeKeyAndVisible()
        try fixture.pump()
        let key = fixture.model.keyWindow
        let surfaces = fixture.model.surfaceCount
        var random = SeededRandom()
        for round in 0..<200 {
            let program = try fixture.spawn("weston-simple-shm")
            let turns = Int.random(in: 0...12, using: &random)
            var seen = 0
            // Killed after a number of turns of the server's loop: before it connects, while it maps, while it
            // animates.
            try fixture.wait(for: "turns") {
                seen += 1
                return seen > turns
            }
            program.kill(9)
            try fixture.wait(for: "its end") { !program.isRunning }
            try fixture.wait(for: "the client to go, round \(round), seed \(random.seed)") {
                fixture.server.clientCount == 1
            }
            #expect(fixture.model.windows.count == 1)
            #expect(fixture.model.surfaceCount == surfaces)
            #expect(fixture.model.keyWindow == key)
            #expect(fixture.model.checkInvariants() == [])
        }
    }
}
