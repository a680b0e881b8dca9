// A line of text, and the Pango layout that it is part of.

import CMullionPango
import MullionClient

/// Paragraphs of text, divided into lines by Pango.
@safe final class PangoLayout {
    private let layout: OpaquePointer?
    /// The first byte in the whole text.
    let start: Int
    /// The byte after the last one.
    let end: Int

    /// The bytes from `start` to `end` of a text, or to its end.
    /// - Parameters:
    ///   - width: of the lines, in points; infinite or NaN for no limit.
    ///   - suffix: added to the text, in the font of its last character.
    ///   - onOneLine: ends with "…" where it does not fit, instead of continuing on the next line.
    ///   - direction: of the paragraphs; nil: that of each one's first letter.
    init(
        _ text: Text, _ string: String, from start: Int = 0, to end: Int? = nil, width: Double, suffix: String = "",
        onOneLine: Bool = false, direction: PangoDirection? = nil
    ) {
        self.start = start
        self.end = end ?? string.utf8.count
        let context = unsafe PangoText.makeContext()
        unsafe layout = pango_layout_new(context)
        if let direction {
            unsafe pango_context_set_base_dir(context, direction)
            unsafe pango_layout_set_auto_dir(layout, 0)
        }
        unsafe g_object_unref(UnsafeMutableRawPointer(context))
        unsafe pango_layout_set_wrap(layout, PANGO_WRAP_CHAR)
        if width.isFinite { unsafe pango_layout_set_width(layout, PangoText.units(width)) }
        if onOneLine {
            unsafe pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
            unsafe pango_layout_set_single_paragraph_mode(layout, 1)
        }
        // Pango takes U+0000 for the end of the text.
        let bytes = [UInt8](string.utf8.dropFirst(start).prefix(self.end - start)) + suffix.utf8
        let characters = bytes.map { $0 == 0 ? 0x20 : CChar(bitPattern: $0) }
        unsafe pango_layout_set_text(layout, characters, Int32(clamping: characters.count))
        setAttributes(of: text, suffix: suffix.utf8.count)
        // Pango 1.50 ends the program when it looks for words where a character is wider than the lines.
        if unsafe pango_layout_is_wrapped(layout) != 0, !hasOverflow(bytes, PangoText.points(PangoText.units(width))) {
            unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        }
    }

    /// Whether more than white space of a line is wider than the width.
    private func hasOverflow(_ bytes: [UInt8], _ width: Double) -> Bool {
        lines().contains { line in
            guard line.width > width else { return false }
            let part = bytes[(line.bytes.lowerBound - start)..<(line.bytes.upperBound - start)]
            let blank = String(decoding: part, as: UTF8.self).reversed().prefix { $0.isWhitespace }
            let ink = line.bytes.lowerBound..<line.bytes.upperBound - blank.reduce(0) { $0 + $1.utf8.count }
            return line.spans(of: ink).reduce(0) { $0 + $1.right - $1.left } > width
        }
    }

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(layout))
    }

    private func setAttributes(of text: Text, suffix: Int) {
        // An empty text has the height of its font.
        if let first = text.runs.first {
            unsafe PangoText.withDescription(of: first.font) { unsafe pango_layout_set_font_description(layout, $0) }
        }
        let list = unsafe pango_attr_list_new()
        var position = 0
        for run in text.runs {
            let (from, to) = (position, position + run.string.utf8.count)
            position = to
            guard to > start, from < end else { continue }
            let extra = to >= end ? suffix : 0
            unsafe PangoText.add(run, from: max(0, from - start), to: min(to, end) - start + extra, to: list)
        }
        unsafe pango_layout_set_attributes(layout, list)
        unsafe pango_attr_list_unref(list)
    }

    /// The first line, as a part of a text that lies at a distance from its top.
    func line(below top: Double) -> TextLine? { lines(below: top).first }

    /// The lines, from top to bottom.
    func lines(below top: Double = 0) -> [TextLine] {
        let iterator = unsafe pango_layout_get_iter(layout)
        defer { unsafe pango_layout_iter_free(iterator) }
        var lines: [TextLine] = []
        repeat {
            guard let line = unsafe pango_layout_iter_get_line_readonly(iterator) else { break }
            var frame = PangoRectangle()
            unsafe pango_layout_iter_get_line_extents(iterator, nil, &frame)
            let baseline = unsafe pango_layout_iter_get_baseline(iterator)
            unsafe lines.append(TextLine(self, line, frame, baseline: baseline, below: top))
        } while unsafe pango_layout_iter_next_line(iterator) != 0
        return lines
    }
}

