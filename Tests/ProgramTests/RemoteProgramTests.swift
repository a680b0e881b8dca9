// Programs of another machine, through waypipe.

import FoundationEssentials
import Glibc
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct RemoteProgramTests {
    /// Whether two machines can be made of this one; if not, prints why.
    private static let canPlayTwoMachines: Bool = {
        let missing = ["waypipe", "ip", "foot"].filter { !Program.isInstalled($0) }
        let makes = geteuid() == 0 && missing.isEmpty
        if !makes {
            print(
                "Skipped: programs of another machine need root, and \(missing) to be installed, by Config/test for example"
            )
        }
        return makes
    }()

    @Test(
        "a program on another machine shows, takes input, and goes with the cable, which hurts nobody else",
        .enabled(if: canPlayTwoMachines))
    func otherMachine() throws {
        let fixture = try ServerFixture(screens: ["800x600"])
        let control = try ControlSession(fixture)
        let bystander = try fixture.connect("bystander")
        let local = bystander.window("local").color(0xff00_8000).frame(600, 400, 100, 100)
        local.show()
        try fixture.pump()
        let before = fixture.model.windows
        let python = "/usr/bin/python3"
        let folder = ToolkitProgram.folder
        func start() throws -> ToolkitProgram {
            for name in ["near", "far"] { unlink("\(control.folder)/\(name)") }
            return try ToolkitProgram(
                "foot", [python, folder + "remote_machine.py", control.folder, python, folder + "terminal_program.py"],
                fixture, control, isReady: { $0.lines.contains("listening") }, isWindow: { $0.title == "foot" })
        }
        let remote = try start()
        let center = try remote.window.frame.center
        try control.inject(#"{"type": "click", "x": \#(center.x), "y": \#(center.y)}"#)
        try remote.waits(forPrefix: "clicked 1 ")
        try control.type("fär away")
        try remote.waits(for: "text fär away")
        // S8: waypipe passes on what happens to screens.
        let screen = try #require(fixture.model.screen(fixture.mainScreen))
        try fixture.server.disconnect(screen.id)
        #expect(try fixture.settle() == [])
        #expect(try !remote.window.isVisible)
        _ = try fixture.server.connect(screen.properties)
        #expect(try fixture.settle() == [])
        #expect(try remote.window.isVisible)
        try control.type("!")
        try remote.waits(for: "text fär away!")
        remote.program.kill(SIGUSR1)
        try remote.waits(for: "cut off")
        try fixture.wait(for: "its window to go") { fixture.server.clientCount == 1 }
        #expect(bystander.isOpen && fixture.model.windows == before)
        #expect(fixture.model.checkInvariants() == [])
        // Another one connects where the last one was.
        let next = try start()
        try control.inject(#"{"type": "click", "x": \#(center.x), "y": \#(center.y)}"#)
        try control.type("again")
        try next.waits(for: "text again")
    }
}
