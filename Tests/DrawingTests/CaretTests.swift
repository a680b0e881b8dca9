// Places of characters, for text fields.

import MullionClient
import MullionDrawing
import TestSupport
import Testing

@Suite struct CaretTests {
    private let rect = Rect(x: 10, y: 20, width: 100, height: 200)

    @Test("carets ascend from the left edge to the end of the text")
    func ascending() throws {
        let string = "Grüße, ñ € 漢 😀!"
        let text = Text(string)
        let layout = TextLayout(text, in: Rect(x: 10, y: 20, width: 500, height: 50))
        let places = (string.indices + [string.endIndex]).map { layout.caretRect(for: $0) }
        #expect(places.first?.minX == 10)
        #expect(try abs(#require(places.last).minX - 10 - text.size().width) < 0.01)
        for (before, after) in zip(places, places.dropFirst()) { #expect(after.minX > before.minX) }
        #expect(places.allSatisfy { $0.minY == 20 && $0.height == layout.size.height && $0.width == 1 })
    }

    @Test("the index at a character's left half is its own, at its right half the next one's")
    func closest() {
        let string = "añ漢🇩🇪e\u{301}z"
        let layout = TextLayout(Text(string), in: Rect(x: 10, y: 20, width: 500, height: 50))
        for index in string.indices {
            let next = string.index(after: index)
            let (left, right) = (layout.caretRect(for: index).minX, layout.caretRect(for: next).minX)
            let quarter = (right - left) / 4
            #expect(layout.closestIndex(to: Point(x: left + quarter, y: 25)) == index)
            #expect(layout.closestIndex(to: Point(x: right - quarter, y: 25)) == next)
        }
        #expect(layout.closestIndex(to: Point(x: -500, y: -500)) == string.startIndex)
        #expect(layout.closestIndex(to: Point(x: 5000, y: 5000)) == string.endIndex)
        #expect(layout.closestIndex(to: Point(x: .nan, y: .nan)) <= string.endIndex)
    }

    @Test("wrapped lines: carets go down, and every place between characters can be found")
    func wrapped() throws {
        let string = "One two three four five six\n\nseven"
        let layout = TextLayout(Text(string), in: rect)
        let rects = string.indices.map { layout.caretRect(for: $0) }
        #expect(Set(rects.map(\.minY)).count >= 4)
        for (before, after) in zip(rects, rects.dropFirst()) {
            #expect(after.minY > before.minY || after.minX > before.minX)
        }
        for index in string.indices where !string[index].isNewline {
            let caret = layout.caretRect(for: index)
            #expect(layout.closestIndex(to: Point(x: caret.minX + 0.1, y: caret.center.y)) == index)
        }
        // Right of a wrapped line: still on that line.
        let first = layout.closestIndex(to: Point(x: 5000, y: 21))
        #expect(layout.caretRect(for: first).minY == 20)
        #expect(first > string.index(string.startIndex, offsetBy: 5))
        // Right of the empty line.
        let blank = try string.index(after: #require(string.firstIndex(of: "\n")))
        #expect(layout.closestIndex(to: Point(x: 50, y: layout.caretRect(for: blank).center.y)) == blank)
    }

    @Test("an empty text has a caret, and so has the line after a final line break")
    func empty() {
        let layout = TextLayout(Text("", font: .system(20)), in: rect)
        let caret = layout.caretRect(for: "".startIndex)
        #expect(caret.origin == rect.origin)
        #expect(caret.height == Text("x", font: .system(20)).size().height)
        #expect(layout.closestIndex(to: Point(x: 50, y: 50)) == "".startIndex)
        #expect(layout.selectionRects(for: "".startIndex..<"".endIndex).isEmpty)
        let lines = TextLayout(Text("a\n"), in: rect)
        #expect(lines.caretRect(for: "a\n".endIndex).minY > lines.caretRect(for: "a\n".startIndex).minY)
        // An index of a longer text.
        let long = "much longer than the other"
        #expect(lines.caretRect(for: long.endIndex) == lines.caretRect(for: "a\n".endIndex))
    }

    @Test("alignment moves carets with their text")
    func aligned() {
        let width = Text("text").size().width
        for (alignment, left) in [(Text.Alignment.center, 60 - width / 2), (.right, 110 - width)] {
            let layout = TextLayout(Text("text", alignment: alignment, verticalAlignment: .bottom), in: rect)
            let caret = layout.caretRect(for: "text".startIndex)
            #expect(abs(caret.minX - left) < 0.01)
            #expect(abs(caret.maxY - rect.maxY) < 0.01)
            #expect(layout.frame.minX == caret.minX && abs(layout.frame.maxX - left - width) < 0.01)
        }
    }

    @Test("selections cover their characters, line by line and on both sides of a change of direction")
    func selections() throws {
        let string = "One two three four five six"
        let layout = TextLayout(Text(string), in: rect)
        let whole = layout.selectionRects(for: string.startIndex..<string.endIndex)
        #expect(whole.count >= 2)
        #expect(Set(whole.map(\.minY)).count == whole.count)
        let one = string.index(string.startIndex, offsetBy: 3)
        let word = try #require(layout.selectionRects(for: string.startIndex..<one).first)
        #expect(word.minX == 10 && abs(word.maxX - layout.caretRect(for: one).minX) < 0.01)
        #expect(layout.selectionRects(for: one..<one).isEmpty)

        let mixed = "abc שלום"
        let line = TextLayout(Text(mixed), in: Rect(x: 0, y: 0, width: 500, height: 50))
        // From "bc" to the first two Hebrew letters, which lie at the far right.
        let range = mixed.index(after: mixed.startIndex)..<mixed.index(mixed.startIndex, offsetBy: 6)
        let parts = line.selectionRects(for: range).sorted { $0.minX < $1.minX }
        #expect(parts.count == 2)
        #expect(try abs(#require(parts.last).maxX - line.size.width) < 0.01)
    }

    @Test("carets of right-to-left text descend from the right edge")
    func rightToLeft() {
        let string = "שלום"
        let layout = TextLayout(Text(string), in: rect)
        let places = string.indices.map { layout.caretRect(for: $0).minX }
        #expect(abs(places[0] - rect.maxX) < 0.01)
        for (before, after) in zip(places, places.dropFirst()) { #expect(after < before) }
    }

    @Test("carets of text that was left out stand at the end of what is drawn")
    func truncated() {
        let string = "One two three four five six seven"
        let text = Text(string, lineBreak: .truncatingTail, maximumLines: 1)
        let layout = TextLayout(text, in: rect)
        #expect(layout.isTruncated)
        for index in string.indices {
            let caret = layout.caretRect(for: index)
            #expect(caret.minX <= rect.minX + layout.size.width + 0.01 && caret.minY == rect.minY)
        }
        #expect(layout.closestIndex(to: Point(x: 5000, y: 5000)) <= string.endIndex)
    }

    @Test("whatever the text and the rectangle, carets have a place and places lie between characters")
    func random() {
        var random = SeededRandom()
        let pieces = [
            "a", " ", "\n", "\r\n", "\u{2028}", "\u{2029}", "\u{85}", "\t", "\u{0}", "e\u{301}", "\u{301}", "ﬁ", "fi",
            "漢", "😀", "👩‍👩‍👧", "🇩", "🇩🇪", "שלום", "العربية", "\u{202e}", "\u{2066}", "\u{2069}", "\u{200d}", "\u{fe0f}",
            "नमस्ते",
            "\u{feff}", "…", "\u{ad}",
        ]
        let sides: [Double] = [0, 1, 30, 200, .infinity, .nan, -5, 1e300]
        for _ in 0..<2000 {
            let string = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            func side() -> Double { sides[Int.random(in: 0..<sides.count, using: &random)] }
            var text = Text(
                string, font: .system([17, 17, 17, 0, 4096, -1, .nan][Int.random(in: 0..<7, using: &random)]))
            text.lineBreak = Bool.random(using: &random) ? .truncatingTail : .wordWrapping
            text.maximumLines = Int.random(in: -1...2, using: &random)
            let layout = TextLayout(text, in: Rect(x: 0, y: 0, width: side(), height: side()))
            for index in string.indices + [string.endIndex] {
                let caret = layout.caretRect(for: index)
                #expect(caret.width == 1 && caret.height >= 0, "\(string.debugDescription), seed \(random.seed)")
                let other = string.indices.randomElement(using: &random) ?? index
                _ = layout.selectionRects(for: min(index, other)..<max(index, other))
            }
            for _ in 0..<5 {
                let found = layout.closestIndex(to: Point(x: side(), y: side()))
                #expect(
                    String.Index(found, within: string) == found && found <= string.endIndex,
                    "\(string.debugDescription), seed \(random.seed)")
            }
        }
    }
}
