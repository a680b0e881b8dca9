// Stalled and hostile clients beside others.

import FoundationEssentials
import Glibc
import MullionSystem
import MullionWayland
import TestSupport
import Testing

@testable import DisplayServer

@Suite struct FaultNeighbourTests {
    @Test("a client that stops reading and drawing costs no other client a frame: 600 of 600 at 60 Hz")
    func standingStill() throws {
        let fixture = try ServerFixture(screens: ["640x480@60"], clock: .manual)
        let still = try fixture.connect("still")
        let stillWindow = still.window("still").color(0xff00_00ff)
        stillWindow.surface.send(.frame(callback: Proxy<WlCallback>(still.connection, version: 1).id))
        stillWindow.makeKeyAndVisible()
        try fixture.pump()
        fixture.detach(still)
        let moving = try fixture.connect("moving")
        let window = moving.window("moving").color(0xff00_ff00)
        var times: [UInt32] = []
        func draw() {
            let callback = Proxy<WlCallback>(moving.connection, version: 1)
            callback.onEvent = { event in
                guard case .done(let time) = event else { return }
                times.append(time)
                draw()
            }
            window.surface.send(.frame(callback: callback.id))
            window.commit()
        }
        window.show()
        draw()
        try fixture.pump()
        // A step would wait for the stalled client, so the clock is advanced directly.
        let clock = fixture.server.clock
        let end = clock.now + 10_000_000
        while let next = clock.nextDeadline, next <= end {
            _ = clock.advance(to: next)
            try fixture.pump()
        }
        #expect(times.count == 600)
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { (16...17).contains($0) }, "\(Set(gaps))")
        #expect(fixture.server.clientCount == 2, "the stalled client stays connected")
    }

    @Test(
        "a program is stopped and killed while it animates: others continue, and its windows are removed",
        .enabled(if: Program.isInstalled("weston-simple-shm")))
    func stoppedProgram() throws {
        let setup = try ServerProcess()
        let program = try setup.fixture.spawn(
            "weston-simple-shm", environment: ["WAYLAND_DISPLAY": setup.folder + "/socket"])
        func windows() throws -> Int {
            try setup.request("GET", "/v1/windows").body.components(separatedBy: "\"id\":").count - 1
        }
        try setup.fixture.wait(for: "its window") { try windows() == 1 }
        let animation = try FaultAnimation(setup)
        program.kill(SIGSTOP)
        let frames = animation.frames
        try setup.fixture.wait(for: "120 frames") {
            try animation.run()
            return animation.frames >= frames + 120
        }
        #expect(try windows() == 2 && program.isRunning)
        program.kill(SIGKILL)
        try setup.fixture.wait(for: "its window to go") { try windows() == 1 }
        animation.connection.disconnect()
        try setup.stop()
    }

    @Test(
        "clients that flood, send garbage or disconnect in the middle of a message do not stop another's frames")
    func floods() throws {
        let setup = try ServerProcess()
        let animation = try FaultAnimation(setup)
        var random = SeededRandom()
        var bad: [OwnedDescriptor] = []
        let frames = animation.frames
        for round in 0..<200 {
            let socket = try setup.openClient()
            // Garbage, half a message, or requests without end.
            let bytes: [UInt8] =
                switch round % 3 {
                case 0: (0..<400).map { _ in .random(in: 0...255, using: &random) }
                case 1: [1, 0, 0, 0, 1, 0]
                default: (0..<4000).flatMap { [1, 0, 0, 0, 0, 0, 12, 0] + [UInt8($0 & 0xff), 0, 0, 1] }
                }
            _ = send(socket.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            bad.append(socket)
            if bad.count > 20 { bad.removeFirst() }
            try animation.run()
        }
        bad = []
        try setup.fixture.wait(for: "60 frames, seed \(random.seed)") {
            try animation.run()
            return animation.frames >= frames + 60
        }
        try setup.fixture.wait(for: "the others to go") {
            try setup.request("GET", "/v1/applications").body.components(separatedBy: "\"pid\"").count == 2
        }
        animation.connection.disconnect()
        try setup.stop()
    }
}
