// Surfaces and frames: C1–C3, and the effects of a drain.

import Geometry
import Testing
import WindowModel

@Suite struct ContentRuleTests {
    private func contents(_ desk: Desk) -> [Layer.Content] {
        desk.model.frame(for: desk.screen)?.layers.map(\.content) ?? []
    }

    @Test("C1: on top, at an index, above and below a sibling, below the parent's own content")
    func order() throws {
        let desk = try Desk()
        let (_, root) = try desk.plain()
        let s = (0..<4).map { _ in desk.surface(10, 10) }
        func drawn() -> [Int] {
            contents(desk).map {
                if case .surface(let id) = $0 { s.firstIndex(of: id) ?? -1 } else { -2 }
            }
        }
        try desk.model.addSubsurface(s[0], to: root)
        try desk.model.addSubsurface(s[1], to: root)
        try desk.model.insert(s[2], in: root, at: 1)
        #expect(drawn() == [-1, 0, 2, 1])
        try desk.model.insert(s[3], in: root, at: 0)
        #expect(drawn() == [-1, 3, 0, 2, 1])
        try desk.model.place(s[1], below: root)
        try desk.model.place(s[0], below: s[1])
        #expect(drawn() == [0, 1, -1, 3, 2])
        try desk.model.place(s[0], above: s[3])
        #expect(drawn() == [1, -1, 3, 0, 2])
        try desk.model.insert(s[2], in: root, at: 0)
        #expect(drawn() == [1, -1, 2, 3, 0])
        #expect(desk.model.surface(root)?.childrenBelow == 1)
        #expect(refusal { try desk.model.insert(s[2], in: root, at: 3) }?.rule == .c1)
        #expect(refusal { try desk.model.place(s[2], above: desk.surface(1, 1)) }?.rule == .c1)
        #expect(desk.model.checkInvariants() == [])
    }

    @Test("C1: a tree cannot contain itself or become too deep to walk")
    func depth() throws {
        let desk = try Desk()
        var parent = desk.surface(1, 1)
        let top = parent
        for _ in 1..<64 {
            let child = desk.surface(1, 1)
            try desk.model.addSubsurface(child, to: parent)
            parent = child
        }
        #expect(refusal { try desk.model.addSubsurface(desk.surface(1, 1), to: parent) }?.rule == .c1)
        #expect(refusal { try desk.model.addSubsurface(top, to: parent) }?.rule == .c1)
        try desk.model.destroySurface(top)
        #expect(desk.model.surface(top) == nil)
        #expect(desk.model.createSurface() != top)
        #expect(desk.model.checkInvariants() == [])
    }

    @Test("C2: a background-only window is drawn and hit")
    func background() throws {
        let desk = try Desk()
        let window = try desk.shown(x: 10, y: 20)
        #expect(contents(desk).isEmpty)
        try desk.model.setBackgroundColor(.black, of: window)
        let layer = try #require(desk.model.frame(for: desk.screen)?.layers.first)
        #expect(layer.content == .color(.black) && layer.size == Size(width: 100, height: 100))
        #expect(layer.toPixels == AffineTransform(a: 2, b: 0, c: 0, d: 2, tx: 20, ty: 40))
        #expect(desk.model.hitTest(Point(x: 10, y: 20), on: desk.screen)?.window == window)
        try desk.model.setAlpha(0, of: window)
        #expect(contents(desk).isEmpty)
    }

    @Test("C3: the extension's windows clip to their frame, plain ones and pop-ups do not")
    func clipping() throws {
        let desk = try Desk()
        let window = try desk.shown(x: 10)
        let (root, child, popup) = (desk.surface(100, 100), desk.surface(10, 10), desk.surface(50, 50))
        try desk.model.setRoot(root, of: window)
        try desk.model.addSubsurface(child, to: root)
        try desk.model.setPosition(child, Point(x: 95, y: 5))
        try desk.model.addPopup(popup, to: window, at: Point(x: 90, y: 90))
        let layers = try #require(desk.model.frame(for: desk.screen)?.layers)
        #expect(layers.map(\.content) == [.surface(root), .surface(child), .surface(popup)])
        #expect(layers[1].clip == Rect(x: -95, y: -5, width: 100, height: 100))
        #expect(layers[2].clip == nil)
        #expect(desk.model.hitTest(Point(x: 145, y: 135), on: desk.screen)?.surface == popup)
        #expect(desk.model.hitTest(Point(x: 112, y: 6), on: desk.screen) == nil)
        try desk.model.setClipsToBounds(false, of: window)
        #expect(desk.model.hitTest(Point(x: 112, y: 6), on: desk.screen)?.surface == child)
        try desk.model.removePopup(popup)
        #expect(contents(desk) == [.surface(root), .surface(child)])
    }

    @Test("C3: pop-ups lie directly above their window, in its level")
    func popupLevel() throws {
        let desk = try Desk()
        let (window, root) = try desk.plain()
        let (_, front) = try desk.plain(x: 50)
        let (first, second) = (desk.surface(30, 30), desk.surface(30, 30))
        try desk.model.addPopup(first, to: window, at: Point(x: 80, y: 0))
        try desk.model.addPopup(second, to: window, at: Point(x: 80, y: 0))
        #expect(contents(desk) == [root, first, second, front].map { .surface($0) })
        #expect(desk.model.hitTest(Point(x: 85, y: 5), on: desk.screen)?.surface == front)
        try desk.model.bringToFront(window)
        #expect(desk.model.hitTest(Point(x: 85, y: 5), on: desk.screen)?.surface == second)
    }

    @Test("S4: a frame's layers are in native pixels, through the window's transform and the orientation")
    func transforms() throws {
        let model = WindowModel()
        var panel = Desk.panel
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
        let desk = try Desk()
        let (window, root) = try desk.plain()
        for x in 0..<10 { try desk.model.setFrame(Rect(x: Double(x), y: 9, width: 9, height: 9), of: window) }
        let effects = desk.model.drainEffects()
        #expect(effects.filter { $0 == .needsDisplay(desk.screen) }.count == 1)
        #expect(effects.last == .needsDisplay(desk.screen))
        try desk.model.setAlpha(1, of: window)
        #expect(desk.model.drainEffects().isEmpty)
        try desk.model.setNeedsDisplay(root)
        #expect(desk.model.drainEffects() == [.needsDisplay(desk.screen)])
    }
}
