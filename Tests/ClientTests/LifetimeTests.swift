// What is left of windows that were closed.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct LifetimeTests {
    @Test("Nothing keeps a closed window, its views, recognisers and display links")
    func memory() throws {
        let fixture = try ClientFixture()
        final class Token {}
        weak var window: Window?
        weak var view: View?
        weak var recognizer: GestureRecognizer?
        weak var token: Token?
        do {
            let (newWindow, newView, pan, newToken) = (
                Window(fixture.application), View(frame: Rect(x: 0, y: 0, width: 100, height: 100)),
                PanGestureRecognizer(), Token()
            )
            (window, view, recognizer, token) = (newWindow, newView, pan, newToken)
            newView.onDraw = { $0.fill(.white) }
            let tap = TapGestureRecognizer()
            tap.require(toFail: pan)
            newView.addGestureRecognizer(pan)
            newView.addGestureRecognizer(tap)
            newWindow.addSubview(newView)
            newWindow.makeKeyAndVisible()
            _ = DisplayLink(newWindow) { _ in _ = newToken }
            try fixture.inject(
                #"{"type":"touch","phase":"began","x":10,"y":10}"#, #"{"type":"hover","x":20,"y":10}"#,
                #"{"type":"touch","phase":"moved","x":50,"y":10}"#)
            #expect(pan.state == .began)
            newWindow.close()
        }
        try fixture.wait(for: "the end of all") {
            window == nil && view == nil && recognizer == nil && token == nil
        }
    }

    @Test("A display link pauses while its window is hidden, and continues")
    func displayLink() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        var frames = 0
        let link = DisplayLink(window) { _ in frames += 1 }
        for _ in 0..<2 {
            window.isHidden = false
            let before = frames
            try fixture.wait(for: "frames") { frames > before + 2 }
            window.isHidden = true
            try fixture.application.roundTrip()
        }
        link.invalidate()
    }

    @Test("Calls after the window was closed, and after the end of the connection, do nothing")
    func late() throws {
        let fixture = try ClientFixture()
        let application = fixture.application
        let window = Window(application)
        let token = window.disableInteraction()
        try application.roundTrip()
        func useEverything(_ window: Window) {
            window.makeKeyAndVisible()
            window.windowLevel = .alert
            window.screen = nil
            window.touchableRegion = []
            window.beginEditing()
            window.onNextFrame { _ in }
            window.rootView = View()
            window.commit()
            window.canBecomeKey = false
            window.frame = .zero
            _ = DisplayLink(window) { _ in }
        }
        window.close()
        token.end()
        useEverything(window)
        try application.roundTrip()
        try application.roundTrip()
        application.disconnect()
        useEverything(window)
        let late = Window(application)
        useEverything(late)
        #expect(!late.isVisible && application.keyWindow == nil)
        late.close()
        application.disconnect()
        #expect(throws: ApplicationError.self) { try application.dispatch(timeout: 0) }
    }

    @Test("W7: a window that the control API destroys is closed, and its callbacks hear of it last")
    func destroyed() throws {
        let fixture = try ClientFixture()
        let application = fixture.application
        let window = Window(application)
        window.title = "gone"
        window.addSubview(View(frame: Rect(x: 0, y: 0, width: 10, height: 10)))
        window.makeKeyAndVisible()
        try application.roundTrip()
        var seen: [String] = []
        window.onEvent {
            switch $0 {
            case .didBecomeHidden, .didResignKey, .didClose: seen.append("\($0) \(window.isClosed)")
            default: break
            }
        }
        window.onDidClose { seen.append("\(application.windows.count)") }
        let list = try fixture.request("GET", "/windows")
        let id = try #require(list.split(separator: "\"id\":").last?.prefix { $0.isNumber })
        try fixture.request("DELETE", "/windows/\(id)?force=true")
        // Requests that cross with it.
        window.alpha = 0.5
        window.makeKeyAndVisible()
        try application.roundTrip()
        #expect(seen == ["didBecomeHidden false", "didResignKey false", "didClose true", "0"])
        #expect(!window.isVisible && application.windows.isEmpty)
        try application.roundTrip()
    }
}
