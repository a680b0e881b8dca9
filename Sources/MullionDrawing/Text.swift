// Text with its fonts and colours.

import MullionClient

/// Text with fonts and colours, and how it is divided into lines. Draw it with `Canvas.draw(_:in:)`.
///
///     var note = Text("Battery low: ", font: .boldSystem(15)) + Text("10 % left", color: red)
///     note.alignment = .center
///     canvas.draw(note, in: canvas.bounds)
///
/// Scripts that run from right to left, and characters that the font lacks, are laid out and drawn too, as far as fonts
/// for them are installed (on Debian, fonts-noto-cjk and fonts-noto-color-emoji for example).
public struct Text: Hashable, Sendable {
    /// A piece of text in one font and one colour.
    public struct Run: Hashable, Sendable {
        /// The characters.
        public var string: String
        /// Their font.
        public var font: Font
        /// Their colour.
        public var color: Color
        /// Whether a line is drawn below them, as below text that an input method has not finished.
        public var isUnderlined: Bool

        /// A piece of text.
        public init(_ string: String, font: Font = .system(17), color: Color = .black, isUnderlined: Bool = false) {
            self.string = string
            self.font = font
            self.color = color
            self.isUnderlined = isUnderlined
        }
    }

    /// Where lines lie between the left and the right edge.
    public enum Alignment: Hashable, Sendable {
        /// At the edge where the script begins: left, but right for Arabic or Hebrew.
        case natural
        /// At the left edge.
        case left
        /// In the middle.
        case center
        /// At the right edge.
        case right
    }

    /// Where the text lies between the top and the bottom edge.
    public enum VerticalAlignment: Hashable, Sendable {
        /// At the top edge.
        case top
        /// In the middle.
        case center
        /// At the bottom edge.
        case bottom
    }

    /// What happens to text that is too wide or too high.
    public enum LineBreak: Hashable, Sendable {
        /// Continues on the next line, between words where possible. Lines beyond `maximumLines` are not drawn; the
        /// height does not limit.
        case wordWrapping
        /// Continues on the next line, too; the last line that `maximumLines` and the height allow ends with "…" when
        /// text is left.
        case truncatingTail
    }

    /// The pieces of text, one after another.
    public var runs: [Run]
    /// Where lines lie between the left and the right edge.
    public var alignment = Alignment.natural
    /// Where the text lies between the top and the bottom edge.
    public var verticalAlignment = VerticalAlignment.top
    /// What happens to text that is too wide or too high.
    public var lineBreak = LineBreak.wordWrapping
    /// The most lines that are drawn; 0 for any number.
    public var maximumLines = 0

    /// Text in one font and one colour.
    public init(
        _ string: String, font: Font = .system(17), color: Color = .black, alignment: Alignment = .natural,
        verticalAlignment: VerticalAlignment = .top, lineBreak: LineBreak = .wordWrapping, maximumLines: Int = 0
    ) {
        runs = [Run(string, font: font, color: color)]
        self.alignment = alignment
        self.verticalAlignment = verticalAlignment
        self.lineBreak = lineBreak
        self.maximumLines = maximumLines
    }

    /// Text of several fonts and colours.
    public init(_ runs: [Run]) {
        self.runs = runs
    }

    /// One text after another; alignment and line breaks are those of the first.
    public static func + (first: Text, second: Text) -> Text {
        var text = first
        text.runs += second.runs
        return text
    }

    /// All characters.
    public var string: String { runs.map(\.string).joined() }

    /// The size of the text when it may be as wide, and for `truncatingTail` as high, as this, in points. A label needs
    /// no more than that, so round it up for a view.
    public func size(fitting size: Size = Size(width: .infinity, height: .infinity)) -> Size {
        TextLayout(self, in: Rect(origin: .zero, size: size)).size
    }
}
