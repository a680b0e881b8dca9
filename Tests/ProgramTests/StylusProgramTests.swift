// A pencil draws in real programs.

import FoundationEssentials
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct StylusProgramTests {
    @Test("E1, E5: GTK 4 receives a pencil with its pressure, tilt, rotation and distance, and its eraser")
    func stylus() throws {
        let fixture = try ServerFixture(screens: ["800x600"])
        let control = try ControlSession(fixture)
        let home = "\(control.folder)/stylus"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let folder = String(#filePath).dropLast("ProgramTests/StylusProgramTests.swift".count)
        var environment = ToolkitProgram.environment
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] { environment[name] = home }
        environment["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
        environment["LC_ALL"] = "C.UTF-8"
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        let program = try fixture.spawn(
            "/usr/bin/python3", ["\(folder)Programs/gtk_stylus.py"], environment: environment)
        func waits(for line: String) throws {
            do {
                try fixture.wait(for: line, seconds: 60) {
                    program.readOutput().split(separator: "\n").contains { $0 == line }
                }
            } catch {
                throw FixtureError("GTK did not say \"\(line)\" but \(program.readOutput())")
            }
        }
        try waits(for: "ready")
        let window = try #require(fixture.model.windows.first)
        try fixture.wait(for: "the window") { fixture.model.isVisible(window) }
        try fixture.model.setFrame(
            Rect(origin: Point(x: 100, y: 100), size: try #require(fixture.model.frame(of: window)).size), of: window)
        try fixture.pump()
        try control.inject(#"{"type": "hover", "tool": "pencil", "x": 150, "y": 150, "distance": 1}"#)
        try waits(for: "proximity pen 50 50 pressure 0.00 xtilt 0.00 ytilt 0.00 distance 1.00 rotation 0.00")
        try control.inject(#"{"type": "hover", "tool": "pencil", "x": 155, "y": 150, "roll": 1.570796}"#)
        try waits(for: "proximity pen 55 50 pressure 0.00 xtilt 0.00 ytilt 0.00 distance 1.00 rotation 0.25")
        try control.inject(
            #"{"type": "touch", "phase": "began", "x": 160, "y": 150, "force": 0.5, "altitude": 0.785398, "roll": 0}"#)
        try waits(for: "down pen 60 50 pressure 0.50 xtilt 0.50 ytilt 0.00 distance 0.00 rotation 0.00")
        try control.inject(
            #"{"type": "touch", "phase": "moved", "x": 170, "y": 160, "force": 1, "buttons": ["primary"]}"#)
        try waits(for: "motion pen 70 60 pressure 1.00 xtilt 0.50 ytilt 0.00 distance 0.00 rotation 0.00")
        try control.inject(#"{"type": "touch", "phase": "ended"}"#)
        try waits(for: "up pen 70 60 pressure 1.00 xtilt 0.50 ytilt 0.00 distance 0.00 rotation 0.00")
        try control.inject(#"{"type": "hover", "tool": "pencil", "phase": "ended"}"#)
        try control.inject(#"{"type": "tap", "tool": "eraser", "x": 110, "y": 110, "force": 1}"#)
        try waits(for: "down eraser 10 10 pressure 1.00 xtilt 0.00 ytilt 0.00 distance 0.00 rotation 0.00")
    }
}
