// W3: windows that have parents.

import MullionGeometry
import Testing
import WindowModel

@Suite struct ParentRuleTests {
    private func order(_ fixture: ModelFixture) -> [Window.ID] { fixture.model.windows(on: fixture.screen) }

    @Test("W3: a window that gets a parent is put in front of it, not of others; both come to the front together")
    func family() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let (dialog, main, other) = (try fixture.shown(), try fixture.shown(), try fixture.shown(of: fixture.other))
        try model.setParent(main, of: dialog)
        #expect(model.window(dialog)?.parent == main && model.parent(of: dialog) == main)
        #expect(order(fixture) == [main, dialog, other], "a program in the background does not raise itself")
        try model.bringToFront(main)
        #expect(order(fixture) == [other, main, dialog])
        try model.bringToFront(other)
        try model.bringToFront(dialog)
        #expect(order(fixture) == [other, main, dialog], "the parent comes with its child")
        // A window that is in front already stays where it is.
        let tool = try fixture.shown()
        try model.bringToFront(other)
        try model.setParent(main, of: tool)
        #expect(order(fixture) == [main, dialog, tool, other])
        try model.setHidden(true, of: main)
        try model.setHidden(false, of: main)
        #expect(order(fixture) == [other, main, dialog, tool])
        try model.makeKeyAndVisible(dialog)
        #expect(order(fixture) == [other, main, tool, dialog])
        #expect(model.checkInvariants() == [])
    }

    @Test("W3: a family has a maximum size; one window more is refused, and moves within the family are not")
    func limit() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let most = WindowModel.maximumFamily
        let windows = try (0...most).map { _ in try fixture.shown() }
        for (parent, child) in zip(windows, windows[1..<most]) { try model.setParent(parent, of: child) }
        let before = order(fixture)
        let error = #expect(throws: ModelError.self) { try model.setParent(windows[3], of: windows[most]) }
        #expect(error?.rule == .w3 && error?.message.contains("\(most)") == true)
        #expect(order(fixture) == before && model.parent(of: windows[most]) == nil)
        try model.setParent(windows[0], of: windows[most - 1])
        try model.setParent(nil, of: windows[most - 1])
        try model.setParent(windows[3], of: windows[most])
        #expect(model.checkInvariants() == [])
    }

    @Test("W3: a window is in front of its parent's parent too, and the last of a family that enters is the front")
    func generations() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let w = try (0..<5).map { _ in try fixture.shown() }
        try model.setParent(w[3], of: w[2])
        try model.setParent(w[2], of: w[1])
        try model.setParent(w[3], of: w[0])
        #expect(order(fixture) == [w[3], w[2], w[1], w[0], w[4]])
        try model.bringToFront(w[2])
        #expect(order(fixture) == [w[4], w[3], w[0], w[2], w[1]])
        #expect(model.isDescendant(w[1], of: w[3]) && !model.isDescendant(w[3], of: w[1]))
        #expect(!model.isDescendant(w[1], of: w[1]) && !model.isDescendant(w[4], of: w[3]))
    }

    @Test("W3: a window that gets a parent is in front of the parent's other children, and behind its own")
    func siblings() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let (own, late, other) = (try fixture.shown(), try fixture.shown(), try fixture.shown(of: fixture.other))
        let (main, tool) = (try fixture.shown(), try fixture.shown())
        try model.setParent(late, of: own)
        try model.setParent(main, of: tool)
        try model.bringToFront(main)
        try model.bringToFront(other)
        #expect(order(fixture) == [late, own, main, tool, other])
        _ = model.drainEffects()
        try model.setParent(main, of: late)
        #expect(order(fixture) == [main, tool, late, own, other])
        #expect(
            model.drainEffects() == [
                .orderDidChange(late, fixture.app), .orderDidChange(own, fixture.app), .needsDisplay(fixture.screen),
            ])
        // Already in front: nothing is reordered.
        try model.setParent(nil, of: late)
        try model.bringToFront(late)
        _ = model.drainEffects()
        try model.setParent(main, of: late)
        #expect(order(fixture) == [main, tool, other, late, own] && model.drainEffects() == [])
        try model.bringToFront(tool)
        #expect(order(fixture) == [other, main, late, own, tool])
    }

    @Test("W3: a window that comes to its parent's level is directly in front of it, whenever it entered its own")
    func risingLevel() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let (main, above) = (try fixture.shown(level: 10), try fixture.shown(level: 10, of: fixture.other))
        let (dialog, bar) = (try fixture.shown(), try fixture.shown(level: 1000))
        let (other, top) = (try fixture.shown(level: 1000, of: fixture.other), try fixture.shown(level: 10))
        #expect(order(fixture) == [dialog, main, above, top, bar, other])
        try model.setParent(main, of: dialog)
        #expect(order(fixture) == [main, dialog, above, top, bar, other])
        try model.setParent(top, of: bar)
        #expect(order(fixture) == [main, dialog, above, top, bar, other], "a higher level stays as it is")
        try model.setParent(bar, of: dialog)
        #expect(order(fixture) == [main, above, top, bar, dialog, other])
        try model.leaveFamily(bar)
        #expect(order(fixture) == [main, above, top, dialog, bar, other])
        #expect(model.checkInvariants() == [])
    }

    @Test("W3: a window cannot be its own parent or its descendant's child, and nothing is changed then")
    func circles() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let w = try (0..<3).map { _ in try fixture.shown() }
        try model.setParent(w[0], of: w[1])
        try model.setParent(w[1], of: w[2])
        let before = model.snapshot()
        for parent in w { #expect(refusal { try model.setParent(parent, of: w[0]) }?.rule == .w3) }
        #expect(refusal { try model.setParent(Window.ID(rawValue: 99), of: w[0]) } != nil)
        #expect(model.snapshot() == before)
    }

    @Test("W3: a child is at least at its parent's level, and keeps its own for when it has no parent")
    func levels() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let (main, dialog, bar) = (try fixture.shown(), try fixture.shown(), try fixture.shown(level: 1000))
        try model.setParent(main, of: dialog)
        try model.setLevel(2000, of: main)
        #expect(order(fixture) == [bar, main, dialog] && model.window(dialog)?.level == 0)
        #expect(fixture.model.findKeyWindow() == dialog, "its level is normal")
        try model.setLevel(-5, of: dialog)
        #expect(order(fixture) == [bar, main, dialog])
        try model.setLevel(3000, of: dialog)
        try model.setLevel(0, of: main)
        #expect(order(fixture) == [main, bar, dialog])
        try model.setLevel(0, of: dialog)
        try model.setLevel(2000, of: main)
        try model.setParent(nil, of: dialog)
        #expect(order(fixture) == [dialog, bar, main])
    }

    @Test("W3, K5: key passes from a dialog to the window in front, whatever its level was without its parent")
    func heir() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let (main, dialog, bar) = (try fixture.shown(level: 2000), try fixture.shown(), try fixture.shown(level: 1000))
        try model.setParent(main, of: dialog)
        try model.makeKey(bar)
        try model.setHidden(true, of: bar)
        #expect(model.keyWindow == dialog)
        try model.destroyWindow(dialog)
        #expect(model.keyWindow == main)
    }

    @Test("W3: the children of a window that ends, or leaves its family, become its parent's")
    func adoption() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let w = try (0..<4).map { _ in try fixture.shown() }
        for index in 1..<4 { try model.setParent(w[index - 1], of: w[index]) }
        try model.destroyWindow(w[2])
        #expect(model.parent(of: w[3]) == w[1])
        try model.leaveFamily(w[1])
        #expect(model.parent(of: w[3]) == w[0] && model.parent(of: w[1]) == nil)
        try model.destroyWindow(w[0])
        #expect(model.parent(of: w[3]) == nil)
        #expect(order(fixture) == [w[1], w[3]] && model.checkInvariants() == [])
        try model.setParent(w[1], of: w[3])
        try model.removeApplication(fixture.app)
        #expect(model.windows.isEmpty && model.checkInvariants() == [])
    }

    @Test("W3: children move to another screen with their parent, in their order, and need not be visible for that")
    func screens() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let wall = try model.connect(ModelFixture.wall)
        let (main, tool, dialog, hidden) = (
            try fixture.shown(), try fixture.shown(), try fixture.shown(), try fixture.shown()
        )
        for child in [tool, dialog, hidden] { try model.setParent(main, of: child) }
        try model.setHidden(true, of: hidden)
        _ = model.drainEffects()
        try model.move(main, to: wall)
        #expect(model.windows(on: wall) == [main, tool, dialog] && order(fixture) == [])
        #expect(model.screen(of: hidden) == wall)
        let moved = fixture.effects().compactMap { if case .screenDidChange(let id, _, _) = $0 { id } else { nil } }
        #expect(moved == [main, tool, dialog, hidden])
        // A child may be elsewhere; it comes when its parent moves again.
        try model.move(tool, to: fixture.screen)
        #expect(order(fixture) == [tool] && model.screen(of: main) == wall)
        try model.move(main, to: fixture.screen)
        #expect(order(fixture) == [main, tool, dialog])
        #expect(model.checkInvariants() == [])
    }

    @Test("W3, S8: a family returns with its screen in its order, or goes to the main screen in it", arguments: [0, 1])
    func unplugged(policy: Int) throws {
        let fixture = try ModelFixture(policy: Policy(orphans: policy == 0 ? .keep : .main))
        let model = fixture.model
        let wall = try model.connect(ModelFixture.wall)
        let dialog = try fixture.shown(on: wall)
        let main = try fixture.shown(on: wall)
        try model.setParent(main, of: dialog)
        try model.disconnect(wall)
        let back = try model.connect(ModelFixture.wall)
        #expect(model.windows(on: policy == 0 ? back : fixture.screen) == [main, dialog])
        #expect(model.parent(of: dialog) == main && model.checkInvariants() == [])
    }

    @Test("W3, S8: a dialog opened while its parent's screen is away follows it, in front of it, and keeps key")
    func opensWhileAway() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let wall = try model.connect(ModelFixture.wall)
        let ((main, _), (other, _)) = (try fixture.plain(), try fixture.plain(of: fixture.other))
        for window in [main, other] { try model.move(window, to: wall) }
        try model.disconnect(wall)
        let (dialog, _) = try fixture.plain(x: 30)
        try model.setParent(main, of: dialog)
        let (tip, _) = try fixture.plain(x: 40)
        try model.setParent(dialog, of: tip)
        try model.makeKey(dialog)
        #expect(order(fixture) == [dialog, tip], "where new windows open")
        try model.press(key: 30, pressed: true, time: 1)
        try fixture.touch(1, .began, 35, 10)
        // The order of what waits changes as ever.
        try model.bringToFront(other)
        let restored = try WindowModel(restoring: model.snapshot())
        _ = model.drainEffects()
        for model in [model, restored] {
            let back = try model.connect(ModelFixture.wall)
            #expect(model.windows(on: back) == [other, main, dialog, tip] && model.windows(on: fixture.screen) == [])
            #expect(model.keyWindow == dialog && model.checkInvariants() == [])
        }
        let moved = fixture.effects().compactMap { effect -> String? in
            switch effect {
            case .screenDidChange(let id, _, _): "screen \(id)"
            case .didBecomeVisible(let id, _): "visible \(id)"
            case .didBecomeKey, .didResignKey, .didBecomeHidden: "\(effect)"
            case .deliver(let event): "\(event.phase) \(event.detail)"
            default: nil
            }
        }
        #expect(
            moved == [
                "screen \(main)", "screen \(other)", "cancelled \(Event.Detail.touch(1))", "screen \(dialog)",
                "screen \(tip)", "visible \(main)", "visible \(other)",
            ])
        #expect(model.isVisible(dialog) && model.parent(of: dialog) == main)
    }

    /// What ends following: the window has been put somewhere, or has another parent.
    enum End: CaseIterable {
        case dialogMoves, parentMoves, otherParent, noParent, parentGone
    }

    @Test(
        "W3: a dialog stays where it is when it was moved, or has lost that parent, meanwhile", arguments: End.allCases)
    func followsNoLonger(end: End) throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let wall = try model.connect(ModelFixture.wall)
        let (main, other) = (try fixture.shown(on: wall), try fixture.shown())
        let attic = try model.connect(ScreenDescription(name: "Attic", modes: ModelFixture.wall.modes))
        try model.disconnect(wall)
        let dialog = try fixture.shown()
        try model.setParent(main, of: dialog)
        switch end {
        case .dialogMoves: try model.move(dialog, to: attic)
        case .parentMoves: try model.move(main, to: fixture.screen)
        case .otherParent: try model.setParent(other, of: dialog)
        case .noParent: try model.setParent(nil, of: dialog)
        case .parentGone: try model.destroyWindow(main)
        }
        let place = end == .dialogMoves ? attic : fixture.screen
        #expect(model.screen(of: dialog) == place)
        let back = try model.connect(ModelFixture.wall)
        #expect(model.screen(of: dialog) == place)
        #expect(model.windows(on: back) == ([.parentMoves, .parentGone].contains(end) ? [] : [main]))
        #expect(model.checkInvariants() == [])
    }

    @Test("W3: a child that was moved away from its parent stays there when the parent's screen returns")
    func movedBefore() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let wall = try model.connect(ModelFixture.wall)
        let (main, dialog) = (try fixture.shown(on: wall), try fixture.shown(on: wall))
        try model.setParent(main, of: dialog)
        try model.move(dialog, to: fixture.screen)
        try model.disconnect(wall)
        let back = try model.connect(ModelFixture.wall)
        #expect(model.windows(on: back) == [main] && order(fixture) == [dialog])
    }

    @Test("W3: a follower whose own screen went away too, and one on another seat's screen, go to the parent's screen")
    func followsFromAway() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let seat = try model.addSeat(name: "second", screens: ["Wall"])
        let wall = try model.connect(ModelFixture.wall)
        let main = try fixture.shown(on: wall)
        try model.disconnect(wall)
        let (here, dark) = (try fixture.shown(), try fixture.shown())
        for dialog in [here, dark] { try model.setParent(main, of: dialog) }
        try model.makeKey(here)
        let attic = try model.connect(ScreenDescription(name: "Attic", modes: ModelFixture.wall.modes))
        try model.move(dark, to: attic)
        try model.setParent(nil, of: dark)
        try model.setParent(main, of: dark)
        try model.disconnect(attic)
        #expect(!model.isVisible(dark))
        let back = try model.connect(ModelFixture.wall)
        #expect(model.windows(on: back) == [main, here, dark])
        #expect(model.keyWindow == nil && model.keyWindow(of: seat) == nil, "K1: a window is key on its own seat only")
        #expect(model.checkInvariants() == [])
    }

    @Test("S8, K8: a window that holds key takes it back when it has become visible, after its dialogs' new screen")
    func followsHolder() throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let wall = try model.connect(ModelFixture.wall)
        let (prompt, next) = (try fixture.shown(on: wall), try fixture.shown(on: wall))
        try model.setHoldsKey(true, of: prompt)
        try model.disconnect(wall)
        let (here, dark) = (try fixture.shown(), try fixture.shown())
        try model.makeKey(here)
        for dialog in [here, dark] { try model.setParent(prompt, of: dialog) }
        let attic = try model.connect(ScreenDescription(name: "Attic", modes: ModelFixture.wall.modes))
        try model.move(dark, to: attic)
        try model.setParent(nil, of: dark)
        try model.setParent(prompt, of: dark)
        try model.disconnect(attic)
        _ = model.drainEffects()
        let back = try model.connect(ModelFixture.wall)
        let steps = fixture.effects().filter {
            $0 != .screenDidConnect(back) && $0 != .screenPropertiesDidChange(fixture.screen)
        }
        // The dialog that was moved took its parent to the front.
        #expect(
            steps == [
                .screenDidChange(next, fixture.app, back), .screenDidChange(prompt, fixture.app, back),
                .screenDidChange(here, fixture.app, back), .screenDidChange(dark, fixture.app, back),
                .didBecomeVisible(next, fixture.app), .didBecomeVisible(prompt, fixture.app),
                .didResignKey(here, fixture.app, seat: .first), .didBecomeKey(prompt, fixture.app, seat: .first),
                .didBecomeVisible(dark, fixture.app),
            ])
        #expect(model.keyWindow == prompt && model.checkInvariants() == [])
    }

    @Test("W3, K7: a touch in the parent of a dialog does not hide it", arguments: [true, false])
    func touch(inDialog: Bool) throws {
        let fixture = try ModelFixture()
        let model = fixture.model
        let (main, _) = try fixture.plain(x: 0)
        let (dialog, _) = try fixture.plain(x: 50)
        let (other, _) = try fixture.plain(x: 300, of: fixture.other)
        try model.setParent(main, of: dialog)
        try fixture.touch(1, .began, inDialog ? 60 : 10, 10)
        #expect(order(fixture) == [other, main, dialog])
        #expect(model.keyWindow == (inDialog ? dialog : main))
        #expect(model.hitTest(Point(x: 60, y: 10), on: fixture.screen)?.window == dialog)
    }
}
