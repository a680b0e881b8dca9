// wlr-screencopy: what is copied, when, and what is refused.

import Compositor
import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct ScreencopyTests {
    /// Compares two pictures outside of an expectation, so that a failure does not print them.
    private func same(_ a: [UInt32], _ b: [UInt32]) -> Bool { a == b }

    // MARK: What is copied

    @Test(
        "S4: a copy has the native pixels, whatever the orientation of the screen",
        arguments: ["", ",scale=2", ",orientation=landscapeLeft", ",orientation=landscapeRight,flipped=true,scale=1.5"])
    func native(properties: String) throws {
        let setup = try ScreencopyFixture(["70x50,name=A" + properties])
        _ = try setup.window(0, 0, 7, 5, 0xffff_0000)
        _ = try setup.window(7, 0, 9, 14, 0xff00_ff00)
        let frame = try setup.copied()
        #expect(frame.lines == ["buffer 1 70x50 280", "done", "flags 0", "ready"])
        let pixels = try frame.pixels()
        #expect(try setup.shows(pixels))
        #expect(Set(pixels) == [0, 0xff0000, 0x00ff00])
        #expect(try #require(frame.time) <= setup.fixture.server.clock.now)
    }

    @Test("S4: a part is given in points; it is clipped, and its edges are rounded to pixels")
    func part() throws {
        let setup = try ScreencopyFixture([
            "40x30,name=A", "40x30,name=B,orientation=landscapeLeft,mirroring=none,scale=2",
        ])
        _ = try setup.window(10, 5, 10, 10, 0xffff_0000)
        let whole = try setup.shown()
        func crop(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [UInt32] {
            (y..<y + height).flatMap { whole[$0 * 40 + x..<$0 * 40 + x + width] }
        }
        let inner = try setup.copied(part: (8, 4, 6, 3))
        #expect(inner.size == (6, 3))
        #expect(try same(inner.pixels(), crop(8, 4, 6, 3)))
        let clipped = try setup.copied(part: (-5, 10, 17, .max))
        #expect(clipped.size == (12, 20))
        #expect(try same(clipped.pixels(), crop(0, 10, 12, 20)))
    }

    @Test("R1: a part of a turned screen is where the user sees it")
    func turnedPart() throws {
        let setup = try ScreencopyFixture(["40x30,name=A,orientation=landscapeLeft"])
        let size = try #require(setup.fixture.model.screen(setup.fixture.mainScreen)).bounds.size
        #expect(size == Size(width: 30, height: 40))
        _ = try setup.window(3, 4, 5, 6, 0xff00_00ff)
        let frame = try setup.copied(part: (3, 4, 5, 6))
        #expect(frame.size == (6, 5))
        #expect(try Set(frame.pixels()) == [0x0000ff])
        let wider = try setup.copied(part: (2, 4, 6, 6))
        #expect(try wider.pixels().count { $0 == 0 } == 6)
    }

    @Test("the cursor is in the picture if requested")
    func cursor() throws {
        let setup = try ScreencopyFixture()
        try setup.hover(20, 20)
        let (bare, seen) = (try setup.copied().pixels(), try setup.copied(cursor: true).pixels())
        #expect(bare.allSatisfy { $0 == 0 } && !same(bare, seen))
        #expect(try setup.shows(seen, cursor: true))
    }

    @Test("a copy shows one moment, and other clients are served while it is made")
    func oneMoment() throws {
        let setup = try ScreencopyFixture(["3000x2000,name=A"])
        // One slice a turn, however fast the machine is.
        setup.fixture.server.turnTime = 1
        let window = try setup.window(0, 0, 3000, 2000, 0xffff_0000)
        /// Begins a copy, and changes the colour once this many rows are written.
        func change(to argb: UInt32, after rows: Int) throws -> TestScreenFrame {
            let frame = try setup.frame()
            try frame.copy()
            try setup.client.flush()
            func left() throws -> Int { try frame.firstColumn().count { $0 == 0x123456 } }
            while try left() > 2000 - rows { try setup.fixture.loop.runOnce() }
            #expect(try left() > 0, "it is written in slices")
            window.color(argb).commit()
            try setup.client.flush()
            try setup.fixture.loop.runOnce()
            return frame
        }
        let first = try change(to: 0xff00_ff00, after: 1)
        try setup.fixture.wait(for: "the copy") { first.isReady }
        #expect(try Set(first.firstColumn()) == [0xff0000])
        let second = try change(to: 0xff00_00ff, after: 200)
        var shown: Bitmap?
        setup.fixture.server.capture([setup.fixture.mainScreen]) { shown = $0.first?.1 }
        try setup.fixture.wait(for: "both") { second.isReady && shown != nil }
        #expect(try Set(second.firstColumn()) == [0x00ff00])
        #expect(shown?[0, 0] == 0xff00_00ff && shown?[2999, 1999] == 0xff00_00ff, "a screenshot shows its own moment")
    }

    // MARK: Waiting for a change

    @Test("the first copy is ready at the next tick; later ones when something has changed, with the damage")
    func damage() throws {
        let setup = try ScreencopyFixture(clock: .manual)
        let window = try setup.window(10, 20, 30, 10, 0xffff_0000)
        let first = try setup.waiting()
        #expect(first.lines == ["buffer 1 80x60 320", "done"])
        try setup.tick()
        #expect(first.takeLines() == ["buffer 1 80x60 320", "done", "flags 0", "damage 0,0 80x60", "ready"])
        #expect(first.time == 1_016_667, "the time of the tick")
        let second = try setup.waiting()
        for _ in 0..<3 { try setup.tick() }
        #expect(!second.isReady, "nothing has changed")
        window.frame(11, 20, 30, 10).commit()
        try setup.fixture.pump()
        #expect(!second.isReady, "before the tick")
        try setup.tick()
        #expect(second.lines.suffix(3) == ["flags 0", "damage 10,20 31x10", "ready"])
        #expect(try setup.shows(second.pixels()))
    }

    @Test("hidden changes are no damage, nor are those outside of the copied part")
    func noDamage() throws {
        let setup = try ScreencopyFixture(clock: .manual)
        let (front, hidden) = (try setup.window(0, 0, 40, 60, 0xffff_0000), try setup.window(5, 5, 10, 10, 0xff00_ff00))
        hidden.hide()
        try setup.fixture.pump()
        let whole = try setup.waiting()
        let left = try setup.waiting(part: (0, 0, 40, 60))
        try setup.tick()
        #expect(whole.isReady && left.isReady)
        let (next, nextLeft) = (try setup.waiting(), try setup.waiting(part: (0, 0, 40, 60)))
        hidden.color(0xff00_00ff).frame(0, 0, 20, 20).commit()
        front.window.send(.setTitle(title: "other"))
        front.commit()
        try setup.fixture.pump()
        for _ in 0..<3 { try setup.tick() }
        #expect(!next.isReady && !nextLeft.isReady, "it is hidden")
        _ = try setup.window(50, 10, 5, 5, 0xff00_ff00)
        for _ in 0..<3 { try setup.tick() }
        #expect(next.damage == [IntRect(x: 50, y: 10, width: 5, height: 5)] && next.isReady)
        #expect(!nextLeft.isReady, "it is outside of the part")
        front.color(0xff00_00ff).commit()
        try setup.fixture.pump()
        try setup.tick()
        #expect(nextLeft.damage == [IntRect(x: 0, y: 0, width: 40, height: 60)] && nextLeft.isReady)
    }

    @Test("each manager has its own damage; a screenshot does not reset it")
    func ownDamage() throws {
        let setup = try ScreencopyFixture(clock: .manual)
        let other = try TestScreencopy(setup.client)
        let window = try setup.window(10, 10, 4, 4, 0xffff_0000)
        _ = try setup.copied()
        window.color(0xff00_ff00).commit()
        try setup.fixture.pump()
        _ = try setup.shown()
        let others = other.frame(of: setup.outputs[0])
        try setup.fixture.pump()
        try others.copy(waiting: true)
        let frame = try setup.waiting()
        try setup.tick()
        #expect(others.damage == [IntRect(x: 0, y: 0, width: 80, height: 60)])
        #expect(frame.damage == [IntRect(x: 10, y: 10, width: 4, height: 4)])
    }

    @Test("a change between copies is reported by the next one; a mirror changes with what it shows (S7)")
    func changedBefore() throws {
        let setup = try ScreencopyFixture(["80x60,name=A", "80x60,external,name=B,mirroring=A"], clock: .manual)
        let window = try setup.window(10, 10, 4, 4, 0xffff_0000)
        _ = try (setup.copied(), setup.copied(1))
        window.color(0xff00_ff00).commit()
        try setup.fixture.pump()
        let (late, mirror) = (try setup.waiting(), try setup.waiting(1))
        try setup.tick()
        #expect(late.damage == [IntRect(x: 10, y: 10, width: 4, height: 4)] && late.isReady && mirror.isReady)
        // A buffer in place of the colour, and then another one.
        for argb in [0xff12_3456, 0xff65_4321] as [UInt32] {
            let (next, nextMirror) = (try setup.waiting(), try setup.waiting(1))
            try setup.client.attach(argb, width: 4, height: 4, to: window.surface)
            window.commit()
            try setup.fixture.pump()
            try setup.tick()
            #expect(next.isReady && nextMirror.isReady)
        }
    }

    @Test("a copy that waits for a change also waits for the tick, whatever is copied in between")
    func onlyAtTicks() throws {
        let setup = try ScreencopyFixture(clock: .manual)
        let window = try setup.window(10, 10, 4, 4, 0xffff_0000)
        var first = try setup.waiting()
        try setup.tick()
        #expect(first.isReady)
        for argb in [0xff00_ff00, 0xff00_00ff] as [UInt32] {
            first = try setup.waiting()
            window.color(argb).commit()
            try setup.fixture.pump()
            _ = try (setup.copied(part: (0, 0, 5, 5)), setup.shown(), setup.copied(part: (1, 0, 5, 5)))
            #expect(!first.isReady)
            try setup.tick()
            #expect(first.damage == [IntRect(x: 10, y: 10, width: 4, height: 4)] && first.isReady)
        }
    }

    @Test("any number of copies and managers can follow each other")
    func oneAfterTheOther() throws {
        let setup = try ScreencopyFixture()
        for index in 0..<70 {
            let manager = try TestScreencopy(setup.client)
            _ = try setup.copied(part: (Int32(index), 0, 9, 9))
            manager.manager.send(.destroy)
        }
        try setup.fixture.pump()
        #expect(setup.client.isOpen)
    }

    @Test("pointer motion is damage for copies with the cursor, at the old position and at the new one")
    func cursorDamage() throws {
        let setup = try ScreencopyFixture(["80x60,name=A", "80x60,name=B,mirroring=none"], clock: .manual)
        try setup.hover(20, 20)
        let first = try (0...1).map { try setup.waiting($0, cursor: true) } + [try setup.waiting()]
        try setup.tick()
        #expect(first.map(\.isReady) == [true, true, true])
        let (here, there) = (try setup.waiting(0, cursor: true), try setup.waiting(1, cursor: true))
        let bare = try setup.waiting()
        try setup.hover(40, 20)
        try setup.tick()
        #expect(here.isReady && !there.isReady && !bare.isReady)
        #expect(try setup.shows(here.pixels(), cursor: true))
        let away = try setup.waiting(0, cursor: true)
        let place = InputEvent.Place(screen: ScreenReference("B"), point: Point(x: 30, y: 30))
        _ = try setup.fixture.server.injector.inject([.hover(place)])
        try setup.fixture.pump()
        try setup.tick()
        #expect(away.isReady && there.isReady && !bare.isReady)
        #expect(try away.pixels().allSatisfy { $0 == 0 })
        #expect(try setup.shows(there.pixels(), 1, cursor: true))
    }

    @Test("the reported damage suffices to keep a picture up to date, whatever happens")
    func random() throws {
        var random = SeededRandom()
        for run in 0..<10 {
            let setup = try ScreencopyFixture(clock: .manual)
            let windows = try (0..<4).map { _ in try setup.window(0, 0, 10, 10, 0xff80_8080) }
            let parts: [(Int32, Int32, Int32, Int32)?] = [nil, (10, 5, 50, 40), (0, 0, 30, 60)]
            let frames = (0..<3).map { (cursor: $0 == 0, part: parts[$0]) }
            var waiting = try frames.map { try setup.waiting(cursor: $0.cursor, part: $0.part) }
            var pictures = waiting.map { [UInt32](repeating: 0x654321, count: $0.size.width * $0.size.height) }
            for step in 0..<40 {
                let window = windows[Int.random(in: 0..<4, using: &random)]
                func number(_ range: ClosedRange<Int>) -> Double { Double(Int.random(in: range, using: &random)) }
                switch Int.random(in: 0..<7, using: &random) {
                case 0: window.frame(number(-9...80), number(-9...60), number(1...40), number(1...40)).commit()
                case 1: window.color(UInt32.random(in: 0...UInt32.max, using: &random) | 0xff00_0000).commit()
                case 2: window.level(number(0...3)).commit()
                case 3: Bool.random(using: &random) ? window.hide() : window.show()
                case 4: try setup.hover(number(0...79), number(0...59))
                case 5: _ = try setup.shown(cursor: Bool.random(using: &random))
                default: try setup.tick()
                }
                try setup.fixture.pump()
                if step % 8 == 7 { for _ in 0..<3 { try setup.tick() } }
                for (index, frame) in waiting.enumerated() where frame.isReady {
                    let pixels = try frame.pixels()
                    for area in frame.damage {
                        for y in Int(area.minY)..<Int(area.maxY) {
                            let row = y * frame.size.width
                            let range = row + Int(area.minX)..<row + Int(area.maxX)
                            pictures[index].replaceSubrange(range, with: pixels[range])
                        }
                    }
                    let message: Comment = "seed \(random.seed), run \(run), step \(step), frame \(index)"
                    try #require(same(pictures[index], pixels), message)
                    try #require(!frame.damage.isEmpty, message)
                    if step % 8 == 7 {
                        let now = try setup.copied(cursor: frames[index].cursor, part: frames[index].part)
                        try #require(try same(pixels, now.pixels()), message)
                    }
                    frame.proxy.send(.destroy)
                    waiting[index] = try setup.waiting(cursor: frames[index].cursor, part: frames[index].part)
                }
            }
        }
    }

    @Test("without waiting copies nothing is drawn; all waiting copies share one drawing per tick")
    func economy() throws {
        let setup = try ScreencopyFixture(clock: .manual)
        let window = try setup.window(10, 10, 4, 4, 0xffff_0000)
        _ = try setup.copied()
        var drawn = setup.fixture.server.counters.framesDrawn
        for argb in [0xff00_ff00, 0xff00_00ff] as [UInt32] {
            window.color(argb).commit()
            try setup.fixture.pump()
            try setup.tick()
        }
        #expect(setup.fixture.server.counters.framesDrawn == drawn)
        let other = try TestScreencopy(setup.fixture.connect("other"))
        let output = try #require(setup.fixture.clients.last).bind(WlOutput.self)
        _ = try setup.waiting()
        drawn = setup.fixture.server.counters.framesDrawn
        let second = other.frame(of: output)
        try setup.fixture.pump()
        try second.copy(waiting: true)
        try setup.fixture.pump()
        for argb in [0xff11_2233, 0xff22_3344] as [UInt32] {
            window.color(argb).commit()
            try setup.fixture.pump()
        }
        try setup.tick()
        #expect(second.isReady)
        #expect(setup.fixture.server.counters.framesDrawn == drawn + 1)
    }

    @Test("a small change is drawn with its tick, a large one in the turns after it")
    func small() throws {
        let setup = try ScreencopyFixture(["400x400,name=A"], clock: .manual)
        let small = try setup.window(0, 0, 4, 4, 0xffff_0000)
        let large = try setup.window(100, 100, 300, 300, 0xff00_ff00)
        let server = setup.fixture.server
        server.watch(setup.fixture.mainScreen)
        for _ in 0..<2 { try setup.tick() }
        for (window, isBusy) in [(small, false), (large, true)] {
            let drawn = server.counters.framesDrawn
            window.color(0xff00_00ff).commit()
            try setup.fixture.pump()
            #expect(server.clock.advance(to: try #require(server.clock.nextDeadline)) == 1)
            #expect(server.captures.isBusy == isBusy && server.counters.framesDrawn == drawn + 1)
            try setup.tick()
            #expect(!server.captures.isBusy)
        }
    }

    @Test("a client that requests many copies at once receives all, and others theirs in between", arguments: [1, 64])
    func many(areas: Int32) throws {
        let setup = try ScreencopyFixture()
        _ = try setup.window(10, 10, 4, 4, 0xffff_0000)
        let stranger = try setup.fixture.connect("stranger")
        let output = try stranger.bind(WlOutput.self)
        let frames = try (0..<64).map { try setup.frame(part: (0, 0, 80, 60 - Int32($0) % areas / 4)) }
        let one = try TestScreencopy(stranger).frame(of: output)
        try setup.fixture.pump()
        for frame in frames { try frame.copy() }
        try one.copy()
        try setup.fixture.wait(for: "all") { one.isReady && frames.allSatisfy(\.isReady) }
        let mine = try #require(one.time)
        #expect(frames.count { ($0.time ?? 0) < mine } < 3)
        let pixels = try one.pixels()
        for frame in frames { #expect(try same(frame.pixels(), Array(pixels.prefix(80 * frame.size.height)))) }
    }
}
