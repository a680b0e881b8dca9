// Drawing and callbacks that change what calls them.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct ReentrancyTests {
    private func colored(_ x: Double, _ argb: UInt32 = 0xffff_ffff) -> View {
        let view = View(frame: Rect(x: x, y: 0, width: 10, height: 10))
        view.backgroundColor = Color(argb: argb)
        return view
    }

    @Test("Drawing may close the window, or remove the views drawn next")
    func removal() throws {
        let fixture = try ClientFixture()
        for closes in [true, false] {
            let window = Window(fixture.application)
            window.backgroundColor = .black
            let panel = View(frame: Rect(x: 0, y: 0, width: 100, height: 100))
            let first = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
            first.onDraw = { [unowned window, unowned panel] _ in
                if closes { window.close() } else { panel.removeFromSuperview() }
            }
            panel.addSubview(first)
            panel.addSubview(colored(50))
            window.addSubview(panel)
            window.isHidden = false
            let shot = try fixture.screenshot()
            #expect(window.isClosed == closes && shot[55, 5] == 0xff00_0000)
        }
    }

    @Test("What drawing changes is shown with the next frame, what layout changes with this one")
    func changes() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        let other = colored(50)
        let view = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
        var keys: [Bool] = []
        view.onDraw = { [unowned window, unowned other] _ in
            other.backgroundColor = Color(argb: 0xffff_0000)
            keys.append(window.isKeyWindow)
        }
        window.addSubview(other)
        window.addSubview(view)
        // A view that was placed when its content changes the size of what contains it.
        let outer = colored(100, 0xff00_ff00)
        let inner = View(frame: Rect(x: 0, y: 0, width: 5, height: 5))
        outer.onLayout = { [unowned outer, unowned inner] in
            inner.frame = Rect(x: 0, y: 0, width: outer.bounds.width, height: 5)
        }
        inner.onLayout = { [unowned outer] in outer.frame = Rect(x: 100, y: 0, width: 200, height: 10) }
        outer.addSubview(inner)
        window.addSubview(outer)
        window.makeKeyAndVisible()
        let second = Window(fixture.application, frame: Rect(x: 0, y: 500, width: 10, height: 10))
        second.makeKeyAndVisible()
        try fixture.application.roundTrip()
        #expect(inner.frame.width == 200 && keys.count == 1)
        #expect(!window.isKeyWindow && window.isVisible && second.isKeyWindow)
        try fixture.wait(for: "the colour") { try fixture.screenshot()[55, 5] == 0xffff_0000 }
    }

    @Test("A view keeps the first responder and its text while it moves within its window")
    func firstResponder() throws {
        final class Field: View {
            override var canBecomeFirstResponder: Bool { true }
            override var textContentType: TextContentType? { .normal }
        }
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        let panel = View(frame: Rect(x: 0, y: 0, width: 10, height: 10))
        let field = Field(frame: panel.frame)
        panel.addSubview(field)
        window.addSubview(panel)
        window.addSubview(View())
        window.makeKeyAndVisible()
        #expect(field.becomeFirstResponder())
        window.bringSubviewToFront(panel)
        window.addSubview(field)
        #expect(field.isFirstResponder && window.isEditing)
        Window(fixture.application).addSubview(field)
        #expect(!field.isFirstResponder && window.firstResponder == nil && !window.isEditing)
    }

    @Test("The root view is what is in the window: it may be moved to another one, and back")
    func rootView() throws {
        let fixture = try ClientFixture()
        let (first, second) = (Window(fixture.application), Window(fixture.application))
        let view = View()
        first.rootView = view
        second.addSubview(view)
        #expect(first.rootView == nil && view.superview === second)
        first.rootView = view
        #expect(first.rootView === view && view.superview === first)
        second.rootView = view
        #expect(first.rootView == nil && second.rootView === view)
        second.rootView = nil
        #expect(view.superview == nil && second.subviews.isEmpty)
    }

    @Test("W5: a window that is put inside another one as a view ends the program, with the rule")
    func windowAsView() async throws {
        let fixture = try ClientFixture()
        let display = fixture.server.folder + "/socket"
        let asRoot = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [display = display as String] in
            try await MainActor.run {
                let application = try Application(name: "test", display: display)
                Window(application).rootView = Window(application)
            }
        }
        let asSubview = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [display = display as String] in
            try await MainActor.run {
                let application = try Application(name: "test", display: display)
                let window: View = Window(application)
                View().addSubview(window)
            }
        }
        for result in [asRoot, asSubview] {
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("W5 (one role per surface)"), "\(text)")
        }
    }
}
