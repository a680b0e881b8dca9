// Surfaces dragged over the windows.

import MullionGeometry
import Testing
import WindowModel

@Suite struct OverlayRuleTests {
    @Test("an overlay is in front of every level, moves, and is removed with its surface; H1: it is never hit")
    func inFront() throws {
        let fixture = try ModelFixture()
        let (model, screen) = (fixture.model, fixture.screen)
        let window = try fixture.shown(level: Window.Level.alert)
        try model.setBackgroundColor(.black, of: window)
        let icon = fixture.surface(20, 10)
        try model.setOverlay(icon, at: Point(x: 30, y: 40), on: screen)
        let layer = try #require(model.frame(for: screen)?.layers.last)
        #expect(layer.content == .surface(icon) && layer.window == nil)
        #expect(layer.toPixels.apply(to: .zero) == Point(x: 60, y: 80), "in pixels")
        #expect(model.hitTest(Point(x: 35, y: 45), on: screen)?.window == window)
        #expect(model.overlayScreen(of: icon) == screen)
        _ = model.drainEffects()
        try model.setOverlay(icon, at: Point(x: 30, y: 40), on: screen)
        #expect(model.drainEffects() == [], "the same overlay again changes nothing")
        try model.setOverlay(icon, at: Point(x: 31, y: 40), on: screen)
        #expect(model.drainEffects() == [.needsDisplay(screen)])
        try model.setContent(icon, size: Size(width: 5, height: 5))
        #expect(model.drainEffects() == [.needsDisplay(screen)])
        try model.destroySurface(icon)
        #expect(model.drainEffects() == [.needsDisplay(screen)])
        #expect(model.frame(for: screen)?.layers.count == 1 && model.overlayScreen(of: icon) == nil)
        model.removeOverlay(icon)
        #expect(model.checkInvariants() == [])
    }

    @Test("W5: a surface with a role cannot be dragged over windows; S1: the screen must be connected")
    func refused() throws {
        let fixture = try ModelFixture()
        let (model, screen) = (fixture.model, fixture.screen)
        let (parent, child) = (fixture.surface(20, 10), fixture.surface(5, 5))
        try model.addSubsurface(child, to: parent)
        #expect(throws: ModelError.self) { try model.setOverlay(child, at: .zero, on: screen) }
        #expect(throws: ModelError.self) { try model.setOverlay(parent, at: Point(x: .nan, y: 0), on: screen) }
        try model.setOverlay(parent, at: .zero, on: screen)
        #expect(model.overlayScreen(of: child) == screen)
        try model.disconnect(screen)
        #expect(throws: ModelError.self) { try model.setOverlay(parent, at: Point(x: 1, y: 0), on: screen) }
        model.removeOverlay(parent)
        #expect(model.overlayScreen(of: parent) == nil)
    }
}
