// S7: which screens mirror which, and when.

import MullionGeometry
import Testing
import WindowModel

@Suite struct MirroringRuleTests {
    private func named(_ name: String, _ mirroring: Screen.Mirroring = .automatic) -> ScreenDescription {
        var result = ModelFixture.wall
        result.name = name
        result.mirroring = mirroring
        return result
    }

    private func mirrored(_ fixture: ModelFixture, _ id: Screen.ID) -> Screen.ID? {
        fixture.model.screen(id)?.mirroredScreen
    }

    @Test("S7: an external screen mirrors from its connection until its first window shows, and after its last one")
    func untilUsed() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        #expect(fixture.effects() == [.screenDidConnect(wall)])
        #expect(mirrored(fixture, wall) == fixture.screen && fixture.model.mirrors(of: fixture.screen) == [wall])
        let a = try fixture.model.createWindow(application: fixture.app, screen: wall)
        #expect(mirrored(fixture, wall) == fixture.screen, "a hidden window does not count")
        try fixture.model.setHidden(false, of: a)
        #expect(fixture.effects() == [.screenPropertiesDidChange(wall), .didBecomeVisible(a, fixture.app)])
        #expect(mirrored(fixture, wall) == nil && fixture.model.mirrors(of: fixture.screen) == [])
        let b = try fixture.shown(on: wall)
        try fixture.model.setHidden(true, of: a)
        #expect(mirrored(fixture, wall) == nil)
        _ = fixture.effects()
        try fixture.model.setHidden(true, of: b)
        #expect(fixture.effects() == [.screenPropertiesDidChange(wall), .didBecomeHidden(b, fixture.app)])
        #expect(mirrored(fixture, wall) == fixture.screen)
    }

    @Test("S7: mirroring follows windows that are moved, destroyed, or lose their application or content")
    func everyWay() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        let window = try fixture.shown(of: fixture.other)
        try fixture.model.move(window, to: wall)
        #expect(mirrored(fixture, wall) == nil)
        try fixture.model.move(window, to: fixture.screen)
        #expect(mirrored(fixture, wall) == fixture.screen)
        try fixture.model.destroyWindow(try fixture.shown(on: wall))
        #expect(mirrored(fixture, wall) == fixture.screen)
        try fixture.model.move(window, to: wall)
        try fixture.model.removeApplication(fixture.other)
        #expect(mirrored(fixture, wall) == fixture.screen)
        let plain = try fixture.plain()
        try fixture.model.move(plain.0, to: wall)
        try fixture.model.setContent(plain.1, size: nil)
        #expect(mirrored(fixture, wall) == fixture.screen, "V1: without content it is not visible")
        try fixture.model.setContent(plain.1, size: Size(width: 1, height: 1))
        #expect(mirrored(fixture, wall) == nil)
        try fixture.model.setAlpha(0, of: plain.0)
        #expect(mirrored(fixture, wall) == nil, "V1: alpha does not matter")
        try fixture.model.disconnect(wall)
        let again = try fixture.model.connect(ModelFixture.wall)
        #expect(mirrored(fixture, again) == nil, "S8: its window has returned with it")
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("S7: with mirroring off an empty screen is black; the main screen mirrors only when configured")
    func off() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        try fixture.model.setBackgroundColor(.black, of: fixture.shown())
        #expect(fixture.model.frame(for: wall)?.layers.count == 1)
        _ = fixture.effects()
        try fixture.model.setMirroring(.off, of: wall)
        #expect(fixture.effects() == [.screenPropertiesDidChange(wall)])
        #expect(fixture.model.frame(for: wall)?.layers == [])
        #expect(mirrored(fixture, fixture.screen) == nil)
        try fixture.model.setMirroring(.off, of: wall)
        #expect(fixture.effects() == [])
        let attic = try fixture.model.connect(named("Attic", .off))
        try fixture.model.setMirroring(.screen("Attic"), of: fixture.screen)
        #expect(mirrored(fixture, fixture.screen) == nil, "it has a window")
        try fixture.model.setHidden(true, of: fixture.model.windows(on: fixture.screen)[0])
        #expect(mirrored(fixture, fixture.screen) == attic)
    }

    @Test("S7: the mirrored screen may connect later, disconnect and return")
    func byName() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(named("Wall", .screen("Attic")))
        #expect(mirrored(fixture, wall) == nil)
        _ = fixture.effects()
        let attic = try fixture.model.connect(named("Attic"))
        #expect(fixture.effects() == [.screenDidConnect(attic), .screenPropertiesDidChange(wall)])
        #expect(mirrored(fixture, wall) == attic)
        try fixture.model.disconnect(attic)
        #expect(fixture.effects() == [.screenDidDisconnect(attic), .screenPropertiesDidChange(wall)])
        #expect(mirrored(fixture, wall) == nil)
        try fixture.model.setMirroring(.screen("Attic"), of: wall)
        #expect(fixture.effects() == [], "setting the same value is accepted")
        let again = try fixture.model.connect(named("Attic"))
        #expect(mirrored(fixture, wall) == again)
    }

    @Test("S7: mirroring itself, even through others, or a missing screen is refused and changes nothing")
    func refusals() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        let attic = try fixture.model.connect(named("Attic", .screen("Wall")))
        // A cycle is refused even if windows hide it.
        _ = try fixture.shown(on: wall)
        _ = fixture.effects()
        let refused: [(Screen.Mirroring, Screen.ID, String)] = [
            (.screen("Wall"), wall, "screen Wall cannot mirror itself; use another screen"),
            (.screen("Attic"), wall, "screen Wall cannot mirror Attic, which mirrors Wall; use"),
            (.screen("Attic"), fixture.screen, "Panel cannot mirror Attic, which mirrors Wall, which mirrors Panel"),
            (.screen("Cellar"), wall, "Cellar is not a connected screen"),
        ]
        let before = fixture.model.screens.compactMap { fixture.model.screen($0) }
        for (mirroring, id, words) in refused {
            let error = refusal { try fixture.model.setMirroring(mirroring, of: id) }
            #expect(error?.rule == .s7 && error?.message.contains(words) == true, "\(String(describing: error))")
        }
        let unknown = refusal { try fixture.model.setMirroring(.screen("Cellar"), of: attic) }
        #expect(unknown?.message.contains("Panel, Wall, Attic") == true, "the error lists what is allowed")
        #expect(fixture.model.screens.compactMap { fixture.model.screen($0) } == before && fixture.effects() == [])
        #expect(refusal { _ = try fixture.model.connect(named("Self", .screen("Self"))) }?.rule == .s7)
        // The main screen shows the wall, so the wall cannot show the main screen.
        try fixture.model.setMirroring(.off, of: wall)
        try fixture.model.setMirroring(.screen("Attic"), of: fixture.screen)
        let error = refusal { try fixture.model.setMirroring(.automatic, of: wall) }
        #expect(error?.message.contains("Wall cannot mirror Panel, which mirrors Attic, which mirrors Wall") == true)
        #expect(fixture.model.screen(wall)?.properties.mirroring == .off)
    }

    @Test("S7: a new main screen is mirrored from then on; a cycle that this creates is black")
    func anotherMainScreen() throws {
        let fixture = try ModelFixture()
        try fixture.model.setBackgroundColor(.black, of: fixture.shown())
        let wall = try fixture.model.connect(ModelFixture.wall)
        let attic = try fixture.model.connect(named("Attic"))
        let hall = try fixture.model.connect(named("Hall", .screen("Attic")))
        _ = fixture.effects()
        try fixture.model.disconnect(fixture.screen)
        #expect(mirrored(fixture, wall) == nil && mirrored(fixture, attic) == wall && mirrored(fixture, hall) == attic)
        #expect(
            fixture.effects().prefix(4) == [
                .screenDidDisconnect(fixture.screen), .mainScreenDidChange(wall), .screenPropertiesDidChange(wall),
                .screenPropertiesDidChange(attic),
            ])
        var panel = try fixture.model.connect(ModelFixture.panel)
        #expect(mirrored(fixture, wall) == panel && mirrored(fixture, attic) == panel)
        try fixture.model.setMirroring(.screen("Attic"), of: wall)
        #expect(mirrored(fixture, wall) == attic && mirrored(fixture, attic) == panel)
        try fixture.model.disconnect(panel)
        for id in [wall, attic, hall] {
            #expect(mirrored(fixture, id) == nil && fixture.model.frame(for: id)?.layers == [])
        }
        // A window breaks the cycle.
        let window = try fixture.shown(on: attic)
        #expect(mirrored(fixture, wall) == attic && mirrored(fixture, hall) == attic)
        try fixture.model.setHidden(true, of: window)
        #expect(mirrored(fixture, wall) == nil)
        panel = try fixture.model.connect(ModelFixture.panel)
        #expect(
            mirrored(fixture, wall) == attic && mirrored(fixture, attic) == panel && mirrored(fixture, hall) == attic)
        #expect(fixture.model.checkInvariants() == [])
    }

    @Test("S7: a chain shows what its end shows, and is redisplayed when that or the chain changes")
    func chains() throws {
        let fixture = try ModelFixture()
        let window = try fixture.shown()
        try fixture.model.setBackgroundColor(.black, of: window)
        // The one further from the source first, so that its turn comes before the one in between.
        let wall = try fixture.model.connect(named("Wall", .screen("Attic")))
        let attic = try fixture.model.connect(named("Attic"))
        let hall = try fixture.model.connect(named("Hall", .off))
        func displayed(_ change: () throws -> Void) throws -> Set<Screen.ID> {
            _ = fixture.model.drainEffects()
            try change()
            return Set(
                fixture.model.drainEffects().compactMap {
                    if case .needsDisplay(let id) = $0 { id } else { nil }
                })
        }
        #expect(fixture.model.mirrors(of: fixture.screen) == [wall, attic])
        #expect(fixture.model.frame(for: wall)?.layers.map(\.window) == [window])
        #expect(try displayed { try fixture.model.setAlpha(0.5, of: window) } == [fixture.screen, attic, wall])
        #expect(try displayed { try fixture.model.setMirroring(.screen("Hall"), of: attic) } == [attic, wall])
        #expect(fixture.model.mirrors(of: hall) == [wall, attic])
        #expect(fixture.model.frame(for: wall)?.layers == [])
        #expect(try displayed { try fixture.model.setAlpha(1, of: window) } == [fixture.screen])
        let own = try fixture.model.createWindow(application: fixture.app, screen: attic)
        try fixture.model.setBackgroundColor(.black, of: own)
        #expect(try displayed { try fixture.model.setHidden(false, of: own) } == [attic, wall])
        #expect(fixture.model.frame(for: wall)?.layers.map(\.window) == [own])
        #expect(try displayed { try fixture.model.rotate(attic, to: .landscapeLeft, time: 1) } == [attic, wall])
    }

    @Test("S7: a mirrored picture receives no touches")
    func touches() throws {
        let fixture = try ModelFixture()
        let wall = try fixture.model.connect(ModelFixture.wall)
        _ = try fixture.shown()
        #expect(fixture.model.hitTest(Point(x: 50, y: 50), on: wall) == nil)
        let routing = try fixture.model.touch(id: 1, phase: .began, at: Point(x: 50, y: 50), on: wall, time: 1)
        #expect(routing.reason == .noWindow)
    }
}
