// Text: its size, its lines and its weight.

import MullionClient
import MullionDrawing
import Testing

@Suite struct TextTests {
    private let sentence = "The quick brown fox jumps over the lazy dog"

    @Test("wider text is wider, larger fonts are larger, in proportion")
    func sizes() {
        let short = Text("iii").size()
        let long = Text("mmm").size()
        #expect(long.width > short.width * 2)
        #expect(long.height == short.height)
        let small = Text(sentence, font: .system(10)).size()
        let large = Text(sentence, font: .system(40)).size()
        #expect(abs(large.width - small.width * 4) < small.width * 0.01, "no hinting")
        #expect(abs(large.height - small.height * 4) < 0.5)
        #expect(Text("", font: .system(20)).size().width == 0)
        #expect(Text("", font: .system(20)).size().height == Text("x", font: .system(20)).size().height)
        #expect(Text([]).size().width == 0)
    }

    @Test("fonts have measures, and all characters of the monospaced one have the same width")
    func fonts() {
        let font = Font.system(20)
        #expect(font.ascender > 15 && font.ascender < 25)
        #expect(font.descender < -2 && font.descender > -10)
        #expect(abs(font.lineHeight - Text("x", font: font).size().height) < 0.01)
        let widths = ["iiii", "mmmm"].map { Text($0, font: .monospacedSystem(20)).size().width }
        #expect(widths[0] == widths[1])
        #expect(Font("No Such Font", size: 20).lineHeight > 10, "another font is used")
    }

    @Test("narrow text is wrapped, within its width, and its size fits exactly")
    func wrapping() {
        let one = Text(sentence).size()
        for width in [60.0, 100, 150, 250] {
            let size = Text(sentence).size(fitting: Size(width: width, height: .infinity))
            #expect(size.width <= width)
            #expect(size.height >= one.height * 2)
        }
        let narrow = Text(sentence).size(fitting: Size(width: 60, height: .infinity))
        #expect(narrow.height > Text(sentence).size(fitting: Size(width: 150, height: .infinity)).height)
        #expect(Text(sentence).size(fitting: one) == one)
        #expect(Text("a\nb\n").size().height == one.height * 3)
        // A word that is too wide is divided.
        #expect(Text("Donaudampfschifffahrt").size(fitting: Size(width: 50, height: .infinity)).width <= 50)
    }

    @Test("lines beyond the maximum and the height are left out; truncated text ends within its width")
    func truncating() {
        let line = Text(sentence).size().height
        func layout(_ lineBreak: Text.LineBreak, _ lines: Int, height: Double, _ string: String) -> TextLayout {
            TextLayout(
                Text(string, lineBreak: lineBreak, maximumLines: lines),
                in: Rect(x: 0, y: 0, width: 120, height: height))
        }
        for lineBreak in [Text.LineBreak.wordWrapping, .truncatingTail] {
            for lines in 1...3 {
                let cut = layout(lineBreak, lines, height: 1000, sentence)
                #expect(abs(cut.size.height - line * Double(lines)) < 0.01)
                #expect(cut.size.width <= 120)
                #expect(cut.isTruncated)
            }
            #expect(!layout(lineBreak, 0, height: 1000, sentence).isTruncated)
            #expect(!layout(lineBreak, 1, height: 1000, "short").isTruncated)
            #expect(layout(lineBreak, 1, height: 1000, "two\nparagraphs").isTruncated)
        }
        #expect(abs(layout(.truncatingTail, 0, height: line * 2.5, sentence).size.height - line * 2) < 0.01)
        #expect(abs(layout(.truncatingTail, 0, height: 1, sentence).size.height - line) < 0.01, "at least one")
        #expect(!layout(.wordWrapping, 0, height: 1, sentence).isTruncated)
        // "two…" is wider than "two" and narrower than both words.
        let tail = layout(.truncatingTail, 1, height: 1000, "two\nparagraphs").size.width
        #expect(tail > Text("two").size().width)
        #expect(tail == Text("two…").size().width)
    }

    @Test("alignment puts the ink left, in the middle or right, top, in the middle or at the bottom")
    func alignment() throws {
        func ink(_ alignment: Text.Alignment, _ vertical: Text.VerticalAlignment, _ string: String) throws -> Point {
            let image = try draw(300, 100) {
                $0.draw(
                    Text(string, alignment: alignment, verticalAlignment: vertical),
                    in: Rect(x: 0, y: 0, width: 300, height: 100))
            }
            return try #require(image.inked).center
        }
        let left = try ink(.left, .top, "text")
        #expect(left.x < 50 && left.y < 30)
        #expect(try ink(.natural, .top, "text") == left)
        let middle = try ink(.center, .center, "text")
        #expect(abs(middle.x - 150) < 5 && abs(middle.y - 50) < 5)
        let right = try ink(.right, .bottom, "text")
        #expect(right.x > 250 && right.y > 70)
        // Hebrew begins at the right.
        #expect(try ink(.natural, .top, "שלום").x > 250)
        #expect(try ink(.left, .top, "שלום").x < 50)
        #expect(try ink(.right, .top, "שלום").x > 250)
    }

