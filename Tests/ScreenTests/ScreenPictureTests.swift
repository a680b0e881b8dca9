// S5, S7, R1: what panels show, pixel by pixel, as pictures in the text.

import Compositor
import DisplayServer
import MullionGeometry
import TestSupport
import Testing
import WindowModel

/// A letter F of three windows of one colour on a server without clients.
struct LetterF {
    let fixture: ServerFixture
    let application: Application.ID

    init() throws {
        fixture = try ServerFixture(screens: [])
        application = fixture.model.addApplication(name: "F")
    }

    /// In points; it is 3 × 5 units large, at (1, 1), and all edges are multiples of `unit`.
    func draw(on screen: Screen.ID, unit: Double = 1) throws {
        for (x, y, width, height) in [(1.0, 1.0, 1.0, 5.0), (2, 1, 2, 1), (2, 3, 1, 1)] {
            try window(Rect(x: x * unit, y: y * unit, width: width * unit, height: height * unit), on: screen)
        }
    }

    func window(_ frame: Rect, on screen: Screen.ID) throws {
        let id = try fixture.model.createWindow(
            application: application, screen: screen, options: Window.Options(frame: frame))
        try fixture.model.setBackgroundColor(Color(red: 1, green: 1, blue: 1), of: id)
        try fixture.model.setHidden(false, of: id)
    }

    /// "#" where it is white, "." where it is black.
    func picture(_ screen: Screen.ID) throws -> [String] {
        let bitmap = try fixture.screenshot(screen)
        return (0..<bitmap.height).map { y in
            String(
                (0..<bitmap.width).map { x in
                    switch (bitmap[x, y] ?? 1) & 0xff_ffff {
                    case 0xff_ffff: "#"
                    case 0: "."
                    default: "?"
                    }
                })
        }
    }
}

@Suite struct ScreenPictureTests {
    /// The panel of 8 × 7 pixels, as a viewer with an upright head sees it.
    private static let turned: [(Screen.Orientation, Bool, [String])] = [
        (.portrait, false, ["........", ".###....", ".#......", ".##.....", ".#......", ".#......", "........"]),
        (
            .portraitUpsideDown, false,
            ["........", "......#.", "......#.", ".....##.", "......#.", "....###.", "........"]
        ),
        // The top is at the left: 7 × 8 points.
        (.landscapeLeft, false, ["........", "........", "........", ".#......", ".#.#....", ".#####..", "........"]),
        (
            .landscapeRight, false,
            ["........", "..#####.", "....#.#.", "......#.", "........", "........", "........"]
        ),
        (.portrait, true, ["........", "....###.", "......#.", ".....##.", "......#.", "......#.", "........"]),
        (
            .portraitUpsideDown, true,
            ["........", ".#......", ".#......", ".##.....", ".#......", ".###....", "........"]
        ),
        (.landscapeLeft, true, ["........", ".#####..", ".#.#....", ".#......", "........", "........", "........"]),
        (
            .landscapeRight, true,
            ["........", "........", "........", "......#.", "....#.#.", "..#####.", "........"]
        ),
    ]

    @Test("R1: all orientations, flipped and not, pixel by pixel")
    func orientations() throws {
        let letter = try LetterF()
        let id = try letter.fixture.server.connect(
            ScreenDescription(name: "Panel", kind: .builtIn, modes: [Screen.Mode(width: 8, height: 7)]))
        try letter.draw(on: id)
        for (orientation, isFlipped, expected) in Self.turned {
            try letter.fixture.server.rotate(id, to: orientation)
            try letter.fixture.model.setFlipped(isFlipped, of: id)
            let picture = try letter.picture(id)
            #expect(picture == expected, "\(orientation) \(isFlipped):\n\(picture.joined(separator: "\n"))")
        }
        #expect(Self.turned.count == 2 * Screen.Orientation.allCases.count)
    }

    @Test("R3: a fixed application's picture keeps its place on the panel, except for a flip")
    func fixed() throws {
        let letter = try LetterF()
        let id = try letter.fixture.server.connect(
            ScreenDescription(name: "Panel", kind: .builtIn, modes: [Screen.Mode(width: 8, height: 7)]))
        try letter.fixture.model.setRotationPolicy(.fixed, of: letter.application)
        try letter.draw(on: id)
        for orientation in Screen.Orientation.allCases {
            try letter.fixture.server.rotate(id, to: orientation)
            #expect(try letter.picture(id) == Self.turned[0].2, "\(orientation)")
        }
    }

