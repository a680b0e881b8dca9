// Random drags: each session begins once and ends once, whatever the order of events.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@Suite struct DragRandomTests {
    /// Programs with windows on two screens that press, drag, answer, hide and cancel at random.
    private final class Run {
        let fixture: ServerFixture
        var random: SeededRandom
        private var parties: [Party] = []
        private var isDown = false
        private var finger = false

        /// One program and the state of its sessions.
        final class Party {
            let data: TestDataDevice
            let windows: [TestWindow]
            var sources: [Proxy<WlDataSource>] = []
            var isOver = false
            var faults: [String] = []

            init(_ data: TestDataDevice, _ windows: [TestWindow]) {
                self.data = data
                self.windows = windows
                data.onDrag = { [unowned self] event in
                    switch event {
                    case .enter:
                        if isOver { faults.append("enter twice") }
                        isOver = true
                    case .leave, .drop:
                        if !isOver { faults.append("leave or drop without enter") }
                        isOver = false
                    case .motion: if !isOver { faults.append("motion without enter") }
                    case .dataOffer, .selection: break
                    }
                }
            }

            /// A new icon: one that is being dragged cannot be used again (W5).
            func icon() throws -> Proxy<WlSurface> {
                let icon = data.client.surface()
                try data.client.attach(0xffffff00, width: 16, height: 16, to: icon)
                icon.send(.commit)
                return icon
            }
        }

        init(_ random: SeededRandom) throws {
            self.random = random
            fixture = try ServerFixture(screens: ["200x100", "200x100,external"])
            for (index, version) in [3, 3, 2].enumerated() {
                let data = try TestDataDevice(try fixture.connect("\(index)"), version: UInt32(version))
                let windows = (0..<2).map { screen in
                    data.client.window("w\(index)", on: data.client.screens[screen]).color(0xff000000)
                        .frame(Double(index) * 60, 0, 70, 100)
                }
                for window in windows { window.show() }
                parties.append(Party(data, windows))
                try fixture.pump()
            }
        }

        private func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

        /// Makes a random request that is valid in every state.
        func step() throws {
            let party = parties[number(0..<parties.count)]
            let data = party.data
            let now = fixture.loop.now
            let place = Point(x: Double(number(0..<200)), y: Double(number(0..<100)))
            let screen = fixture.model.screens[number(0..<fixture.model.screens.count)]
            switch number(0..<16) {
            case 0, 1, 2, 3: try fixture.model.pointerMoved(to: place, on: screen, time: now)
            case 4, 5:
                try fixture.model.pointerButton(code: 0x110, pressed: !isDown, time: now)
                isDown.toggle()
            case 6:
                let phase = finger ? [Event.Phase.moved, .ended][number(0..<2)] : .began
                let main = fixture.mainScreen
                try fixture.model.touch(id: 3, phase: phase, at: place, on: main, time: now)
                finger = phase != .ended
            case 7, 8:
                let source = data.source(actions: [.copy, .move])
                party.sources.append(source)
                data.startDrag(source, from: party.windows[0].surface, icon: try party.icon())
            case 9: data.startDrag(nil, from: party.windows[0].surface)
            case 10: data.answer(number(0..<3) == 0 ? nil : "text/plain", [.copy, .move], preferred: .move)
            case 11: data.drag?.send(.destroy)
            case 12:
                let window = party.windows[number(0..<2)]
                if number(0..<2) == 0 { window.hide() } else { window.show() }
            case 13: party.sources.randomElement(using: &random)?.send(.destroy)
            case 14 where number(0..<4) == 0:
                let turn = Screen.Orientation.portrait == fixture.model.screen(screen)?.orientation
                try fixture.model.rotate(
                    screen, to: turn ? .portraitUpsideDown : .portrait, duration: 0, time: now)
            default: _ = try data.receive("text/plain", from: data.drag)
            }
            try fixture.pump()
            #expect(fixture.model.checkInvariants() == [], "seed \(random.seed)")
            for party in parties {
                let client = party.data.client
                #expect(client.isOpen, "seed \(random.seed): \(String(describing: client.error))")
                #expect(party.faults == [], "seed \(random.seed)")
            }
            // A drag is over one surface at most.
            #expect(parties.count { $0.isOver } <= 1, "seed \(random.seed)")
        }

        /// Releases everything; then no session is open and no icon is drawn.
        func finish() throws {
            let now = fixture.loop.now
            if isDown { try fixture.model.pointerButton(code: 0x110, pressed: false, time: now) }
            if finger {
                try fixture.model.touch(id: 3, phase: .ended, at: .zero, on: fixture.mainScreen, time: now)
            }
            try fixture.pump()
            #expect(parties.allSatisfy { !$0.isOver }, "seed \(random.seed)")
            for screen in fixture.model.screens {
                #expect(fixture.model.frame(for: screen)?.layers.contains { $0.window == nil } == false)
            }
            for party in parties { party.data.destroyOffers() }
            try fixture.pump()
            for party in parties where party.data.version >= 3 {
                let events = party.data.takeEvents()
                let ends = events.count { $0 == "source cancelled" || $0 == "source finished" }
                // Destroyed sources receive no events.
                let alive = party.sources.count { $0.isAlive }
                #expect(ends >= alive && ends <= party.sources.count, "seed \(random.seed)")
            }
        }
    }

    @Test("random drags by pointer and finger over two screens: enter and leave are balanced, and all sessions end")
    func random() throws {
        var generator = SeededRandom()
        for _ in 0..<60 {
            let run = try Run(SeededRandom(seed: generator.next()))
            for _ in 0..<120 { try run.step() }
            try run.finish()
        }
    }
}
