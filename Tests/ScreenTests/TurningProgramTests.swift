// Real programs on screens that turn and change their modes and scales.

import Compositor
import MullionGeometry
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct TurningProgramTests {
    /// Large enough for the minimum sizes of the programs.
    private static let displays = [
        "monitor-1080p,external,name=HALL,serial=1", "monitor-sxga,external,name=LAB",
        "tv-1080p,external,name=TV,serial=4", "monitor-1440p,external,name=DESK,serial=2",
    ]

    /// Describes how a program does not fill its screen; nil if it does. Programs receive sizes in whole points (S4), and
    /// the frame keeps the screen's size, a fraction of a point more or less, while the program's stays the same.
    private func gap(_ guest: Guest, _ fixture: ServerFixture) -> String? {
        let model = fixture.model
        guard let bounds = model.screenBounds(of: guest.window), let frame = model.frame(of: guest.window),
            let scale = model.screen(of: guest.window).flatMap({ model.screen($0)?.scale }),
            let content = model.root(of: guest.window).flatMap({ fixture.server.surfaces[$0] })?.size
        else { return "\(guest.kind.rawValue) is on no screen" }
        let expected = Size(
            width: Screen.wholePoints(from: bounds.minX, to: bounds.maxX, scale: scale),
            height: Screen.wholePoints(from: bounds.minY, to: bounds.maxY, scale: scale))
        let isFull =
            [expected.width, bounds.width].contains(frame.width)
            && [expected.height, bounds.height].contains(frame.height)
        if frame.origin == bounds.origin, isFull, content == expected { return nil }
        return "\(guest.kind.rawValue) has \(frame) with \(content) of \(bounds)"
    }

    @Test("R2: GTK 4 and foot fill their screens after any turn, mode and scale, to the last pixel")
    func storm() throws {
        let fixture = try ServerFixture(screens: ["1280x800"])
        let storm = Storm(Self.displays, on: fixture)
        try storm.plugAll()
        let full = try [.gtk, .foot].map { try Guest($0, on: fixture, fillsScreen: true) }
        let free = try [.gtk, .foot].map { try Guest($0, on: fixture) }
        for (index, guest) in (full + free).enumerated() {
            let screen = try #require(storm.screen(storm.displays[index % 4].name))
            try fixture.model.move(guest.window, to: screen.id)
        }
        let complaints = (full + free).map(\.complaints)
        func waitForPrograms(_ what: String) throws {
            var open: [String] = []
            do {
                try fixture.wait(for: what, seconds: 30) {
                    let ends = (full + free).compactMap(\.end)
                    guard ends.isEmpty else { throw FixtureError("\(ends)") }
                    open = full.compactMap { gap($0, fixture) }
                    open += (full + free).filter { !$0.hasCaughtUp }.map { "\($0.kind.rawValue) has not caught up" }
                    return open.isEmpty
                }
            } catch {
                throw FixtureError("\(error), \(storm.seed): \(open)")
            }
        }
        try waitForPrograms("the programs to fill their screens")
        for round in 0..<300 {
            try storm.change(scales: [1, 1.25, 1.5, 2])
            // Some programs receive several changes at once.
            if Bool.random(using: &storm.random) { try fixture.pump() }
            if round % 30 == 0 { try waitForPrograms("the programs to follow") }
        }
        try waitForPrograms("the programs to follow")
        #expect((full + free).map(\.complaints) == complaints, "\(storm.seed)")
        #expect(fixture.model.checkInvariants() == [])
        for guest in full {
            let id = try #require(fixture.model.screen(of: guest.window))
            for orientation in Screen.Orientation.allCases {
                var wanted = try #require(fixture.model.screen(id)).properties
                wanted.orientation = orientation
                wanted.scale = orientation == .landscapeRight ? 2 : 1
                wanted.overscan = .none
                try fixture.server.change(id, to: wanted, duration: 0)
                try waitForPrograms("\(guest.kind.rawValue) to turn")
                let name = "\(guest.kind.rawValue), \(orientation.rawValue)"
                try fixture.wait(for: "\(name) to fill its screen, \(storm.seed)") {
                    try blackEdges(fixture.screenshot(id)) == 0
                }
            }
        }
    }

    /// How many pixels of the picture's four edges show no window.
    private func blackEdges(_ picture: Bitmap) -> Int {
        let (width, height) = (picture.width, picture.height)
        let across = (0..<width).flatMap { [($0, 0), ($0, height - 1)] }
        let down = (0..<height).flatMap { [(0, $0), (width - 1, $0)] }
        return (across + down).count { picture[$0.0, $0.1] == 0xff00_0000 }
    }
}