    @Test("bold is heavier, larger is larger, italic differs; colours and opacity are those given")
    func ink() throws {
        func image(_ font: Font, _ color: Color = .black) throws -> Image {
            try draw(200, 60) { $0.draw(Text("Handgloves", font: font, color: color), at: .zero) }
        }
        let regular = try image(.system(24))
        #expect(try image(.boldSystem(24)).coverage > regular.coverage * 1.2)
        #expect(try image(.system(12)).coverage < regular.coverage / 2)
        #expect(try image(.italicSystem(24)) != regular)
        #expect(try image(.system(24)) == regular, "the same pixels each time")
        #expect(try image(.system(24), .clear).coverage < 2)
        let half = try image(.system(24), Color(argb: 0x8000_0000))
        #expect(abs(half.coverage - regular.coverage / 2) < regular.coverage * 0.02)
        let tinted = try image(.system(24), red)
        #expect(tinted.pixels.allSatisfy { $0 & 0xffff == 0 })
        #expect(abs(tinted.coverage - regular.coverage) < 1)
        #expect(try image(.system(0)).coverage == 0)
    }

    @Test("runs have their own fonts and colours")
    func runs() throws {
        var second = Text("bb", font: .boldSystem(20), color: blue)
        second.runs[0].isUnderlined = true
        let both = Text("aa", font: .system(20), color: red) + second
        #expect(both.string == "aabb")
        let widths = (Text("aa", font: .system(20)).size().width, second.size().width)
        #expect(abs(both.size().width - widths.0 - widths.1) < 1)
        let image = try draw(100, 40) { $0.draw(both, at: .zero) }
        let isRed = image.pixels.contains { $0 == 0xffff_0000 }
        let isBlue = image.pixels.contains { $0 == 0xff00_00ff }
        #expect(isRed && isBlue)
        let underlined = try draw(100, 40) { $0.draw(second, at: .zero) }
        second.runs[0].isUnderlined = false
        #expect(try draw(100, 40) { $0.draw(second, at: .zero) }.coverage < underlined.coverage - 10)
    }

    @Test("one line of text is centred by its capitals, and shrunk when it is too wide")
    func oneLine() throws {
        let image = try draw(200, 60) { $0.text("HHH", in: $0.bounds, size: 30, .black) }
        let ink = try #require(image.inked)
        #expect(abs(ink.center.y - 30) <= 1.5 && abs(ink.center.x - 100) <= 2)
        let narrow = try draw(200, 60) {
            $0.text(sentence, in: Rect(x: 50, y: 0, width: 100, height: 60), size: 30, bold: true, .black)
        }
        let shrunk = try #require(narrow.inked)
        #expect(shrunk.minX >= 48 && shrunk.maxX <= 152)
        #expect(shrunk.width > 90)
        let left = try draw(200, 60) { $0.text("H", in: $0.bounds, size: 30, .black, align: .left) }
        let right = try draw(200, 60) { $0.text("H", in: $0.bounds, size: 30, .black, align: .right) }
        #expect(try #require(left.inked).maxX < 40)
        #expect(try #require(right.inked).minX > 160)
        #expect(
            try draw(200, 60) { $0.text("a\nb", in: $0.bounds, size: 30, .black) }
                == draw(200, 60) { $0.text("a b", in: $0.bounds, size: 30, .black) })
    }

    @Test("characters that are wider than the lines are drawn one below the other")
    func narrow() {
        for string in ["\u{1f1e9}\u{301}🇩🇪…", "🇩\u{2069}🇩🇪…", "👩‍👩‍👧‍👩‍👩‍👧 two words", "mm"] {
            for width in [-1.0, 0, 1, 8] {
                let size = Text(string, font: .system(17)).size(fitting: Size(width: width, height: .infinity))
                #expect(size.height > Text(string, font: .system(17)).size().height * 1.5, "\(string), \(width)")
            }
        }
        // A space that hangs over the edge does not divide words.
        let size = Text("שלום שלום").size()
        let half = Text("שלום").size().width
        #expect(Text("שלום שלום").size(fitting: Size(width: half, height: .infinity)).height == size.height * 2)
    }

    @Test("characters that no font has, controls and endless lines draw something and stop nothing")
    func unusual() throws {
        let strings = [
            "漢字", "👩‍👩‍👧🇩🇪", "\u{0}a\u{0}", "\u{202e}abc\u{2066}", "\r\n\u{2029}", "\u{fffe}\u{10ffff}",
            "e\u{301}\u{301}\u{301}",
            String(repeating: "wide ", count: 20_000),
        ]
        for string in strings {
            let image = try draw(100, 40) { canvas in
                canvas.draw(Text(string, lineBreak: .truncatingTail), in: canvas.bounds)
                canvas.text(string, in: canvas.bounds, size: 12, .black)
                canvas.draw(Text(string, font: .system(4096)), at: Point(x: 10, y: 10))
                canvas.clear(Rect(x: 99, y: 0, width: 1, height: 1))
                canvas.fill(Rect(x: 99, y: 0, width: 1, height: 1), red)
            }
            #expect(image[99, 0] == 0xffff_0000, "\(string.prefix(20))")
        }
        #expect(try draw(100, 40) { $0.draw(Text("漢字👩‍👩‍👧"), at: .zero) }.coverage > 50)
    }
}
