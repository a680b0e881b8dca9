// What windows report of themselves.

import MullionClient
import TestSupport
import Testing

@MainActor @Suite struct WindowStateTests {
    @Test("K3: visible and key read true right after the call that made them so")
    func immediate() throws {
        let fixture = try ClientFixture()
        let application = fixture.application
        let main = Window(application)
        #expect(!main.isVisible && !main.isKeyWindow && application.keyWindow == nil)
        main.makeKeyAndVisible()
        #expect(main.isVisible && main.isKeyWindow)
        #expect(application.keyWindow === main)
        let alert = Window(application, frame: Rect(x: 10, y: 10, width: 50, height: 50))
        alert.windowLevel = .alert + 1
        alert.makeKeyAndVisible()
        #expect(application.keyWindow === alert && !main.isKeyWindow)
        #expect(application.windows.map { $0 === alert } == [false, true])
        // K5: the next window inherits.
        alert.isHidden = true
        #expect(!alert.isVisible && main.isKeyWindow)
        alert.isHidden = false
        #expect(alert.isVisible && main.isKeyWindow)
        alert.makeKey()
        alert.close()
        #expect(!alert.isVisible && main.isKeyWindow)
        #expect(application.findKeyWindow() === main)
    }

    @Test("V2, K3: each notification comes once, in order, after the state reads so")
    func notifications() throws {
        let fixture = try ClientFixture()
        var seen: [String] = []
        func watch(_ window: Window, _ name: String) {
            window.onDidBecomeVisible { [unowned window] in seen.append("\(name) visible \(window.isVisible)") }
            window.onDidBecomeHidden { [unowned window] in seen.append("\(name) hidden \(window.isVisible)") }
            window.onDidBecomeKey { [unowned window] in seen.append("\(name) key \(window.isKeyWindow)") }
            window.onDidResignKey { [unowned window] in seen.append("\(name) not key \(window.isKeyWindow)") }
        }
        let (first, second) = (Window(fixture.application), Window(fixture.application))
        watch(first, "first")
        watch(second, "second")
        first.makeKeyAndVisible()
        try fixture.application.roundTrip()
        #expect(seen == ["first visible true", "first key true"])
        seen = []
        // Two commits, whose events arrive together: each callback reads the state as of its event.
        second.makeKeyAndVisible()
        second.commit()
        second.isHidden = true
        second.commit()
        try fixture.application.roundTrip()
        #expect(
            seen == [
                "second visible true", "first not key false", "second key true", "second hidden false",
                "second not key false", "first key true",
            ])
    }

    @Test("S2: a window without a screen has the bounds of its first one as soon as that is set")
    func firstScreen() throws {
        let fixture = try ClientFixture(screens: ["800x600", "640x480,external,name=TV"])
        let application = fixture.application
        let television = try #require(application.screens.last)
        // The program does not know yet that the screen is unplugged.
        try fixture.request("DELETE", "/screens/TV")
        let (window, framed) = (Window(application, screen: television), Window(application, screen: television))
        let quick = Window(application, screen: television)
        framed.frame = Rect(x: 1, y: 2, width: 30, height: 40)
        quick.screen = application.mainScreen
        try application.roundTrip()
        #expect(window.screen == nil && window.frame == .zero)
        let bounds = Rect(x: 0, y: 0, width: 800, height: 600)
        #expect(quick.frame == bounds)
        for window in [window, framed] { window.screen = application.mainScreen }
        for _ in 0..<2 {
            #expect(window.frame == bounds)
            #expect(framed.frame == Rect(x: 1, y: 2, width: 30, height: 40))
            #expect(quick.frame == bounds)
            try application.roundTrip()
        }
        // Later screens do not resize it.
        try fixture.request("POST", "/screens", #"{"model": "projector-xga", "name": "TV"}"#)
        try fixture.wait(for: "the screen") { application.screens.count == 2 }
        window.screen = application.screens.last
        #expect(window.frame == bounds)
        try application.roundTrip()
        #expect(window.frame == bounds)
    }

    @Test("Callbacks do not replace each other, and end with their tokens")
    func tokens() throws {
        let fixture = try ClientFixture()
        let window = Window(fixture.application)
        var seen: [Int] = []
        let first = window.onDidBecomeVisible { seen.append(1) }
        window.onDidBecomeVisible {
            seen.append(2)
            first.cancel()
        }
        window.isHidden = false
        try fixture.application.roundTrip()
        window.isHidden = true
        window.commit()
        window.isHidden = false
        try fixture.application.roundTrip()
        #expect(seen == [1, 2, 2])
    }

    @Test("becomeKey and resignKey can be overridden; relinquishing gives key away (K6)")
    func overriding() throws {
        final class Recording: Window {
            var calls: [String] = []
            override func becomeKey() { calls.append("key \(isKeyWindow)") }
            override func resignKey() { calls.append("not key \(isKeyWindow)") }
        }
        let fixture = try ClientFixture()
        let other = Window(fixture.application)
        let window = Recording(fixture.application)
        other.isHidden = false
        window.makeKeyAndVisible()
        window.relinquishKey()
        #expect(other.isKeyWindow)
        try fixture.application.roundTrip()
        #expect(window.calls == ["key true", "not key false"])
    }

    @Test("W2: levels beyond the range are errors that name it")
    func levels() throws {
        #expect((WindowLevel.alert + 1).rawValue == 2001)
        #expect((WindowLevel.normal - 0.5).rawValue == -0.5)
        for value in [8_388_608, -8_388_608, 0.001, .nan, .infinity] {
            #expect(throws: WindowLevelError.self) { try WindowLevel(value) }
        }
    }
}
