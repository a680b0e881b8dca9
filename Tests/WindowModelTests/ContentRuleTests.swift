// Surfaces and frames: C1–C3, and the effects of a drain.

import MullionGeometry
import Testing
import WindowModel

@Suite struct ContentRuleTests {
    private func contents(_ fixture: ModelFixture) -> [Layer.Content] {
        fixture.model.frame(for: fixture.screen)?.layers.map(\.content) ?? []
    }

    @Test("C1: on top, at an index, above and below a sibling, below the parent's own content")
    func order() throws {
        let fixture = try ModelFixture()
        let (_, root) = try fixture.plain()
        let s = (0..<4).map { _ in fixture.surface(10, 10) }
        func drawn() -> [Int] {
            contents(fixture).map {
                if case .surface(let id) = $0 { s.firstIndex(of: id) ?? -1 } else { -2 }
            }
        }
        try fixture.model.addSubsurface(s[0], to: root)
        try fixture.model.addSubsurface(s[1], to: root)
        try fixture.model.insert(s[2], in: root, at: 1)
        #expect(drawn() == [-1, 0, 2, 1])
        try fixture.model.insert(s[3], in: root, at: 0)
        #expect(drawn() == [-1, 3, 0, 2, 1])
        try fixture.model.place(s[1], below: root)
        try fixture.model.place(s[0], below: s[1])
        #expect(drawn() == [0, 1, -1, 3, 2])
        try fixture.model.place(s[0], above: s[3])
        #expect(drawn() == [1, -1, 3, 0, 2])
        try fixture.model.insert(s[2], in: root, at: 0)
        #expect(drawn() == [1, -1, 2, 3, 0])
        #expect(fixture.model.surface(root)?.childrenBelow == 1)
        #expect(refusal { try fixture.model.insert(s[2], in: root, at: 3) }?.rule == .c1)
        #expect(refusal { try fixture.model.place(s[2], above: fixture.surface(1, 1)) }?.rule == .c1)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("C1: a tree cannot contain itself or become too deep to walk")
    func depth() throws {
        let fixture = try ModelFixture()
        var parent = fixture.surface(1, 1)
        let top = parent
        for _ in 1..<64 {
            let child = fixture.surface(1, 1)
            try fixture.model.addSubsurface(child, to: parent)
            parent = child
        }
        #expect(refusal { try fixture.model.addSubsurface(fixture.surface(1, 1), to: parent) }?.rule == .c1)
        #expect(refusal { try fixture.model.addSubsurface(top, to: parent) }?.rule == .c1)
        try fixture.model.destroySurface(top)
        #expect(fixture.model.surface(top) == nil)
        #expect(fixture.model.createSurface() != top)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("C2: a background-only window is drawn and hit")
    func background() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown(x: 10, y: 20)
        #expect(contents(fixture).isEmpty)
        try fixture.model.setBackgroundColor(.black, of: window)
        let layer = try #require(fixture.model.frame(for: fixture.screen)?.layers.first)
        #expect(layer.content == .color(.black) && layer.size == Size(width: 100, height: 100))
        #expect(layer.toPixels == AffineTransform(a: 2, b: 0, c: 0, d: 2, tx: 20, ty: 40))
        #expect(fixture.model.hitTest(Point(x: 10, y: 20), on: fixture.screen)?.window == window)
        try fixture.model.setAlpha(0, of: window)
        #expect(contents(fixture).isEmpty)
    }

    @Test("C3: the extension's windows clip to their frame, plain ones and pop-ups do not")
    func clipping() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown(x: 10)
        let (root, child, popup) = (fixture.surface(100, 100), fixture.surface(10, 10), fixture.surface(50, 50))
        try fixture.model.setRoot(root, of: window)
        try fixture.model.addSubsurface(child, to: root)
        try fixture.model.setPosition(child, Point(x: 95, y: 5))
        try fixture.model.addPopup(popup, to: window, at: Point(x: 90, y: 90))
        let layers = try #require(fixture.model.frame(for: fixture.screen)?.layers)
        #expect(layers.map(\.content) == [.surface(root), .surface(child), .surface(popup)])
        #expect(layers[1].clip == Rect(x: -95, y: -5, width: 100, height: 100))
        #expect(layers[2].clip == nil)
        #expect(fixture.model.hitTest(Point(x: 145, y: 135), on: fixture.screen)?.surface == popup)
        #expect(fixture.model.hitTest(Point(x: 112, y: 6), on: fixture.screen) == nil)
        try fixture.model.setClipsToBounds(false, of: window)
        #expect(fixture.model.hitTest(Point(x: 112, y: 6), on: fixture.screen)?.surface == child)
        try fixture.model.removePopup(popup)
        #expect(contents(fixture) == [.surface(root), .surface(child)])
    }

