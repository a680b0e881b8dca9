// The kiosk of the client library's tutorial.

import DisplayServer
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import Displays

@Suite struct KioskTests {
    private let fixture: ServerFixture
    private let kiosk: Program

    init() throws {
        fixture = try ServerFixture(screens: ["375x667", "1920x1080,external,name=TV"])
        kiosk = try fixture.spawn("\(Programs.built)/kiosk")
        let output = kiosk
        try fixture.wait(for: "the kiosk to be visible; it printed: \(output.readOutput())") {
            window("help")?.isVisible == true
        }
    }

    private func window(_ title: String) -> Window? {
        fixture.model.windows.compactMap { fixture.model.window($0) }.first { $0.title == title }
    }

    private func touch(_ phase: Event.Phase, _ x: Double, _ y: Double) throws {
        try fixture.model.touch(
            id: 1, phase: phase, at: Point(x: x, y: y), on: fixture.mainScreen, time: fixture.loop.now)
        try fixture.pump()
    }

    @Test(
        "a guest types a name and confirms it in an alert; the second screen shows it, and the key window returns (K5)")
    func order() throws {
        let television = fixture.model.screens[1]
        let before = try fixture.screenshot(television)
        #expect(window("order")?.isKey == true)
        try fixture.tap(x: 187, y: 107)
        for key: UInt32 in [30, 32, 30] { try fixture.press(key) }
        // The return key.
        try fixture.press(28)
        try fixture.wait(for: "the alert") { window("alert")?.isKey == true }
        #expect(window("alert")?.level == 2000)
        #expect(window("alert")?.frame == Rect(x: 27.5, y: 263.5, width: 320, height: 140))
        try fixture.tap(x: 263, y: 363)
        try fixture.wait(for: "the alert to close") { window("alert") == nil }
        #expect(window("order")?.isKey == true)
        try fixture.wait(for: "the name on the second screen") { try fixture.screenshot(television) != before }
        #expect(kiosk.isRunning)
    }

    @Test("input methods know what is in the field, also when keys entered it")
    func surroundings() throws {
        let method = try TestInputMethod(fixture.connect("typist"))
        try fixture.tap(x: 187, y: 107)
        try fixture.wait(for: "editing") { method.lines.contains("activate") && method.lines.last == "done" }
        for key: UInt32 in [30, 32] { try fixture.press(key) }
        try fixture.wait(for: "the text; it has \(method.lines)") { method.lines.contains("text ad 2 2") }
        method.commit(.deleteSurroundingText(beforeLength: 1, afterLength: 0))
        try fixture.wait(for: "less; it has \(method.lines)") { method.lines.contains("text a 1 1") }
    }

    @Test("cancelling the alert orders nothing")
    func cancel() throws {
        let television = fixture.model.screens[1]
        let before = try fixture.screenshot(television)
        try fixture.tap(x: 187, y: 181)
        try fixture.wait(for: "the alert") { window("alert")?.isKey == true }
        try fixture.tap(x: 111, y: 363)
        try fixture.wait(for: "the alert to close") { window("alert") == nil }
        #expect(try fixture.screenshot(television) == before)
        #expect(kiosk.isRunning)
    }

    @Test("the board comes back with its screen, and moves to another one if that is plugged in (S8)")
    func plugging() throws {
        #expect(window("board")?.frame.size == Size(width: 1920, height: 1080))
        try fixture.server.disconnect(fixture.model.screens[1])
        try fixture.wait(for: "the board to be hidden") { window("board")?.isVisible == false }
        try fixture.server.plug(ScreenSpecification(parsing: "1920x1080,external,name=TV"))
        try fixture.wait(for: "the board to come back") { window("board")?.isVisible == true }
        try fixture.server.disconnect(fixture.model.screens[1])
        try fixture.wait(for: "the board to be hidden") { window("board")?.isVisible == false }
        try fixture.server.plug(ScreenSpecification(parsing: "1024x768,external,name=SIGN"))
        try fixture.wait(for: "the board to move") {
            window("board")?.isVisible == true && window("board")?.frame.size == Size(width: 1024, height: 768)
        }
        #expect(kiosk.isRunning)
    }

    @Test("the floating button is above the status bar, is dragged, and calls for help")
    func help() throws {
        let status = try #require(window("status"))
        #expect(status.level == 1000 && window("help")?.level == 1001)
        #expect(status.frame == Rect(x: 0, y: 0, width: 375, height: 28))
        try touch(.began, 319, 611)
        for step in 1...10 { try touch(.moved, 319 - 20 * Double(step), 611 - 30 * Double(step)) }
        try touch(.ended, 119, 311)
        try fixture.wait(for: "the button to move") {
            window("help")?.frame == Rect(x: 87, y: 279, width: 64, height: 64)
        }
        try fixture.tap(x: 119, y: 311)
        try fixture.wait(for: "the alert") { window("alert")?.isKey == true }
        #expect(kiosk.isRunning)
    }

    @Test("turned, the kiosk keeps its shape: bar across the top, button in the corner (R2)")
    func rotation() throws {
        try fixture.server.rotate(fixture.mainScreen, to: .landscapeLeft)
        try fixture.wait(for: "the bar to be as wide as the screen") { window("status")?.frame.width == 667 }
        try fixture.wait(for: "the button to be in the corner") {
            window("help")?.frame.origin == Point(x: 579, y: 287)
        }
        #expect(window("order")?.frame == Rect(x: 0, y: 0, width: 667, height: 375))
        // The field is in the middle: a tap there edits.
        try fixture.tap(x: 333, y: 181)
        try fixture.wait(for: "the alert") { window("alert")?.isKey == true }
        // So is the alert, also when it is open.
        try fixture.server.rotate(fixture.mainScreen, to: .portrait)
        try fixture.wait(for: "the alert to be in the middle; it is at \(String(describing: window("alert")?.frame))") {
            window("alert")?.frame == Rect(x: 27.5, y: 263.5, width: 320, height: 140)
        }
    }
}
