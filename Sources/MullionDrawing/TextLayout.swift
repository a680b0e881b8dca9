// Text divided into lines.

import CMullionPango
import MullionClient

/// Text that is divided into lines in a rectangle: what `Canvas` draws, and where its characters lie.
///
/// `Text.size(fitting:)` and `Canvas.draw(_:in:)` create one each time; a text field keeps one to place its caret.
public final class TextLayout {
    /// The text.
    public let text: Text
    /// The rectangle, in points.
    public let rect: Rect
    /// The size of the lines, in points.
    public let size: Size
    /// Whether text was left out for lack of space.
    public let isTruncated: Bool
    /// The lines that are drawn, from top to bottom.
    let lines: [TextLine]
    let string: String

    /// Divides text into lines as wide as the rectangle at most.
    public init(_ text: Text, in rect: Rect) {
        self.text = text
        self.rect = rect
        string = text.string
        let paragraphs = PangoLayout(text, string, width: rect.width)
        var lines = paragraphs.lines()
        var limit = text.maximumLines > 0 ? text.maximumLines : Int.max
        if text.lineBreak == .truncatingTail {
            // Pango rounds to 1/1024 of a point.
            limit = min(limit, max(1, lines.prefix { $0.bottom <= rect.height + 0.01 }.count))
        }
        isTruncated = lines.count > limit
        if isTruncated {
            lines.removeSubrange(limit...)
            if text.lineBreak == .truncatingTail, let last = lines.popLast() {
                lines.append(last.truncated(text, string, width: rect.width))
            }
        }
        self.lines = lines
        size = Size(width: lines.map(\.width).max() ?? 0, height: lines.last?.bottom ?? 0)
    }

    /// The rectangle around the lines, in points: `size`, aligned in `rect`.
    public var frame: Rect {
        let left = lines.map(self.left).min() ?? rect.minX
        return Rect(origin: Point(x: left, y: top), size: size)
    }

    /// Where the first line begins.
    var top: Double {
        switch text.verticalAlignment {
        case .center where rect.height.isFinite: rect.minY + (rect.height - size.height) / 2
        case .bottom where rect.height.isFinite: rect.maxY - size.height
        default: rect.minY
        }
    }

    /// The left edge of a line.
    func left(of line: TextLine) -> Double {
        left(of: line, in: rect.width.isFinite ? rect : Rect(origin: rect.origin, size: size))
    }

    /// The left edge that a line has in some rectangle.
    func left(of line: TextLine, in rect: Rect) -> Double {
        let space = rect.width - line.width
        switch text.alignment {
        case .left: return rect.minX
        case .natural: return rect.minX + (line.isRightToLeft ? space : 0)
        case .center: return rect.minX + space / 2
        case .right: return rect.minX + space
        }
    }
}
