// The text of title bars, drawn by libcairo.

import CCairoRuntime
import MullionSystem
import WindowModel

/// Draws titles. libcairo and the fonts that it finds cost memory and time at the start, so it is loaded when the first
/// title is drawn, and never by a server that draws none.
package final class TitleDrawing {
    /// In points.
    private static let fontSize = 13.0
    /// The rest of a longer title cannot be seen anyway.
    private static let mostCharacters = 256
    /// The most bytes of drawn titles that are kept; beyond that all of them are drawn again.
    private static let mostBytes = 8 << 20

    /// The file name of the library.
    package var library = "libcairo.so.2"
    /// Called once, with the reason, when the library cannot be loaded.
    private let onFailure: (String) -> Void
    /// Whether titles can be drawn; nil until the first one is.
    private var isUsable: Bool?
    private var drawn: [ObjectIdentifier: [UInt32]] = [:]
    private var bytes = 0

    init(onFailure: @escaping (String) -> Void) { self.onFailure = onFailure }

    /// Premultiplied ARGB; nil if the title cannot be drawn.
    func pixels(of title: TitleImage) -> [UInt32]? {
        if let known = drawn[ObjectIdentifier(title)] { return known }
        guard load(), let pixels = draw(title) else { return nil }
        if bytes + pixels.count * 4 > Self.mostBytes {
            drawn.removeAll()
            bytes = 0
        }
        drawn[ObjectIdentifier(title)] = pixels
        bytes += pixels.count * 4
        return pixels
    }

    /// Called when the title ends.
    func forget(_ title: TitleImage) {
        guard let pixels = drawn.removeValue(forKey: ObjectIdentifier(title)) else { return }
        bytes -= pixels.count * 4
    }

    private func load() -> Bool {
        if let isUsable { return isUsable }
        let reason = unsafe cairo_runtime_load(library)
        isUsable = unsafe reason == nil
        if let reason = unsafe reason {
            onFailure(unsafe String(cString: reason))
            return false
        }
        if let data = ExecutableFile.dataFolder { unsafe cairo_runtime_add_fonts(data + "/fonts") }
        return true
    }

    private func draw(_ title: TitleImage) -> [UInt32]? {
        var pixels = [UInt32](repeating: 0, count: title.width * title.height)
        let isDrawn = unsafe pixels.withUnsafeMutableBytes { bytes in
            let canvas = unsafe cairo_runtime_begin(
                bytes.baseAddress, Int32(title.width), Int32(title.height), Int32(title.stride),
                Self.fontSize * title.scale)
            let text = Self.cut(title.text, to: Double(title.width)) { unsafe cairo_runtime_width(canvas, $0) }
            unsafe cairo_runtime_show(canvas, text, Double(title.height), BarColor.ink)
            return unsafe cairo_runtime_end(canvas)
        }
        return isDrawn ? pixels : nil
    }

    /// The longest beginning of a text that fits, with an ellipsis unless it is all of it.
    /// - Parameter measure: the width of a text.
    package static func cut(_ text: String, to width: Double, measure: (String) -> Double) -> String {
        // A line break or another control character would be drawn as a box.
        let line = String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0 == "\u{7f}" ? " " : $0 }))
        let characters = Array(line.prefix(mostCharacters))
        if characters.count == line.count, measure(line) <= width { return line }
        func beginning(_ count: Int) -> String { String(characters.prefix(count)) + "…" }
        var (fits, tooLong) = (0, characters.count + 1)
        while tooLong - fits > 1 {
            let middle = (fits + tooLong) / 2
            if measure(beginning(middle)) <= width { fits = middle } else { tooLong = middle }
        }
        return measure(beginning(fits)) <= width ? beginning(fits) : ""
    }
}
