// Where positioners put pop-ups.

import MullionGeometry
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct PopupPositionTests {
    @Test("all nine anchors and all nine gravities place the pop-up as they say")
    func anchors() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let top = try TestToplevel.map(client, fixture)
        // none, top, bottom, left, right, top left, bottom left, top right, bottom right
        let edges: [(x: Int32, y: Int32)] = [
            (0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1),
        ]
        for anchor in 0..<9 {
            for gravity in 0..<9 {
                let positioner = Proxy<XdgPositioner>(client.connection, version: 5)
                client.wmBase.send(.createPositioner(id: positioner.id))
                positioner.send(.setSize(width: 20, height: 10))
                positioner.send(.setAnchorRect(x: 100, y: 50, width: 40, height: 30))
                positioner.send(.setAnchor(anchor: .init(rawValue: UInt32(anchor))))
                positioner.send(.setGravity(gravity: .init(rawValue: UInt32(gravity))))
                positioner.send(.setOffset(x: 3, y: -2))
                let popup = TestPopup(client, parent: top.xdg, positioner: positioner)
                popup.surface.send(.commit)
                try fixture.pump()
                // The middle of the anchor rectangle is (120, 65); the pop-up's middle lies half its size beyond.
                let x = 120 + 20 * edges[anchor].x + 10 * edges[gravity].x - 10 + 3
                let y = 65 + 15 * edges[anchor].y + 5 * edges[gravity].y - 5 - 2
                let received = popup.place.map { [$0.x, $0.y, $0.width, $0.height] }
                #expect(received == [x, y, 20, 10], "anchor \(anchor), gravity \(gravity)")
                popup.destroy()
            }
        }
        try fixture.pump()
        #expect(client.isOpen && fixture.model.surfaceCount == 1)
    }

    @Test("C3: a reactive pop-up follows its window once for all changes that are delivered together")
    func follows() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let top = try TestToplevel.map(client, fixture)
        let window = try #require(fixture.model.windows.first)
        let positioner = TestPopup.positioner(client, width: 20, height: 10)
        positioner.send(
            .setConstraintAdjustment(constraintAdjustment: XdgPositioner.ConstraintAdjustment.slideX.rawValue))
        positioner.send(.setReactive)
        let popup = TestPopup(client, parent: top.xdg, positioner: positioner)
        popup.surface.send(.commit)
        try fixture.pump()
        var places: [Int32] = []
        popup.popup.onEvent = { if case .configure(let x, _, _, _) = $0 { places.append(x) } }
        for x in [-100.0, -150, -50, -60] {
            try fixture.model.setFrame(Rect(x: x, y: 0, width: 200, height: 100), of: window)
        }
        try fixture.pump()
        #expect(places == [60])
    }

    @Test("constraint adjustment: 3,000 random positioners agree with a slow reference, axis by axis")
    func adjustment() throws {
        var random = SeededRandom()
        func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        let edges = [(0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]
        for number in 0..<3000 {
            var rules = PopupRules()
            let size = (pick(1...60) * 2, pick(1...60) * 2)
            let anchorRect = (pick(-120...120), pick(-120...120), pick(0...20) * 2, pick(0...20) * 2)
            let (anchor, gravity) = (pick(0...8), pick(0...8))
            let offset = (pick(-9...9), pick(-9...9))
            let mask = UInt32(pick(0...63))
            rules.size = Size(width: Double(size.0), height: Double(size.1))
            rules.anchorRect = Rect(
                x: Double(anchorRect.0), y: Double(anchorRect.1), width: Double(anchorRect.2),
                height: Double(anchorRect.3))
            rules.anchor = try #require(PopupRules.Edges(wire: UInt32(anchor)))
            rules.gravity = try #require(PopupRules.Edges(wire: UInt32(gravity)))
            rules.offset = Point(x: Double(offset.0), y: Double(offset.1))
            rules.adjustment = XdgPositioner.ConstraintAdjustment(rawValue: mask)
            let limits = (low: -100, high: 100)
            let place = rules.place(within: Rect(x: -100, y: -100, width: 200, height: 200))
            let x = ReferenceAxis(
                anchor: (anchorRect.0, anchorRect.2, edges[anchor].0), gravity: edges[gravity].0, length: size.0,
                offset: offset.0, limits: limits, slides: mask & 1 != 0, flips: mask & 4 != 0, resizes: mask & 16 != 0)
            let y = ReferenceAxis(
                anchor: (anchorRect.1, anchorRect.3, edges[anchor].1), gravity: edges[gravity].1, length: size.1,
                offset: offset.1, limits: limits, slides: mask & 2 != 0, flips: mask & 8 != 0, resizes: mask & 32 != 0)
            let expected = [x.place().0, y.place().0, x.place().1, y.place().1]
            let found = [place.minX, place.minY, place.size.width, place.size.height].map { Int($0) }
            #expect(found == expected, "seed \(random.seed), number \(number): \(rules), mask \(mask)")
        }
    }

    @Test("at each edge of the screen: flipped, slid and resized; the numbers are in the parent's geometry")
    func edges() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let top = try TestToplevel.map(client, fixture)
        let frame = try #require(fixture.model.frame(of: fixture.model.windows[0]))
        let (x, y) = (Int(frame.minX), Int(frame.minY))
        func place(
            _ anchorX: Int32, _ anchorY: Int32, _ gravity: XdgPositioner.Gravity,
            _ mask: XdgPositioner.ConstraintAdjustment
        ) throws -> [Int32] {
            let positioner = TestPopup.positioner(
                client, width: 100, height: 80, x: anchorX - Int32(x), y: anchorY - Int32(y), gravity: gravity)
            positioner.send(.setConstraintAdjustment(constraintAdjustment: mask.rawValue))
            let popup = TestPopup(client, parent: top.xdg, positioner: positioner)
            popup.surface.send(.commit)
            try fixture.pump()
            popup.destroy()
            guard let place = popup.place else { return [] }
            return [place.x + Int32(x), place.y + Int32(y), place.width, place.height]
        }
        #expect(try place(750, 300, .bottomRight, []) == [750, 300, 100, 80])
        #expect(try place(750, 300, .bottomRight, .flipX) == [651, 300, 100, 80])
        #expect(try place(750, 300, .bottomRight, .slideX) == [700, 300, 100, 80])
        #expect(try place(750, 300, .bottomRight, .resizeX) == [750, 300, 50, 80])
        #expect(try place(30, 300, .bottomLeft, .slideX) == [0, 300, 100, 80])
        #expect(try place(30, 300, .bottomLeft, .resizeX) == [0, 300, 30, 80])
        #expect(try place(300, 570, .bottomRight, .slideY) == [300, 520, 100, 80])
        #expect(try place(300, 570, .bottomRight, .flipY) == [300, 491, 100, 80])
        #expect(try place(300, 20, .topRight, .slideY) == [300, 0, 100, 80])
        #expect(try place(300, 20, .topRight, .resizeY) == [300, 0, 100, 20])
    }

    @Test("numbers at the edge of 32 bits are clamped")
    func extremes() throws {
        let fixture = try ServerFixture()
        let client = try fixture.connect()
        let top = try TestToplevel.map(client, fixture)
        for sign in [Int32.max, Int32.min] {
            for mask in [0, 63] as [UInt32] {
                let positioner = Proxy<XdgPositioner>(client.connection, version: 5)
                client.wmBase.send(.createPositioner(id: positioner.id))
                positioner.send(.setSize(width: .max, height: .max))
                positioner.send(.setAnchorRect(x: sign, y: sign, width: .max, height: .max))
                positioner.send(.setAnchor(anchor: .bottomRight))
                positioner.send(.setOffset(x: sign, y: sign))
                positioner.send(.setConstraintAdjustment(constraintAdjustment: mask))
                let popup = TestPopup(client, parent: top.xdg, positioner: positioner)
                popup.surface.send(.commit)
                try fixture.pump()
                #expect(popup.place != nil)
            }
        }
        #expect(client.isOpen)
    }
}

