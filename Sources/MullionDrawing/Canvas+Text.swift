// Text on a canvas.

import MullionClient

extension Canvas {
    /// Draws text, divided into lines as wide as the rectangle at most.
    public func draw(_ text: Text, in rect: Rect) {
        draw(TextLayout(text, in: rect))
    }

    /// Draws text without dividing lines; `point` is its top left corner.
    public func draw(_ text: Text, at point: Point) {
        draw(TextLayout(text, in: Rect(origin: point, size: Size(width: .infinity, height: .infinity))))
    }

    /// Draws text that is already divided into lines, in its rectangle.
    public func draw(_ layout: TextLayout) {
        for line in layout.lines {
            line.draw(on: self, at: Point(x: layout.left(of: line), y: layout.top + line.baseline))
        }
    }

    /// One line of text, vertically centred in `rect`; shrunk if it is too wide.
    public func text(
        _ text: String, in rect: Rect, size: Double, bold: Bool = false, _ color: Color,
        align: Text.Alignment = .center
    ) {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        func layout(_ size: Double) -> TextLayout {
            TextLayout(
                Text(line, font: .system(size, weight: bold ? .bold : .regular), color: color, alignment: align),
                in: Rect(x: rect.minX, y: rect.minY, width: .infinity, height: rect.height))
        }
        var (size, text) = (size, layout(size))
        if text.size.width > rect.width, rect.width > 0 {
            size *= rect.width / text.size.width
            text = layout(size)
        }
        guard let line = text.lines.first else { return }
        // By the height of capitals, so that all texts have the same baseline.
        let x = text.left(of: line, in: rect)
        line.draw(on: self, at: Point(x: x, y: rect.center.y + size * 0.36))
    }
}
