// Where the characters of a text lie, for text fields.

import MullionClient

extension TextLayout {
    /// Where the caret stands before that character, or at the end of the text: a rectangle one point wide and as high
    /// as the line, whose left edge is the place. An index of another text is taken for the end.
    public func caretRect(for index: String.Index) -> Rect {
        let byte = self.byte(of: index)
        // The end of a line that was wrapped is the beginning of the next one.
        guard let line = lines.last(where: { $0.bytes.lowerBound <= byte }) ?? lines.first else {
            return Rect(x: rect.minX, y: top, width: 1, height: 0)
        }
        let x = left(of: line) + line.position(of: min(byte, line.bytes.upperBound))
        return Rect(x: x, y: top + line.top, width: 1, height: line.bottom - line.top)
    }

    /// The place between characters that is nearest to a point.
    public func closestIndex(to point: Point) -> String.Index {
        let y = point.y - top
        guard let line = lines.first(where: { y < $0.bottom }) ?? lines.last else { return string.startIndex }
        let x = point.x - left(of: line)
        let index = boundary(at: string.utf8.index(string.startIndex, offsetBy: line.byte(at: x)))
        let byte = byte(of: index)
        guard byte < line.bytes.upperBound else { return index }
        // Pango finds the nearer edge of a letter and its accents only when both are one character.
        let (leading, trailing) = (line.position(of: byte), line.position(of: byte, atEnd: true))
        guard abs(x - trailing) < abs(x - leading) else { return index }
        let next = string.index(after: index)
        // After the last character of a line that was wrapped, the caret would stand in the next line.
        let isWrapped = lines.contains { $0.bytes.lowerBound == line.bytes.upperBound && $0 !== line }
        return isWrapped && self.byte(of: next) >= line.bytes.upperBound ? index : next
    }

    /// The rectangles that cover the characters of a range, line by line, for a selection.
    public func selectionRects(for range: Range<String.Index>) -> [Rect] {
        let bytes = byte(of: range.lowerBound)..<byte(of: range.upperBound)
        return lines.flatMap { line -> [Rect] in
            let part = bytes.clamped(to: line.bytes)
            guard !part.isEmpty else { return [] }
            return line.spans(of: part).map { span in
                Rect(
                    x: left(of: line) + span.left, y: top + line.top, width: span.right - span.left,
                    height: line.bottom - line.top)
            }
        }
    }

    private func byte(of index: String.Index) -> Int {
        string.utf8.distance(from: string.startIndex, to: min(index, string.endIndex))
    }

    /// The beginning of the character that contains the index.
    private func boundary(at index: String.Index) -> String.Index {
        var start = index
        while start > string.startIndex, String.Index(start, within: string) == nil {
            start = string.utf8.index(before: start)
        }
        return start
    }
}
