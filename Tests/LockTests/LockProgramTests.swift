// swaylock, with both protocols that it knows.

import Displays
import Glibc
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct LockProgramTests {
    /// A swaylock that shows one colour, and the window behind it.
    private func start(_ setup: LockFixture, screens: Int) throws -> Program {
        let program = try setup.fixture.spawn("swaylock", ["-c", "336699", "--config", "/dev/null", "-u"])
        try setup.fixture.wait(for: "the colour on all screens") {
            guard setup.model.screens.count == screens else { return false }
            return try setup.model.screens.allSatisfy { try setup.isColor(0x336699, $0) }
        }
        return program
    }

    /// Whether swaylock is 1.8 or later, which exits without ext-session-lock.
    private func knowsSessionLockOnly(_ setup: LockFixture) throws -> Bool {
        let version = try setup.fixture.spawn("swaylock", ["--version"])
        try setup.fixture.wait(for: "its version") { !version.isRunning }
        let numbers = version.readOutput().split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        guard numbers.count > 1, (numbers[0], numbers[1]) >= (1, 8) else { return false }
        let program = try setup.fixture.spawn("swaylock", ["-c", "336699", "--config", "/dev/null", "-u"])
        try setup.fixture.wait(for: "its end") { !program.isRunning }
        #expect(program.exitStatus != 0 && program.readOutput().contains("ext-session-lock"))
        #expect(!setup.model.isLocked && setup.model.inputHolder == nil)
        return true
    }

    /// Types a password that no account has, which nobody else receives, and waits until swaylock has refused it.
    private func typeWrongPassword(_ setup: LockFixture, _ program: Program, _ others: TestInput) throws {
        _ = others.takeEvents()
        // x, y, z, q, Return.
        for key: UInt32 in [45, 21, 44, 16, 28] { try setup.fixture.press(key) }
        #expect(try setup.fixture.tap(x: 400, y: 300).hit != nil)
        #expect(!others.takeEvents().contains { $0.hasPrefix("key") || $0.hasPrefix("down") || $0.hasPrefix("enter") })
        #expect(program.isRunning)
    }

    @Test("swaylock locks with ext-session-lock, also screens that come, takes a password, and unlocks")
    func sessionLock() throws {
        guard Program.isInstalled("swaylock") else { return }
        let setup = try LockFixture()
        let others = try TestInput(setup.editor)
        let program = try start(setup, screens: 1)
        #expect(setup.model.isLocked)
        let new = try setup.fixture.server.plug(ScreenSpecification(parsing: "400x300,external,name=B"))
        try setup.fixture.wait(for: "the second screen") { try setup.isColor(0x336699, new) }
        try typeWrongPassword(setup, program, others)
        #expect(setup.model.isLocked)
        // As swaylock's manual says: it unlocks as if the password had been right.
        program.kill(SIGUSR1)
        try setup.fixture.wait(for: "the end") { !program.isRunning }
        #expect(!setup.model.isLocked)
        #expect(try setup.isColor(0xff0000))
        try setup.fixture.press(30)
        #expect(others.takeEvents().contains("key 30 1"))
    }

    @Test("a killed swaylock leaves the server locked, and the next one takes over")
    func killed() throws {
        guard Program.isInstalled("swaylock") else { return }
        let setup = try LockFixture()
        let program = try start(setup, screens: 1)
        program.kill(SIGKILL)
        try setup.fixture.wait(for: "a black screen") { try setup.isColor(0) }
        #expect(setup.model.isLocked)
        let next = try start(setup, screens: 1)
        next.kill(SIGUSR1)
        try setup.fixture.wait(for: "the end") { !next.isRunning }
        #expect(try setup.isColor(0xff0000))
    }

    @Test("where there is no ext-session-lock, swaylock reserves input and covers all screens")
    func inputInhibitor() throws {
        guard Program.isInstalled("swaylock") else { return }
        let setup = try LockFixture(ServerFixture(screens: ["800x600", "400x300,external,name=B"]))
        let name = try #require(setup.editor.globals.first { $0.interface == ExtSessionLockManagerV1.name }?.name)
        setup.fixture.server.globals.withdraw(name, atOnce: true)
        let others = try TestInput(setup.editor)
        guard try !knowsSessionLockOnly(setup) else { return }
        let program = try start(setup, screens: 2)
        #expect(!setup.model.isLocked && setup.model.inputHolder != nil)
        try typeWrongPassword(setup, program, others)
        setup.window.makeKeyAndVisible()
        try setup.fixture.pump()
        #expect(try setup.isColor(0x336699))
        program.kill(SIGUSR1)
        try setup.fixture.wait(for: "the end") { !program.isRunning }
        #expect(setup.model.inputHolder == nil)
        #expect(try setup.isColor(0xff0000))
        try setup.fixture.press(30)
        #expect(others.takeEvents().contains("key 30 1"))
    }
}
