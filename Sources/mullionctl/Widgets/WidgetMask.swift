// Masks of mullionctl compare that are widgets.

import ControlProtocol
import MullionClient
import MullionControl

/// The widgets of `--mask role=…,name=…`.
struct WidgetMask {
    /// How long programs may take to describe what a mask covers, in seconds.
    private static let patience = 10.0
    /// The largest coordinate of a picture.
    private static let limit = 16384.0

    private let query: WidgetQuery

    /// - Returns: nil for another area.
    init?(_ text: String) throws(CommandError) {
        let (key, value) = Values.pair(text)
        guard value != nil, key.allSatisfy(\.isLetter) else { return nil }
        var query = WidgetQuery()
        for word in Self.words(text) {
            let (key, value) = Values.pair(word)
            try query.add(key, value ?? "")
        }
        self.query = query
    }

    /// Splits at the commas that a key follows: names and lists of states contain others.
    private static func words(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).reduce(into: []) { words, part in
            if words.isEmpty || WidgetQuery.isPart(String(part)) {
                words.append(String(part))
            } else {
                words[words.count - 1] += ",\(part)"
            }
        }
    }

    /// The visible parts of the widgets in a picture, as areas in its pixels: all that they touch.
    /// - Throws: `refused` when no widget matches, or some may be left out; none of them has to be in view.
    func areas(in choice: PictureChoice, _ client: ControlClient) throws(CommandError) -> [String] {
        var query = query
        if let window = choice.window, !query.hasWindow { try query.add("window", window) }
        let search = try WidgetSearch(client, query, seconds: Self.patience)
        let matches = try search.matches().filter { widget in
            choice.window == nil || choice.window == widget.window.map { String($0.id) }
        }
        search.remark()
        guard !search.mayLackSome else {
            throw .refused("the mask \(query.text) may not cover all that it should: \(WidgetSearch.lack)")
        }
        guard !matches.isEmpty else {
            search.note(search.missing)
            throw .refused(search.missing)
        }
        let picture = try PicturePlace(choice, client)
        return matches.compactMap { widget in
            // The picture of a window shows what is outside the screen, too.
            guard widget.isShowing || widget.isBeyondScreen, let part = widget.partInWindow, let window = widget.window,
                let transform = picture.transform(of: window)
            else { return nil }
            return Self.area(part, transform)
        }
    }

    /// - Parameter transform: a, b, c, d, tx and ty of the transform to pixels.
    /// - Returns: nil when nothing of it is in the picture.
    private static func area(_ part: Rect, _ transform: [Double]) -> String? {
        let corners = [part.minX, part.maxX].flatMap { x in [part.minY, part.maxY].map { y in (x, y) } }
        func range(_ a: Double, _ c: Double, _ t: Double) -> (start: Int, length: Int)? {
            let places = corners.map { min(max(a * $0.0 + c * $0.1 + t, 0), limit) }
            guard let first = places.min(), let last = places.max(), first < last else { return nil }
            let start = Int(first.rounded(.down))
            return (start, Int(last.rounded(.up)) - start)
        }
        guard let x = range(transform[0], transform[2], transform[4]),
            let y = range(transform[1], transform[3], transform[5])
        else { return nil }
        return "\(x.start),\(y.start),\(x.length),\(y.length)"
    }
}

/// Where windows are in a picture that is compared.
private struct PicturePlace {
    private let choice: PictureChoice
    /// The state of the moment; nil for the picture of a window.
    private var capture: API.Capture?
    /// The name of the only screen; nil: all.
    private var screen: String?

    init(_ choice: PictureChoice, _ client: ControlClient) throws(CommandError) {
        self.choice = choice
        guard choice.window == nil else { return }
        let capture = try client.send(choice.capture)
        self.capture = capture
        guard let name = choice.screen else { return }
        screen = capture.screens.first { $0.name == name || $0.id.map { "\($0)" } == name }?.name ?? name
    }

    /// From points of the window to pixels; nil when it is not in the picture.
    func transform(of window: WindowPlace) -> [Double]? {
        // The picture of a window is upright, and has the scale of its screen.
        if choice.window != nil { return [window.scale, 0, 0, window.scale, 0, 0] }
        guard screen == nil || window.screen == screen else { return nil }
        let numbers = capture?.windows.first { Int($0.id) == window.id }?.toPixels
        return numbers?.count == 6 ? numbers : nil
    }
}
