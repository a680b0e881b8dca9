// R2: how the control API and the model name the parts of a window's autoresizing mask, and margins.

import MullionGeometry

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
    /// The rectangle without margins at its edges, but at least one point wide and high.
    package func without(_ margins: Screen.Insets) -> Rect {
        Rect(
            x: minX + margins.left, y: minY + margins.top, width: max(1, width - margins.left - margins.right),
            height: max(1, height - margins.top - margins.bottom))
    }

    /// The margins that leave another rectangle of this one; 0 where that one extends beyond it.
    package func margins(around inner: Rect) -> Screen.Insets {
        Screen.Insets(
            top: max(0, inner.minY - minY), left: max(0, inner.minX - minX), bottom: max(0, maxY - inner.maxY),
            right: max(0, maxX - inner.maxX))
    }
}
