// R2: how the control API and the model name the parts of a window's autoresizing mask, and margins.

import Geometry

extension Window {
    /// Which parts of the frame and its surroundings change when the screen's bounds change (R2).
    public typealias Autoresizing = AutoresizingMask
}

extension AutoresizingMask {
    public static let leftMargin = flexibleLeftMargin
    public static let width = flexibleWidth
    public static let rightMargin = flexibleRightMargin
    public static let topMargin = flexibleTopMargin
    public static let height = flexibleHeight
    public static let bottomMargin = flexibleBottomMargin

    /// All parts with their names, in the order of their bits.
    public static let names: [(name: String, part: AutoresizingMask)] = [
        ("leftMargin", .leftMargin), ("width", .width), ("rightMargin", .rightMargin), ("topMargin", .topMargin),
        ("height", .height), ("bottomMargin", .bottomMargin),
    ]
}

extension Rect {
    /// The rectangle without a margin at its top edge, but at least one point high.
    package func without(top margin: Double) -> Rect {
        Rect(x: minX, y: minY + margin, width: width, height: max(1, height - margin))
    }
}
