// What nobody can see is no change for those who look.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct HiddenChangeCaptureTests {
    /// A window with a buffer behind another one that covers its left half.
    private func scene() throws -> (setup: ScreencopyFixture, behind: TestWindow, front: TestWindow) {
        let setup = try ScreencopyFixture(clock: .manual)
        let behind = try setup.window(0, 0, 40, 40, 0)
        try show(0xff11_1111, in: behind, setup)
        let front = try setup.window(0, 0, 20, 40, 0xffff_0000)
        return (setup, behind, front)
    }

    /// - Parameter damage: nil for the whole buffer.
    private func show(
        _ argb: UInt32, in window: TestWindow, _ setup: ScreencopyFixture,
        damage: (Int32, Int32, Int32, Int32)? = nil
    ) throws {
        let buffer = try setup.client.buffer(argb, width: 40, height: 40)
        window.surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        let (x, y, width, height) = damage ?? (0, 0, 40, 40)
        window.surface.send(.damageBuffer(x: x, y: y, width: width, height: height))
        window.commit()
        try setup.fixture.pump()
    }

    @Test("a covered change wakes nobody: no drawing, no tick, no new frame number, and no copy")
    func covered() throws {
        let (setup, behind, front) = try scene()
        let first = try setup.waiting()
        try setup.tick()
        #expect(first.isReady)
        let waiting = try setup.waiting()
        let server = setup.fixture.server
        let (drawn, number) = (server.counters.framesDrawn, server.frameNumber)
        for argb in [0xff22_2222, 0xff33_3333] as [UInt32] {
            try show(argb, in: behind, setup, damage: (2, 2, 15, 30))
            #expect(server.clock.nextDeadline == nil, "nothing waits for the tick")
            for _ in 0..<2 { try setup.tick() }
        }
        #expect(!waiting.isReady && server.counters.framesDrawn == drawn && server.frameNumber == number)
        // Partly covered: only what shows.
        try show(0xff44_4444, in: behind, setup, damage: (10, 10, 20, 5))
        #expect(server.clock.nextDeadline != nil && server.frameNumber > number)
        try setup.tick()
        #expect(waiting.isReady && waiting.damage == [IntRect(x: 20, y: 10, width: 10, height: 5)], "\(waiting.lines)")
        // What was changed while it was covered appears when it is uncovered.
        let next = try setup.waiting()
        front.hide()
        try setup.fixture.pump()
        try setup.tick()
        #expect(next.damage == [IntRect(x: 0, y: 0, width: 20, height: 40)] && next.isReady)
        #expect(try setup.shows(next.pixels()) && next.pixels()[0] == 0x44_4444)
    }

    @Test("S7: a mirror and a picture with the cursor do not change either; a part that shows it does")
    func views() throws {
        let setup = try ScreencopyFixture(["80x60,name=A", "40x30,external,name=B,mirroring=A"], clock: .manual)
        let behind = try setup.window(0, 0, 40, 40, 0)
        try show(0xff11_1111, in: behind, setup)
        _ = try setup.window(0, 0, 41, 41, 0xffff_0000)
        let first = try [setup.waiting(0), setup.waiting(1), setup.waiting(0, cursor: true)]
        try setup.tick()
        #expect(first.map(\.isReady) == [true, true, true])
        let waiting = try [setup.waiting(0), setup.waiting(1), setup.waiting(0, cursor: true)]
        let drawn = setup.fixture.server.counters.framesDrawn
        try show(0xff22_2222, in: behind, setup)
        for _ in 0..<2 { try setup.tick() }
        #expect(waiting.map(\.isReady) == [false, false, false])
        #expect(setup.fixture.server.counters.framesDrawn == drawn)
    }

    @Test("W3: a covered window that moves or comes to the front of its level behind is no frame either")
    func moved() throws {
        let (setup, behind, front) = try scene()
        front.frame(0, 0, 60, 60).commit()
        try setup.fixture.pump()
        let first = try setup.waiting()
        try setup.tick()
        #expect(first.isReady)
        let waiting = try setup.waiting()
        let drawn = setup.fixture.server.counters.framesDrawn
        behind.frame(5, 5, 40, 40).commit()
        try setup.fixture.pump()
        for _ in 0..<2 { try setup.tick() }
        #expect(!waiting.isReady && setup.fixture.server.counters.framesDrawn == drawn)
        behind.frame(50, 5, 40, 40).commit()
        try setup.fixture.pump()
        try setup.tick()
        #expect(waiting.damage == [IntRect(x: 60, y: 5, width: 20, height: 40)] && waiting.isReady, "\(waiting.lines)")
    }

    @Test("frames drawn straight into a client's buffer are exact, and so is a screenshot between them")
    func direct() throws {
        let setup = try ScreencopyFixture(clock: .manual)
        let window = try setup.window(0, 0, 80, 60, 0xff00_0001)
        _ = try setup.window(10, 10, 5, 5, 0xffff_0000)
        for step in 0..<6 as Range<UInt32> {
            let frame = try setup.waiting()
            window.color(0xff00_0010 + step).commit()
            try setup.fixture.pump()
            try setup.tick()
            #expect(frame.isReady)
            let pixels = try frame.pixels()
            #expect(pixels[0] == 0x10 + step && pixels[10 * 80 + 10] == 0xff_0000)
            if step % 2 == 0 { #expect(try setup.shows(pixels)) }
            frame.proxy.send(.destroy)
        }
    }
}
