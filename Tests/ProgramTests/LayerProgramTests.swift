// Unmodified programs that use the layer shell.

import FoundationEssentials
import TestSupport
import Testing
import WindowModel

@Suite struct LayerProgramTests {
    @Test(
        "swaybg covers each screen behind all windows, and a screen that is plugged in again, turned or scaled",
        .enabled(if: Program.isInstalled("swaybg")))
    func wallpaper() throws {
        let fixture = try ServerFixture(screens: ["800x600", "400x300,external,name=B"])
        let program = try fixture.spawn("swaybg", ["-c", "#336699"])
        func areColored(_ pixels: Int) throws -> Bool {
            try fixture.model.screens.map { try fixture.screenshot($0) }.flatMap(\.pixels)
                .count { $0 == 0xff33_6699 } == pixels
        }
        try fixture.wait(for: "two wallpapers") { try areColored(800 * 600 + 400 * 300) }
        #expect(fixture.model.windows.allSatisfy { fixture.model.window($0)?.level == -2000 })
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft, duration: 0)
        try fixture.model.setScale(2, of: fixture.mainScreen)
        try fixture.wait(for: "a turned wallpaper") {
            try areColored(800 * 600 + 400 * 300)
                && fixture.model.windows.contains { fixture.model.frame(of: $0)?.size.height == 400 }
        }
        let screen = try #require(fixture.model.screen(named: "B"))
        try fixture.server.disconnect(screen.id)
        try fixture.wait(for: "one window") { fixture.model.windows.count == 1 }
        _ = try fixture.server.connect(screen.properties)
        try fixture.wait(for: "the second wallpaper again") { try areColored(800 * 600 + 400 * 300) }
        #expect(program.isRunning && fixture.model.checkInvariants() == [])
    }

    @Test(
        "waybar is a panel at level 1000, which maximized windows leave free",
        .enabled(if: Program.isInstalled("waybar")))
    func panel() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let toplevel = try TestToplevel.map(client, fixture)
        toplevel.toplevel.send(.setMaximized)
        let folder = try fixture.runtimeDirectory()
        let configuration = """
            { "layer": "top", "height": 40, "modules-left": ["custom/label"], "custom/label": { "format": "label" } }
            """
        try configuration.write(toFile: folder + "/waybar", atomically: true, encoding: .utf8)
        // Since version 0.12 it does not run without a bus.
        let bus = try SessionBus(fixture, home: folder)
        let program = try fixture.spawn(
            "waybar", ["-c", folder + "/waybar", "-s", "/dev/null"],
            environment: [
                "NO_AT_BRIDGE": "1", "GSETTINGS_BACKEND": "memory", "DBUS_SESSION_BUS_ADDRESS": bus.address,
            ])
        try fixture.wait(for: "a smaller maximized window") { toplevel.size == (800, 560) }
        let window = try #require(fixture.model.windows.compactMap { fixture.model.window($0) }.last)
        #expect(window.level == 1000 && window.title == "waybar" && !window.canBecomeKey)
        #expect(window.frame.size.width == 800 && window.frame.size.height == 40)
        #expect(fixture.model.keyWindow == fixture.model.windows[0])
        program.kill(9)
        try fixture.wait(for: "the whole screen") { toplevel.size == (800, 600) }
    }
}
