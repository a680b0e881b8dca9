// What every program has to live through.

import Glibc
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

/// A program on one of two screens, and the steps of its life.
final class ProgramStory {
    private let kind: StoryProgram
    private let fixture: ServerFixture
    private let control: ControlSession
    private let program: ToolkitProgram
    private let window: Window.ID
    private var step = "showing its window"
    private var text = ""
    private var hovered = 50.0

    /// Starts the program.
    init(_ kind: StoryProgram) throws {
        self.kind = kind
        fixture = try ServerFixture(screens: ["1600x1200,name=A", "1600x1200,external,name=B"])
        control = try ControlSession(fixture)
        program = try kind.start(fixture, control)
        window = try program.window.id
    }

    /// The whole story.
    func run() throws {
        do {
            try shows()
            try takesInput()
            try opensMenu()
            try opensDialog()
            try movesAndReturns()
            try turns()
            try ends()
        } catch {
            throw FixtureError("\(kind.rawValue), \(step): \(error); it said: \(program.program.readOutput())")
        }
    }

    // MARK: Steps

    private func shows() throws {
        let place = try kind.clicks == .exact ? program.point("area") : program.window.frame.center
        try fixture.wait(for: "a picture") { try fixture.color(x: Int(place.x), y: Int(place.y)) != 0 }
        #expect(fixture.model.keyWindow == window)
    }

    private func takesInput() throws {
        step = "taking clicks and text"
        try clicks()
        try types("Wörld 1")
    }

    private func clicks() throws {
        switch kind.clicks {
        case .exact:
            try program.click("button")
            try program.waits(for: "clicked button")
            // Programs in Xwayland see the pixel in which the pointer is.
            try program.click("area", dx: 30, dy: 40)
            try program.waits(for: "clicked 1 30 40")
        case .relative:
            let center = try program.window.frame.center
            let places = try [(-5.0, -5.0), (0, 0), (30, 20)].map { (x, y) in
                let point = Point(x: center.x + x, y: center.y + y)
                try click(point)
                return try program.waits(forPrefix: "clicked 1 ").split(separator: " ").compactMap { Double($0) }
            }
            let distance = zip(places[2], places[1]).map(-)
            let scale = try #require(fixture.model.screen(screen)).properties.scale
            #expect(distance == [30, 20] || distance == [30 * scale, 20 * scale], "\(kind.rawValue): \(places)")
        case .hovering:
            // Another place each time, because it reports changes only.
            hovered += 10
            let origin = try program.window.frame.origin
            let scale = try #require(fixture.model.screen(screen)).properties.scale
            let point = Point(x: origin.x + hovered, y: origin.y + hovered)
            let place = "pointer \(Int(hovered * scale)) \(Int(hovered * scale))"
            // mpv may report a move only after the next one.
            try fixture.wait(for: place) {
                try hover(Point(x: point.x - 1, y: point.y - 1))
                try settles()
                try hover(point)
                try settles()
                return program.lines.last { $0.hasPrefix("pointer") } == place[...]
            }
            try click(point)
            try program.waits(for: "clicked 1")
        }
    }

    private func types(_ words: String) throws {
        if kind.hasWidgets {
            try program.edit()
            try control.key("End")
        }
        try control.type(words)
        text += words
        try program.waits(for: "text \(text)")
    }

    private func opensMenu() throws {
        guard let menu = kind.menu else { return }
        step = "opening a menu"
        let before = fixture.model.surfaces(of: window)
        switch menu {
        case .button:
            try program.click("menu")
            let button = try #require(program.place("menu"))
            let frame = try popup(at: button.insetBy(x: -12, y: -12), besides: before)
            try clickInWindow(Point(x: frame.center.x, y: frame.minY + frame.size.height * 0.7))
            try program.waits(for: "clicked item")
            if kind == .gtk { try program.waits(for: "menu closed") }
        case .context:
            let center = try program.window.frame.center
            try click(center, button: "right")
            try program.waits(for: "menu opened")
            let origin = try program.window.frame.origin
            let place = Rect(x: center.x - origin.x - 12, y: center.y - origin.y - 12, width: 24, height: 24)
            _ = try popup(at: place, besides: before)
            try control.key("Escape")
        case .drawnInside:
            try program.click("menu")
            try program.waits(for: "menu opened")
            let button = try #require(program.place("menu"))
            try clickInWindow(Point(x: button.minX + 20, y: button.maxY + 15))
            try program.waits(for: "clicked item")
        }
        try fixture.wait(for: "the menu to close") { fixture.model.surfaces(of: window).count <= before.count }
        try settles()
    }

    /// Waits for a menu that touches a rectangle and is completely on the screen; returns its frame, in points of the
    /// window.
    /// - Parameter before: the window's surfaces without the menu.
    private func popup(at anchor: Rect, besides before: [Surface.ID]) throws -> Rect {
        var frame = Rect.zero
        try fixture.wait(for: "a menu at \(anchor)") {
            let new = fixture.model.surfaces(of: window).filter { !before.contains($0) }
            guard let surface = new.first.flatMap({ fixture.server.surfaces[$0] }) else { return false }
            if let xdg = surface.role as? XdgSurfaceResource, case .popup(let popup)? = xdg.part {
                frame = popup.frame
            } else if let corner = fixture.model.convert(.zero, from: surface.node)?.point, let size = surface.size {
                // GTK 3 shows a menu that cannot grab as a sub-surface.
                let origin = try program.window.frame.origin
                frame = Rect(origin: Point(x: corner.x - origin.x, y: corner.y - origin.y), size: size)
            }
            return !frame.intersection(anchor).isEmpty
        }
        let origin = try program.window.frame.origin
        let bounds = try #require(fixture.model.screenBounds(of: window))
        #expect(bounds.contains(frame.offsetBy(x: origin.x, y: origin.y)), "\(kind.rawValue): \(frame)")
        return frame
    }