    /// What a display shows when it mirrors a main screen of 8 × 7 pixels with the letter on it.
    private func mirrored(
        _ mode: Screen.Mode, source: Screen.Mode = Screen.Mode(width: 8, height: 7),
        _ change: (inout ScreenDescription) -> Void = { _ in }
    ) throws -> [String] {
        let letter = try LetterF()
        let main = try letter.fixture.server.connect(
            ScreenDescription(name: "Panel", kind: .builtIn, modes: [source]))
        try letter.draw(on: main)
        // White, and outside of what the main screen shows.
        try letter.window(Rect(x: -5, y: -5, width: 5, height: 50), on: main)
        try letter.window(Rect(x: -5, y: Double(source.height), width: 50, height: 5), on: main)
        var wall = ScreenDescription(name: "Wall", modes: [mode])
        change(&wall)
        return try letter.picture(letter.fixture.server.connect(wall))
    }

    @Test("S7: pillar-boxed, with nothing in the bars")
    func pillarBox() throws {
        #expect(
            try mirrored(Screen.Mode(width: 12, height: 7)) == [
                "............", "...###......", "...#........", "...##.......", "...#........", "...#........",
                "............",
            ])
    }

    @Test("S7: letter-boxed and doubled, with nothing in the bars")
    func letterBox() throws {
        let doubled = [
            "................", "................", "..######........", "..######........", "..##............",
            "..##............", "..####..........", "..####..........", "..##............", "..##............",
            "..##............", "..##............", "................", "................",
        ]
        let bar = [String](repeating: "................", count: 3)
        #expect(try mirrored(Screen.Mode(width: 16, height: 20)) == bar + doubled + bar)
    }

    @Test("S7: pixels that are not square: half the width on the display, or twice the width at the source")
    func pixelAspectRatio() throws {
        let narrow = [
            "................", "..######........", "..##............", "..####..........", "..##............",
            "..##............", "................",
        ]
        #expect(try mirrored(Screen.Mode(width: 16, height: 7, pixelAspectRatio: 0.5)) == narrow)
        #expect(
            try mirrored(
                Screen.Mode(width: 16, height: 7), source: Screen.Mode(width: 8, height: 7, pixelAspectRatio: 2))
                == narrow)
        let bar = ["................"]
        #expect(
            try mirrored(
                Screen.Mode(width: 16, height: 9), source: Screen.Mode(width: 8, height: 7, pixelAspectRatio: 2))
                == bar + narrow + bar)
    }

    @Test("S7, R1: on a display in another orientation, and flipped")
    func turnedMirror() throws {
        // Held with the left edge up it is 8 points wide and 9 high.
        let picture = try mirrored(Screen.Mode(width: 9, height: 8)) { $0.orientation = .landscapeLeft }
        #expect(
            picture == [
                ".........", ".........", ".........", ".........", "..#......", "..#.#....", "..#####..", ".........",
            ])
        let flipped = try mirrored(Screen.Mode(width: 9, height: 8)) {
            $0.orientation = .landscapeLeft
            $0.isFlipped = true
        }
        #expect(
            flipped == [
                ".........", "..#####..", "..#.#....", "..#......", ".........", ".........", ".........", ".........",
            ])
    }

    @Test(
        "S5: overscan: scaled into the visible area, moved into it, or cut off at the edges",
        arguments: Screen.Overscan.allCases)
    func overscan(policy: Screen.Overscan) throws {
        let letter = try LetterF()
        // 16 × 14 pixels, of which 8 × 7 are visible.
        let id = try letter.fixture.server.connect(
            ScreenDescription(
                name: "TV", modes: [Screen.Mode(width: 16, height: 14)], overscan: policy,
                overscanInsets: Screen.Insets(top: 2, left: 3, bottom: 5, right: 5)))
        try letter.draw(on: id, unit: policy == .insetBounds ? 1 : 2)
        // Along all four edges of the bounds.
        let bounds = try #require(letter.fixture.model.screen(id)).bounds.size
        let edge = policy == .insetBounds ? 1.0 : 2
        try letter.window(Rect(x: bounds.width - edge, y: 0, width: edge, height: bounds.height), on: id)
        try letter.window(Rect(x: 0, y: bounds.height - edge, width: bounds.width, height: edge), on: id)
        let seen: [String]
        switch policy {
        case .scale, .insetBounds:
            seen = [".......#", ".###...#", ".#.....#", ".##....#", ".#.....#", ".#.....#", "########"]
        case .none:
            // The doubled picture begins at (2, 2); its columns 3…10 and rows 2…8 are visible.
            seen = ["#####...", "#####...", "#.......", "#.......", "###.....", "###.....", "#......."]
        }
        let row = [String](repeating: "................", count: 1)
        let expected = row + row + seen.map { "...\($0)....." } + row + row + row + row + row
        #expect(try letter.picture(id) == expected)
    }
}
