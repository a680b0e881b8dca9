// The tree as text: one line per object, indented, with aligned columns.

import ControlProtocol
import DisplayServer

/// Lays out a tree as aligned text.
struct TreeText {
    private struct Line {
        var head: String
        var columns: [String]
    }
    private var lines: [Line] = []
    private let keyWindow: UInt32?

    init(_ tree: API.Tree) {
        keyWindow = tree.keyWindow
        for screen in tree.screens {
            add(
                0, "screen \(screen.id) \(screen.name)",
                [
                    "\(screen.mode) ×\(Self.number(screen.scale))", Self.text(screen.position, screen.bounds),
                    screen.main ? "main" : "",
                ])
            var level: Double?
            for window in screen.windows {
                if window.level != level { add(1, "level \(Self.level(window.level))", []) }
                level = window.level
                add(window, depth: 2)
            }
            if !screen.hidden.isEmpty { add(1, "not visible", []) }
            for window in screen.hidden { add(window, depth: 2) }
        }
        if !tree.waiting.isEmpty { add(0, "waiting for a screen", []) }
        for window in tree.waiting { add(window, depth: 1) }
        if lines.isEmpty { add(0, "no screens, no windows", []) }
    }

    var text: String {
        let heads = lines.filter { !$0.columns.isEmpty }
        let first = heads.map(\.head.count).max() ?? 0
        let count = heads.map(\.columns.count).max() ?? 0
        let widths = (0..<count).map { column in
            heads.map { column < $0.columns.count ? $0.columns[column].count : 0 }.max() ?? 0
        }
        return lines.map { line in
            guard !line.columns.isEmpty else { return line.head + "\n" }
            var text = Self.pad(line.head, first)
            for (column, value) in line.columns.enumerated() { text += "  " + Self.pad(value, widths[column]) }
            while text.hasSuffix(" ") { text.removeLast() }
            return text + "\n"
        }.joined()
    }

    private mutating func add(_ depth: Int, _ head: String, _ columns: [String]) {
        lines.append(Line(head: String(repeating: "  ", count: depth) + head, columns: columns))
    }

    private mutating func add(_ window: API.WindowBranch, depth: Int) {
        let owner = window.applicationName.isEmpty ? "application \(window.application)" : window.applicationName
        // With a single seat, its name is omitted.
        let key = window.key ? (window.id == keyWindow ? "key" : "key of \(window.keySeat ?? "")") : ""
        let marks = [key, window.alpha < 1 ? "alpha \(Self.number(window.alpha))" : ""]
        let title = window.title.isEmpty ? "" : " \"\(window.title)\""
        // Names come from clients: no control characters on a terminal.
        let name = Self.printable("window \(window.id) \(owner)\(title)")
        add(
            depth, name,
            [Self.text(window.frame), marks.filter { !$0.isEmpty }.joined(separator: ", ")])
        for surface in window.surfaces { add(surface, depth: depth + 1) }
    }

    private mutating func add(_ surface: API.Surface, depth: Int) {
        let size = surface.size.map { "\(Self.number($0.width))×\(Self.number($0.height))" } ?? "no content"
        let place = "\(Self.number(surface.position.x)),\(Self.number(surface.position.y)) \(size)"
        add(depth, "surface \(surface.id)", [place, "\(surface.role.rawValue)\(surface.below ? ", below" : "")"])
        for child in surface.children { add(child, depth: depth + 1) }
    }

    private static func text(_ position: API.Point, _ bounds: API.Rect) -> String {
        "\(number(position.x)),\(number(position.y)) \(number(bounds.width))×\(number(bounds.height))"
    }

    static func text(_ frame: API.Rect) -> String {
        "\(number(frame.x)),\(number(frame.y)) \(number(frame.width))×\(number(frame.height))"
    }

    private static func level(_ level: Double) -> String {
        switch level {
        case 0: "0 normal"
        case 1000: "1000 statusBar"
        case 2000: "2000 alert"
        default: number(level)
        }
    }

    /// With at most two decimal places, and none for whole numbers.
    static func number(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int(rounded)) : String(rounded)
    }

    static func printable(_ text: String) -> String { text.printable() }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
