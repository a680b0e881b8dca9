// The global layout: screens whose position was not set make room, and never overlap by themselves.

import MullionGeometry
import Testing
import WindowModel

@Suite struct AutomaticLayoutTests {
    /// Screens of 600 × 400 points in a row, named A, B, C.
    private func row(_ model: WindowModel, positioned: Set<String> = []) throws -> [Screen.ID] {
        try ["A", "B", "C"].enumerated().map { index, name in
            try model.connect(
                ScreenDescription(
                    name: name, modes: [Screen.Mode(width: 600, height: 400), Screen.Mode(width: 300, height: 200)],
                    mirroring: .off, position: Point(x: 600 * Double(index), y: 0),
                    isPositioned: positioned.contains(name)))
        }
    }

    private func places(_ model: WindowModel) -> [Double] {
        model.screens.compactMap { model.screen($0)?.position.x }
    }

    @Test("rotating a screen, changing its mode, scale or overscan moves the screens to its right")
    func neighbours() throws {
        let model = WindowModel()
        let ids = try row(model)
        _ = model.drainEffects()
        try model.rotate(ids[0], to: .landscapeLeft, duration: 0, time: 1)
        #expect(places(model) == [0, 400, 1000])
        let notified = model.drainEffects().filter { if case .screenPropertiesDidChange = $0 { true } else { false } }
        #expect(notified == ids.map { .screenPropertiesDidChange($0) })
        try model.rotate(ids[0], to: .landscapeRight, duration: 0, time: 2)
        #expect(places(model) == [0, 400, 1000])
        try model.setScale(2, of: ids[1])
        #expect(places(model) == [0, 400, 700])
        try model.setMode(Screen.Mode(width: 300, height: 200), of: ids[0])
        #expect(places(model) == [0, 200, 500])
        try model.rotate(ids[0], to: .portrait, duration: 0, time: 3)
        try model.setMode(Screen.Mode(width: 600, height: 400), scale: 1, of: ids[0])
        try model.setScale(1, of: ids[1])
        #expect(places(model) == [0, 600, 1200], "and back")
    }

    @Test("a screen whose position was set stays; the others go around it")
    func positioned() throws {
        let model = WindowModel()
        let ids = try row(model)
        try model.setPosition(Point(x: 600, y: 0), of: ids[1])
        try model.setMode(Screen.Mode(width: 300, height: 200), of: ids[0])
        #expect(places(model) == [0, 600, 1200], "C is to the right of B, which stays")
        try model.setMode(Screen.Mode(width: 600, height: 400), of: ids[0])
        try model.setScale(0.5, of: ids[1])
        #expect(places(model) == [0, 600, 2400 - 600])
        try model.setPosition(Point(x: 0, y: 400), of: ids[2])
        try model.rotate(ids[1], to: .landscapeLeft, duration: 0, time: 1)
        #expect(places(model) == [0, 600, 0])
    }

    @Test("a screen without a set position that grows over one with a set position goes to its right")
    func growing() throws {
        let model = WindowModel()
        let ids = try row(model, positioned: ["B"])
        _ = model.drainEffects()
        try model.setScale(0.5, of: ids[0])
        #expect(places(model) == [1200, 600, 1200 + 1200])
        let notified = model.drainEffects().filter { if case .screenPropertiesDidChange = $0 { true } else { false } }
        #expect(notified == [.screenPropertiesDidChange(ids[0]), .screenPropertiesDidChange(ids[2])])
        try model.setScale(0.5, of: ids[1])
        #expect(places(model) == [1800, 600, 3000])
    }

    @Test("two screens whose positions were set may overlap, and the others make room for a position that is set")
    func overlapping() throws {
        let model = WindowModel()
        let ids = try row(model)
        try model.setPosition(Point(x: 100, y: 100), of: ids[2])
        #expect(places(model) == [700, 1300, 100])
        try model.setPosition(Point(x: 200, y: 0), of: ids[0])
        #expect(places(model) == [200, 1300, 100])
        try model.setMode(Screen.Mode(width: 300, height: 200), of: ids[0])
        #expect(places(model) == [200, 1300 - 300, 100])
        let own = Screen.Mode(width: 100, height: 100)
        let set = ScreenDescription(name: "D", modes: [own], position: Point(x: 1000, y: 300), isPositioned: true)
        try model.connect(set)
        #expect(places(model) == [200, 1100, 100, 1000], "a new screen with a set position")
        try model.connect(ScreenDescription(name: "E", modes: [own], position: Point(x: 1000, y: 300)))
        #expect(places(model) == [200, 1100, 100, 1000, 1700], "a new one without")
    }

    @Test("a screen that is switched off keeps its place free, and makes room")
    func switchedOff() throws {
        let model = WindowModel()
        let ids = try row(model)
        try model.switchOff(ids[1])
        try model.rotate(ids[0], to: .landscapeLeft, duration: 0, time: 1)
        #expect(places(model) == [0, 1000])
        try model.rotate(ids[0], to: .portrait, duration: 0, time: 2)
        #expect(places(model) == [0, 1200])
        try model.setScale(0.5, of: ids[0])
        let on = try model.switchOn("B")
        #expect(model.screen(on)?.position == Point(x: 1200, y: 0))
    }
}