    @Test("C3: pop-ups lie directly above their window, in its level")
    func popupLevel() throws {
        let fixture = try ModelFixture()
        let (window, root) = try fixture.plain()
        let (_, front) = try fixture.plain(x: 50)
        let (first, second) = (fixture.surface(30, 30), fixture.surface(30, 30))
        try fixture.model.addPopup(first, to: window, at: Point(x: 80, y: 0))
        try fixture.model.addPopup(second, to: window, at: Point(x: 80, y: 0))
        #expect(contents(fixture) == [root, first, second, front].map { .surface($0) })
        #expect(fixture.model.hitTest(Point(x: 85, y: 5), on: fixture.screen)?.surface == front)
        try fixture.model.bringToFront(window)
        #expect(fixture.model.hitTest(Point(x: 85, y: 5), on: fixture.screen)?.surface == second)
        let bar = fixture.surface(30, 30)
        try fixture.model.addPopup(bar, to: window, at: Point(x: 80, y: 0), behindOthers: true)
        #expect(fixture.model.rootAndPopups(of: window) == [second, first, bar, root])
        #expect(fixture.model.hitTest(Point(x: 85, y: 5), on: fixture.screen)?.surface == second)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("S4: a frame's layers are in native pixels, through the window's transform and the orientation")
    func transforms() throws {
        let model = WindowModel()
        var panel = ModelFixture.panel
        panel.orientation = .landscapeRight
        let screen = try model.connect(panel)
        let options = Window.Options(frame: Rect(x: 10, y: 20, width: 100, height: 50))
        let window = try model.createWindow(application: model.addApplication(), options: options)
        try model.setHidden(false, of: window)
        try model.setBackgroundColor(.black, of: window)
        try model.setTransform(.scale(x: 2, y: 2), of: window)
        let frame = try #require(model.frame(for: screen))
        #expect(frame.pixelWidth == 1000 && frame.pixelHeight == 800)
        let toPixels = frame.layers[0].toPixels
        #expect(toPixels.apply(to: Point(x: 50, y: 25)) == Point(x: 1000 - 90, y: 120))
        #expect(toPixels.apply(to: .zero) == Point(x: 1000 + 10, y: -80))
    }

    @Test("Effects: needsDisplay is recorded once per screen and drain, and nothing when nothing changed")
    func needsDisplay() throws {
        let fixture = try ModelFixture()
        let (window, root) = try fixture.plain()
        for x in 0..<10 { try fixture.model.setFrame(Rect(x: Double(x), y: 9, width: 9, height: 9), of: window) }
        let effects = fixture.model.drainEffects()
        #expect(effects.filter { $0 == .needsDisplay(fixture.screen) }.count == 1)
        #expect(effects.last == .needsDisplay(fixture.screen))
        try fixture.model.setAlpha(1, of: window)
        #expect(fixture.model.drainEffects().isEmpty)
        try fixture.model.setNeedsDisplay(root)
        #expect(fixture.model.drainEffects() == [.needsDisplay(fixture.screen)])
    }
}
