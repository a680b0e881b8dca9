// S7: which screens mirror which, and when.

import Geometry
import Testing
import WindowModel

@Suite struct MirroringRuleTests {
    private func named(_ name: String, _ mirroring: Screen.Mirroring = .automatic) -> ScreenDescription {
        var result = Desk.wall
        result.name = name
        result.mirroring = mirroring
        return result
    }

    private func mirrored(_ desk: Desk, _ id: Screen.ID) -> Screen.ID? { desk.model.screen(id)?.mirroredScreen }

    @Test("S7: an external screen mirrors from its connection until its first window shows, and after its last one")
    func untilUsed() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(Desk.wall)
        #expect(desk.effects() == [.screenDidConnect(wall)])
        #expect(mirrored(desk, wall) == desk.screen && desk.model.mirrors(of: desk.screen) == [wall])
        let a = try desk.model.createWindow(application: desk.app, screen: wall)
        #expect(mirrored(desk, wall) == desk.screen, "a hidden window does not count")
        try desk.model.setHidden(false, of: a)
        #expect(desk.effects() == [.screenPropertiesDidChange(wall), .didBecomeVisible(a, desk.app)])
        #expect(mirrored(desk, wall) == nil && desk.model.mirrors(of: desk.screen) == [])
        let b = try desk.shown(on: wall)
        try desk.model.setHidden(true, of: a)
        #expect(mirrored(desk, wall) == nil)
        _ = desk.effects()
        try desk.model.setHidden(true, of: b)
        #expect(desk.effects() == [.screenPropertiesDidChange(wall), .didBecomeHidden(b, desk.app)])
        #expect(mirrored(desk, wall) == desk.screen)
    }

    @Test("S7: mirroring follows windows that are moved, destroyed, or lose their application or content")
    func everyWay() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(Desk.wall)
        let window = try desk.shown(of: desk.other)
        try desk.model.move(window, to: wall)
        #expect(mirrored(desk, wall) == nil)
        try desk.model.move(window, to: desk.screen)
        #expect(mirrored(desk, wall) == desk.screen)
        try desk.model.destroyWindow(try desk.shown(on: wall))
        #expect(mirrored(desk, wall) == desk.screen)
        try desk.model.move(window, to: wall)
        try desk.model.removeApplication(desk.other)
        #expect(mirrored(desk, wall) == desk.screen)
        let plain = try desk.plain()
        try desk.model.move(plain.0, to: wall)
        try desk.model.setContent(plain.1, size: nil)
        #expect(mirrored(desk, wall) == desk.screen, "V1: without content it is not visible")
        try desk.model.setContent(plain.1, size: Size(width: 1, height: 1))
        #expect(mirrored(desk, wall) == nil)
        try desk.model.setAlpha(0, of: plain.0)
        #expect(mirrored(desk, wall) == nil, "V1: alpha does not matter")
        try desk.model.disconnect(wall)
        let again = try desk.model.connect(Desk.wall)
        #expect(mirrored(desk, again) == nil, "S8: its window has returned with it")
        #expect(desk.model.checkInvariants() == [])
    }

    @Test("S7: with mirroring off an empty screen is black; the main screen mirrors only when configured")
    func off() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(Desk.wall)
        try desk.model.setBackgroundColor(.black, of: desk.shown())
        #expect(desk.model.frame(for: wall)?.layers.count == 1)
        _ = desk.effects()
        try desk.model.setMirroring(.off, of: wall)
        #expect(desk.effects() == [.screenPropertiesDidChange(wall)])
        #expect(desk.model.frame(for: wall)?.layers == [])
        #expect(mirrored(desk, desk.screen) == nil)
        try desk.model.setMirroring(.off, of: wall)
        #expect(desk.effects() == [])
        let attic = try desk.model.connect(named("Attic", .off))
        try desk.model.setMirroring(.screen("Attic"), of: desk.screen)
        #expect(mirrored(desk, desk.screen) == nil, "it has a window")
        try desk.model.setHidden(true, of: desk.model.windows(on: desk.screen)[0])
        #expect(mirrored(desk, desk.screen) == attic)
    }

    @Test("S7: the mirrored screen may connect later, disconnect and return")
    func byName() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(named("Wall", .screen("Attic")))
        #expect(mirrored(desk, wall) == nil)
        _ = desk.effects()
        let attic = try desk.model.connect(named("Attic"))
        #expect(desk.effects() == [.screenDidConnect(attic), .screenPropertiesDidChange(wall)])
        #expect(mirrored(desk, wall) == attic)
        try desk.model.disconnect(attic)
        #expect(desk.effects() == [.screenDidDisconnect(attic), .screenPropertiesDidChange(wall)])
        #expect(mirrored(desk, wall) == nil)
        try desk.model.setMirroring(.screen("Attic"), of: wall)
        #expect(desk.effects() == [], "setting the same value is accepted")
        let again = try desk.model.connect(named("Attic"))
        #expect(mirrored(desk, wall) == again)
    }

    @Test("S7: mirroring itself, even through others, or a missing screen is refused and changes nothing")
    func refusals() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(Desk.wall)
        let attic = try desk.model.connect(named("Attic", .screen("Wall")))
        // A cycle is refused even if windows hide it.
        _ = try desk.shown(on: wall)
        _ = desk.effects()
        let refused: [(Screen.Mirroring, Screen.ID, String)] = [
            (.screen("Wall"), wall, "Wall shows Wall"),
            (.screen("Attic"), wall, "Wall shows Attic shows Wall"),
            (.screen("Attic"), desk.screen, "Panel shows Attic shows Wall shows Panel"),
            (.screen("Cellar"), wall, "Cellar is not a connected screen"),
        ]
        let before = desk.model.screens.compactMap { desk.model.screen($0) }
        for (mirroring, id, words) in refused {
            let error = refusal { try desk.model.setMirroring(mirroring, of: id) }
            #expect(error?.rule == .s7 && error?.message.contains(words) == true, "\(String(describing: error))")
        }
        let unknown = refusal { try desk.model.setMirroring(.screen("Cellar"), of: attic) }
        #expect(unknown?.message.contains("Panel, Wall, Attic") == true, "the error lists what is allowed")
        #expect(desk.model.screens.compactMap { desk.model.screen($0) } == before && desk.effects() == [])
        #expect(refusal { _ = try desk.model.connect(named("Self", .screen("Self"))) }?.rule == .s7)
        // The main screen shows the wall, so the wall cannot show the main screen.
        try desk.model.setMirroring(.off, of: wall)
        try desk.model.setMirroring(.screen("Attic"), of: desk.screen)
        let error = refusal { try desk.model.setMirroring(.automatic, of: wall) }
        #expect(error?.message.contains("Wall shows Panel shows Attic shows Wall") == true)
        #expect(desk.model.screen(wall)?.properties.mirroring == .off)
    }

    @Test("S7: a new main screen is mirrored from then on; a cycle that this creates is black")
    func anotherMainScreen() throws {
        let desk = try Desk()
        try desk.model.setBackgroundColor(.black, of: desk.shown())
        let wall = try desk.model.connect(Desk.wall)
        let attic = try desk.model.connect(named("Attic"))
        let hall = try desk.model.connect(named("Hall", .screen("Attic")))
        _ = desk.effects()
        try desk.model.disconnect(desk.screen)
        #expect(mirrored(desk, wall) == nil && mirrored(desk, attic) == wall && mirrored(desk, hall) == attic)
        #expect(
            desk.effects().prefix(3) == [
                .screenDidDisconnect(desk.screen), .screenPropertiesDidChange(wall), .screenPropertiesDidChange(attic),
            ])
        var panel = try desk.model.connect(Desk.panel)
        #expect(mirrored(desk, wall) == panel && mirrored(desk, attic) == panel)
        try desk.model.setMirroring(.screen("Attic"), of: wall)
        #expect(mirrored(desk, wall) == attic && mirrored(desk, attic) == panel)
        try desk.model.disconnect(panel)
        for id in [wall, attic, hall] {
            #expect(mirrored(desk, id) == nil && desk.model.frame(for: id)?.layers == [])
        }
        // A window breaks the cycle.
        let window = try desk.shown(on: attic)
        #expect(mirrored(desk, wall) == attic && mirrored(desk, hall) == attic)
        try desk.model.setHidden(true, of: window)
        #expect(mirrored(desk, wall) == nil)
        panel = try desk.model.connect(Desk.panel)
        #expect(mirrored(desk, wall) == attic && mirrored(desk, attic) == panel && mirrored(desk, hall) == attic)
        #expect(desk.model.checkInvariants() == [])
    }

    @Test("S7: a chain shows what its end shows, and is redisplayed when that or the chain changes")
    func chains() throws {
        let desk = try Desk()
        let window = try desk.shown()
        try desk.model.setBackgroundColor(.black, of: window)
        // The one further from the source first, so that its turn comes before the one in between.
        let wall = try desk.model.connect(named("Wall", .screen("Attic")))
        let attic = try desk.model.connect(named("Attic"))
        let hall = try desk.model.connect(named("Hall", .off))
        func displayed(_ change: () throws -> Void) throws -> Set<Screen.ID> {
            _ = desk.model.drainEffects()
            try change()
            return Set(
                desk.model.drainEffects().compactMap {
                    if case .needsDisplay(let id) = $0 { id } else { nil }
                })
        }
        #expect(desk.model.mirrors(of: desk.screen) == [wall, attic])
        #expect(desk.model.frame(for: wall)?.layers.map(\.window) == [window])
        #expect(try displayed { try desk.model.setAlpha(0.5, of: window) } == [desk.screen, attic, wall])
        #expect(try displayed { try desk.model.setMirroring(.screen("Hall"), of: attic) } == [attic, wall])
        #expect(desk.model.mirrors(of: hall) == [wall, attic])
        #expect(desk.model.frame(for: wall)?.layers == [])
        #expect(try displayed { try desk.model.setAlpha(1, of: window) } == [desk.screen])
        let own = try desk.model.createWindow(application: desk.app, screen: attic)
        try desk.model.setBackgroundColor(.black, of: own)
        #expect(try displayed { try desk.model.setHidden(false, of: own) } == [attic, wall])
        #expect(desk.model.frame(for: wall)?.layers.map(\.window) == [own])
        #expect(try displayed { try desk.model.rotate(attic, to: .landscapeLeft, time: 1) } == [attic, wall])
    }

    @Test("S7: a mirrored picture receives no touches")
    func touches() throws {
        let desk = try Desk()
        let wall = try desk.model.connect(Desk.wall)
        _ = try desk.shown()
        #expect(desk.model.hitTest(Point(x: 50, y: 50), on: wall) == nil)
        let routing = try desk.model.touch(id: 1, phase: .began, at: Point(x: 50, y: 50), on: wall, time: 1)
        #expect(routing.reason == .noWindow)
    }
}
