// Manual time and settling with unmodified programs, our examples and mullionctl.

import Compositor
import DisplayServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import WindowModel

@Suite struct ClockProgramTests {
    private static let folder = Programs.built

    private func waitForWindow(_ fixture: ServerFixture) throws {
        try fixture.wait(for: "a window") { fixture.model.windows.contains { fixture.model.isVisible($0) } }
    }

    @Test("weston-simple-shm draws one frame per tick, and none in between")
    func simpleShm() throws {
        let fixture = try ServerFixture(screens: ["640x480@50"], clock: .manual)
        let program = try fixture.spawn("weston-simple-shm")
        try waitForWindow(fixture)
        var last = try #require(try settledPicture(fixture))
        for _ in 0..<5 {
            #expect(try fixture.step(19_999) == 0)
            #expect(try settledPicture(fixture) == last)
            #expect(try fixture.step(1) == 1)
            let now = try settledPicture(fixture)
            #expect(now != last)
            last = try #require(now)
        }
        let outcome = try fixture.step(.idle(limit: 200_000)).outcome
        guard case .busy(let causes) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(causes.count == 1 && causes[0].description.contains("(pid \(program.pid))"))
    }

    private func settledPicture(_ fixture: ServerFixture) throws -> Bitmap? {
        let open = try fixture.settle()
        #expect(open == [])
        return open.isEmpty ? try fixture.screenshot() : nil
    }

    @Test("settle names a stopped program, and succeeds once it continues", arguments: [true, false])
    func stopped(isOurs: Bool) throws {
        let fixture = try ServerFixture()
        let name = isOurs ? "\(Self.folder)/alert" : "weston-flower"
        let program = try fixture.spawn(name)
        try waitForWindow(fixture)
        #expect(try fixture.settle() == [])
        program.kill(SIGSTOP)
        let open = try fixture.settle(seconds: 0.5)
        #expect(open.count == 1 && open.first?.contains("(pid \(program.pid)) does not read its events") == true)
        program.kill(SIGCONT)
        #expect(try fixture.settle() == [])
    }

    @Test("mullionctl shows and steps the time, and settles")
    func commandLine() throws {
        let fixture = try ServerFixture(clock: .manual)
        let control = try TestControl(fixture)
        func mullionctl(_ words: String...) throws -> (status: Int32, output: String) {
            let program = try fixture.spawn("\(Self.folder)/mullionctl", ["--control", control.path] + words)
            try fixture.wait(for: "its end") { !program.isRunning }
            return (program.exitStatus ?? -1, program.readOutput())
        }
        #expect(try mullionctl("clock") == (0, "manual, 1.0 s\n"))
        #expect(try mullionctl("clock", "step", "16ms") == (0, "manual, 1.016 s, 0 ticks\n"))
        #expect(try mullionctl("clock", "step", "2.5s").output == "manual, 3.516 s, 0 ticks\n")
        #expect(try mullionctl("clock", "step", "500us").output == "manual, 3.5165 s, 0 ticks\n")
        #expect(try mullionctl("clock", "until", "idle", "limit=1s").output == "manual, 3.5165 s, 0 ticks\n")
        #expect(try mullionctl("clock", "step", "2").output == "manual, 5.5165 s, 0 ticks\n")
        #expect(try mullionctl("clock", "step", "until", "idle").status == 0)
        #expect(try mullionctl("settle") == (0, ""))
        #expect(try mullionctl("settle", "timeout=2500ms") == (0, "") && mullionctl("settle", "timeout=3") == (0, ""))
        #expect(try mullionctl("settle", "timeout=soon").status == 2)
        for wrong in [["step"], ["step", "5m"], ["step", "-1ms"], ["until", "noon"], ["stop"], ["step", "1s", "x"]] {
            let program = try fixture.spawn("\(Self.folder)/mullionctl", ["--control", control.path, "clock"] + wrong)
            try fixture.wait(for: "its end") { !program.isRunning }
            #expect(program.exitStatus == 2, "\(wrong)")
        }
    }

    @Test("mullionctl run --clock manual runs the command with a server on manual time")
    func run() throws {
        let fixture = try ServerFixture(screens: [])
        let program = try fixture.spawn(
            "\(Self.folder)/mullionctl",
            ["run", "--clock", "manual", "--", "\(Self.folder)/mullionctl", "clock", "step", "1ms"])
        try fixture.wait(for: "its end") { !program.isRunning }
        #expect(program.exitStatus == 0 && program.readOutput() == "manual, 1.001 s, 0 ticks\n")
    }
}