/// One axis of a positioner, point by point as the protocol describes it.
private struct ReferenceAxis {
    var anchor: (start: Int, length: Int, edge: Int)
    var gravity: Int
    var length: Int
    var offset: Int
    var limits: (low: Int, high: Int)
    var slides, flips, resizes: Bool

    private func start(mirrored: Bool) -> Int {
        let edge = mirrored ? -anchor.edge : anchor.edge
        let point: Int =
            switch edge {
            case -1: anchor.start
            case 1: anchor.start + anchor.length
            default: anchor.start + anchor.length / 2
            }
        // A mirrored pop-up keeps its distance from the anchor.
        let from = point + (mirrored ? -offset : offset)
        switch mirrored ? -gravity : gravity {
        case -1: return from - length
        case 1: return from
        default: return from - length / 2
        }
    }

    private func fits(_ start: Int) -> Bool { start >= limits.low && start + length <= limits.high }

    func place() -> (Int, Int) {
        var at = start(mirrored: false)
        if fits(at) { return (at, length) }
        if flips, fits(start(mirrored: true)) { return (start(mirrored: true), length) }
        if slides {
            // Every pop-up here is smaller than the room: the nearest place that fits.
            var distance = 0
            while !fits(at + distance), !fits(at - distance) { distance += 1 }
            at = fits(at + distance) ? at + distance : at - distance
            return (at, length)
        }
        if resizes {
            let inside = (at..<at + length).filter { $0 >= limits.low && $0 < limits.high }
            if let first = inside.first { return (first, inside.count) }
        }
        return (at, length)
    }
}
