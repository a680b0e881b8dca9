// Images at the pointer.

import MullionGeometry

/// An image at the pointer (AppKit: NSCursor): `View.cursor` of the view under the pointer decides which one is shown.
/// It is drawn once for each scale and kept by the server; use one object wherever the same image is meant.
@MainActor public final class Cursor {
    /// In whole points; at most 256 on a side.
    public let size: Size
    /// The point of the image that is at the pointer's position, in its points; rounded to whole ones.
    public let hotSpot: Point
    let draw: (PixelBuffer) -> Void
    /// Whether any view has had a cursor.
    static var isUsed = false

    /// A cursor of one's own.
    /// - Parameters:
    ///   - size: in points, rounded to whole ones within 1…256.
    ///   - hotSpot: the point of the image that is at the pointer's position.
    ///   - draw: draws onto transparent pixels, as many for each point as the screen has; called for each scale.
    public init(size: Size, hotSpot: Point, draw: @escaping (PixelBuffer) -> Void) {
        func side(_ value: Double) -> Double { Double(min(max(wholePoints(value), 1), 256)) }
        self.size = Size(width: side(size.width), height: side(size.height))
        self.hotSpot = Point(x: Double(wholePoints(hotSpot.x)), y: Double(wholePoints(hotSpot.y)))
        self.draw = draw
    }

    /// An arrow, like the one that the server shows by itself.
    public static let arrow = Cursor(rows: arrowRows, hotSpot: .zero)
    /// A vertical bar, for text.
    public static let iBeam = Cursor(rows: iBeamRows, hotSpot: Point(x: 3, y: 8))
    /// Crossed lines, for choosing points.
    public static let crosshair = Cursor(rows: crosshairRows, hotSpot: Point(x: 7, y: 7))
    /// No image.
    public static let hidden = Cursor(size: .zero, hotSpot: .zero) { _ in }

    /// A drawing of characters, one for each point: o is white, # is black.
    private convenience init(rows: [String], hotSpot: Point) {
        let width = rows.lazy.map(\.utf8.count).max() ?? 0
        self.init(size: Size(width: Double(width), height: Double(rows.count)), hotSpot: hotSpot) { pixels in
            for (y, row) in rows.enumerated() {
                for (x, character) in row.utf8.enumerated() where character != UInt8(ascii: " ") {
                    let color: Color = character == UInt8(ascii: "o") ? .white : .black
                    pixels.fill(Rect(x: Double(x), y: Double(y), width: 1, height: 1), color)
                }
            }
        }
    }

    private static let arrowRows = [
        "o           ",
        "oo          ",
        "o#o         ",
        "o##o        ",
        "o###o       ",
        "o####o      ",
        "o#####o     ",
        "o######o    ",
        "o#######o   ",
        "o########o  ",
        "o#########o ",
        "o######ooooo",
        "o###o##o    ",
        "o##oo##o    ",
        "o#o  o##o   ",
        "oo   o##o   ",
        "o     oo    ",
    ]
    private static let iBeamRows =
        ["ooo ooo", "o##o##o", "ooo#ooo"] + Array(repeating: "  o#o  ", count: 11) + ["ooo#ooo", "o##o##o", "ooo ooo"]
    private static let crosshairRows =
        ["      ooo      "] + Array(repeating: "      o#o      ", count: 5)
        + ["ooooooo#ooooooo", "o#############o", "ooooooo#ooooooo"]
        + Array(repeating: "      o#o      ", count: 5) + ["      ooo      "]
}

extension View {
    /// The cursor of the view at a point of it, or of the nearest view around that which has one.
    func cursor(at point: Point) -> Cursor? {
        var view: View? = hitTest(point, with: nil) ?? self
        while let current = view {
            if let cursor = current.cursor { return cursor }
            view = current.superview
        }
        return nil
    }

    /// Called when the cursor may be another one.
    func cursorDidChange() {
        Cursor.isUsed = true
        guard let window else { return }
        for seat in window.application.seats.values where seat.hovered === window { seat.updateCursor() }
        window.application.wake?()
    }
}
