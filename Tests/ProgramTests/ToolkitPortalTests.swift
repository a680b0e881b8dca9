// Two real programs that share a window.

import Glibc
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ToolkitPortalTests {
    @Test("GTK 4: a window in front of another program's, until that ends, and a program that asks for all keys")
    func portal() throws {
        let fixture = try ServerFixture()
        let folder = try TemporaryFolder()
        let script = "\(#filePath.dropLast("ProgramTests/ToolkitPortalTests.swift".count))Programs/gtk_portal.py"
        var environment = ToolkitProgram.environment
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] { environment[name] = folder.path }
        environment["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        func window(_ title: String) -> Window? {
            fixture.model.windows.compactMap { fixture.model.window($0) }.first { $0.title == title && $0.isVisible }
        }
        let owner = try fixture.spawn("/usr/bin/python3", [script], environment: environment)
        func handle() -> Substring? { owner.completeLines.first { $0.hasPrefix("handle ") }?.dropFirst(7) }
        try fixture.wait(for: "the handle") { handle() != nil && window("Program") != nil }
        let chooser = try fixture.spawn(
            "/usr/bin/python3", [script, String(try #require(handle()))], environment: environment)
        try fixture.wait(for: "a child: \(chooser.completeLines)") {
            window("Chooser")?.parent != nil && window("Chooser")?.parent == window("Program")?.id
        }
        try fixture.wait(for: "all keys: \(chooser.completeLines)") { chooser.completeLines.contains("inhibited True") }
        try fixture.model.bringToFront(#require(window("Program")).id)
        #expect(try fixture.model.windows(on: fixture.mainScreen).last == #require(window("Chooser")).id)
        owner.kill(SIGKILL)
        try fixture.wait(for: "the end of the relation") { window("Program") == nil }
        #expect(window("Chooser")?.parent == nil && chooser.isRunning)
        #expect(chooser.completeLines.contains("parent True"))
    }
}