    private func opensDialog() throws {
        guard let dialog = kind.dialog else { return }
        step = "opening a dialog"
        func shown() -> Window? {
            let others = fixture.model.windows.filter { $0 != window }.compactMap { fixture.model.window($0) }
            return others.first { $0.isVisible }
        }
        try control.key("F7")
        do {
            try fixture.wait(for: "the dialog") { shown() != nil }
        } catch {
            let keys = fixture.server.seat.keyboardSurface
            throw FixtureError(
                "\(error); keys go to \(String(describing: keys?.role)), \(String(describing: keys?.id))")
        }
        let (found, over) = (try #require(shown()), try program.window.frame)
        if dialog != .ofOtherConnection { #expect(found.parent == window, "\(kind.rawValue)") }
        let bounds = try #require(fixture.model.screenBounds(of: window))
        #expect(try found.screen == screen && bounds.contains(found.frame), "\(kind.rawValue): \(found.frame)")
        if dialog == .centered {
            let (center, middle) = (found.frame.center, over.center)
            #expect(abs(center.x - middle.x) <= 1 && abs(center.y - middle.y) <= 1, "\(kind.rawValue): \(found.frame)")
        }
        if dialog == .ofOtherConnection { try fixture.model.makeKey(found.id) }
        try fixture.wait(for: "the dialog to be key") { shown()?.isKey == true }
        try control.key("Escape")
        try program.waits(for: "dialog closed")
        try fixture.wait(for: "its end, and the window to be key") { try shown() == nil && program.window.isKey }
    }

    /// S8: moves to the other screen, which is unplugged and plugged in again.
    private func movesAndReturns() throws {
        step = "moving to another screen"
        let second = try #require(fixture.model.screen(named: "B"))
        try fixture.model.move(window, to: second.id)
        try fixture.model.makeKey(window)
        try settles()
        try clicks()
        step = "losing its screen"
        let frame = try program.window.frame
        try fixture.server.disconnect(second.id)
        try settles()
        let isVisible = try program.window.isVisible
        #expect(!isVisible && program.program.isRunning, "\(kind.rawValue)")
        step = "returning to its screen"
        _ = try fixture.server.connect(second.properties)
        try fixture.wait(for: "the window on its screen") { try program.window.isVisible }
        let returned = try program.window
        #expect(returned.screen.flatMap { fixture.model.screen($0)?.name } == "B", "\(kind.rawValue)")
        #expect(returned.frame == frame, "\(kind.rawValue)")
        try fixture.model.makeKey(window)
        try settles()
        try clicks()
        try types("2")
    }

    private func turns() throws {
        step = "turning its screen"
        try fixture.server.rotate(screen, to: .landscapeLeft, duration: 0)
        try settles()
        try clicks()
        step = "on a screen with two pixels per point"
        try fixture.model.setScale(2, of: screen)
        try settles()
        try fixture.wait(for: "enough pixels") { try !kind.followsScale || pixelsPerPoint() >= 2 }
        try clicks()
        try types("3")
        try opensMenu()
    }

    private func ends() throws {
        step = "closing its window"
        if kind == .xwayland {
            // Xwayland 22 ignores that its window is closed.
            program.program.kill(SIGTERM)
        } else {
            let answer = try control.send("DELETE", "/v1/windows/\(window)")
            #expect(answer.status == 202)
        }
        do {
            try program.waits(for: "close", seconds: 120)
        } catch {
            let titles = fixture.model.windows.map { fixture.model.window($0)?.title ?? "" }
            throw FixtureError("\(error); \(fixture.server.clientCount) clients and windows \(titles) are left")
        }
        try fixture.wait(for: "its end", seconds: 120) { !program.program.isRunning }
        #expect(program.program.exitStatus == 0, "\(kind.rawValue): \(program.program.readOutput())")
        try fixture.wait(for: "its clients to go") { fixture.server.clientCount == 0 }
        #expect(fixture.model.windows.isEmpty && fixture.model.surfaceCount == 0)
        #expect(fixture.model.checkInvariants() == [])
    }

    // MARK: Helpers

    private var screen: Screen.ID {
        get throws { try #require(fixture.model.screen(of: window)) }
    }

    private func clickInWindow(_ point: Point) throws {
        let origin = try program.window.frame.origin
        try click(Point(x: origin.x + point.x, y: origin.y + point.y))
    }

    private func hover(_ point: Point) throws {
        try control.inject(#"{"type": "hover", "screen": \#(screen.rawValue), "x": \#(point.x), "y": \#(point.y)}"#)
    }

    private func click(_ point: Point, button: String = "left") throws {
        let place = try #""screen": \#(screen.rawValue), "x": \#(point.x), "y": \#(point.y)"#
        try control.inject(#"{"type": "click", \#(place), "button": "\#(button)"}"#)
    }

    /// Waits until the program has read everything and has answered each new size with a picture.
    private func settles() throws {
        let pending = try fixture.settle()
        guard pending.isEmpty else { throw FixtureError("the program did not follow: \(pending)") }
    }

    private func pixelsPerPoint() throws -> Double {
        let surfaces = fixture.model.surfaces(of: window).compactMap { fixture.server.surfaces[$0] }
        let most = surfaces.compactMap { surface in
            guard let contents = surface.contents, let size = surface.size, !size.isEmpty else { return nil as Double? }
            return Double(contents.width) / size.width
        }
        return most.max() ?? 0
    }
}