/// A line of text. Distances are in points from the top of the text.
@safe final class TextLine {
    private let layout: PangoLayout
    private let line: UnsafeMutablePointer<PangoLayoutLine>
    /// Where Pango puts it, by an alignment that is not ours.
    private let pangoLeft: Double
    let top: Double
    let bottom: Double
    let baseline: Double
    let width: Double
    let isRightToLeft: Bool
    /// The bytes of the whole text, without the line break at the end.
    let bytes: Range<Int>

    fileprivate init(
        _ layout: PangoLayout, _ line: UnsafeMutablePointer<PangoLayoutLine>, _ frame: PangoRectangle, baseline: Int32,
        below top: Double
    ) {
        self.layout = layout
        unsafe self.line = unsafe pango_layout_line_ref(line)
        pangoLeft = PangoText.points(frame.x)
        self.top = top + PangoText.points(frame.y)
        bottom = self.top + PangoText.points(frame.height)
        self.baseline = top + PangoText.points(baseline)
        width = PangoText.points(frame.width)
        isRightToLeft = unsafe pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL
        let first = unsafe layout.start + Int(line.pointee.start_index)
        bytes = unsafe first..<max(first, min(first + Int(line.pointee.length), layout.end))
    }

    deinit {
        unsafe pango_layout_line_unref(line)
    }

    /// Draws it with the left end of its baseline at this point.
    func draw(on canvas: Canvas, at point: Point) {
        unsafe cairo_new_path(canvas.context)
        unsafe cairo_move_to(canvas.context, point.x, point.y)
        unsafe pango_cairo_show_layout_line(canvas.context, line)
        unsafe cairo_new_path(canvas.context)
    }

    /// The line with "…" at its end, for the text that follows it.
    func truncated(_ text: Text, _ string: String, width: Double) -> TextLine {
        let rest = string.utf8.dropFirst(bytes.lowerBound)
        let paragraph = String(rest)?.prefix { !$0.isNewline }.utf8.count ?? rest.count
        let end = bytes.lowerBound + paragraph
        let layout = PangoLayout(
            text, string, from: bytes.lowerBound, to: end, width: width,
            suffix: end < string.utf8.count ? "…" : "", onOneLine: true,
            direction: isRightToLeft ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR)
        return layout.line(below: top) ?? self
    }

    // MARK: Characters

    /// Where the character with that first byte begins, or ends, from the left edge of the line.
    func position(of byte: Int, atEnd: Bool = false) -> Double {
        var x: Int32 = 0
        unsafe pango_layout_line_index_to_x(line, Int32(clamping: byte - layout.start), atEnd ? 1 : 0, &x)
        return PangoText.points(x)
    }

    /// A byte of the character that is nearest to a distance from the left edge of the line.
    func byte(at position: Double) -> Int {
        var (index, after): (Int32, Int32) = (0, 0)
        unsafe pango_layout_line_x_to_index(line, PangoText.units(position), &index, &after)
        // Beyond the end, Pango gives the last character, or the end when there is none.
        return min(layout.start + Int(index), bytes.upperBound)
    }

    /// From where to where the characters of these bytes lie, from the left edge of the line.
    func spans(of range: Range<Int>) -> [(left: Double, right: Double)] {
        var count: Int32 = 0
        var found: UnsafeMutablePointer<Int32>?
        let (first, last) = (range.lowerBound - layout.start, range.upperBound - layout.start)
        unsafe pango_layout_line_get_x_ranges(line, Int32(clamping: first), Int32(clamping: last), &found, &count)
        defer { unsafe g_free(found) }
        guard let numbers = unsafe found else { return [] }
        return (0..<Int(count)).map { index in
            let (left, right) = unsafe (numbers[2 * index], numbers[2 * index + 1])
            return (PangoText.points(left) - pangoLeft, PangoText.points(right) - pangoLeft)
        }
    }
}
