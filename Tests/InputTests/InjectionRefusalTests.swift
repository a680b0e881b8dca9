// Injection: all or nothing, also after an unplug, and limits that are checked before the work.

import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import MullionKeymaps

@Suite struct InjectionRefusalTests {
    @Test("S9, E5: after an unplug a scroll goes to the main screen, and no list is left half done")
    func unplugged() throws {
        let fixture = try ServerFixture(screens: ["800x600", "640x480,external"])
        let injector = fixture.server.injector
        let external = fixture.model.screens[1]
        let there = InputEvent.Place(screen: ScreenReference("\(external)"), point: Point(x: 5, y: 5))
        _ = try injector.inject([.hover(there)])
        try fixture.server.disconnect(external)
        let here = InputEvent.Place(screen: nil, point: Point(x: 7, y: 7))
        let scroll = Event.Scroll(deltaX: 0, deltaY: 1)
        #expect(try injector.inject([.tap(id: 1, here), .scroll(scroll, nil, here)]).count == 2)
        #expect(fixture.model.pointerLocation?.screen == fixture.mainScreen)
        #expect(fixture.model.touchCount == 0)
    }

    @Test("E9: a text that is too long is refused before its characters are looked up")
    func longText() throws {
        let fixture = try ServerFixture()
        let text = "\u{7}" + String(repeating: "a", count: 5_000)
        let refusal = #expect(throws: InputInjector.ListError.self) {
            try fixture.server.injector.inject([.text(text)])
        }
        #expect(refusal?.reason.rule == .e9)
        let fits = String(repeating: "a", count: 5_000)
        #expect(try fixture.server.injector.inject([.text(fits)]).first?.steps == 10_000)
    }

    @Test("E3: every key of the layout is examined once; the keys found type the requested text")
    func strokes() throws {
        let keymap = try #require(Keymap(KeyboardLayout()))
        #expect(keymap.strokes(in: 0).count > 100)
        for scalar in (32...126).compactMap({ Unicode.Scalar(UInt8($0)) }) as [Unicode.Scalar] {
            let stroke = try #require(keymap.keys(for: scalar), "\(scalar)")
            #expect(keymap.strokes(in: 0).values.contains(stroke))
        }
        #expect(keymap.keys(for: "A") == KeyStroke(key: 30, modifiers: [42]))
        #expect(keymap.keys(for: "a") == KeyStroke(key: 30, modifiers: []))
        #expect(keymap.keys(for: "…") == nil)
    }
}
