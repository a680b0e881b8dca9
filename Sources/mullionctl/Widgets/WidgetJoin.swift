// Joins the windows that programs describe with those of the server.

import Accessibility
import MullionClient

/// Where a program's coordinates are in a window of the server.
///
/// Under Wayland programs do not know where their windows are. What they report as places on the screen is relative to
/// something of their own, which follows from the sizes: the window (GTK 4), its surface with the shadows (GTK 3,
/// Chromium), or its content without the decoration (Qt).
struct WidgetJoin {
    let window: WindowPlace
    /// The window's corner in the program's coordinates.
    var corner: Point
    /// The program's units in a point: some count pixels.
    var scale: Double
    /// The pop-up that all of it is in; nil for the window's own content.
    private(set) var popup: WindowPlace.Surface?

    /// A place in the window's points.
    func frame(_ extents: Accessible.Extents) -> Rect {
        Rect(
            x: Double(extents.x) / scale - corner.x, y: Double(extents.y) / scale - corner.y,
            width: Double(extents.width) / scale, height: Double(extents.height) / scale)
    }

    /// Joins by the sizes; nil when they do not fit.
    init?(_ extents: Accessible.Extents, _ window: WindowPlace) {
        self.window = window
        for scale in window.scale == 1 ? [1] : [1, window.scale] {
            let origin = Point(x: Double(extents.x) / scale, y: Double(extents.y) / scale)
            let size = Size(width: Double(extents.width) / scale, height: Double(extents.height) / scale)
            guard let inset = Self.inset(size, window) else { continue }
            (self.scale, corner) = (scale, origin - inset)
            return
        }
        return nil
    }

    /// Joins with a pop-up, which some programs describe as a window.
    private init?(popup extents: Accessible.Extents, _ windows: [WindowPlace]) {
        for window in windows {
            for popup in window.popups {
                let (width, height) = (Double(extents.width), Double(extents.height))
                guard abs(width - popup.frame.width) <= 1, abs(height - popup.frame.height) <= 1 else { continue }
                (self.window, self.popup, scale) = (window, popup, 1)
                corner = Point(x: Double(extents.x), y: Double(extents.y)) - popup.frame.origin
                return
            }
        }
        return nil
    }

    /// Joins what does not fit, when nothing else is possible.
    init(whatever extents: Accessible.Extents, _ window: WindowPlace) {
        (self.window, scale) = (window, 1)
        corner = Point(x: Double(extents.x), y: Double(extents.y))
    }

    /// Where a part of a window, known by its size only, is in the window.
    private static func inset(_ size: Size, _ window: WindowPlace) -> Point? {
        func equals(_ other: Size) -> Bool {
            abs(other.width - size.width) <= 1 && abs(other.height - size.height) <= 1
        }
        if equals(window.frame.size) { return .zero }
        if let root = window.root, equals(root.frame.size) { return root.frame.origin }
        // Qt's decoration: borders of the same width on three sides, and a title bar.
        let (width, height) = (window.frame.width - size.width, window.frame.height - size.height)
        guard (0...60).contains(width), (0...120).contains(height), height >= width else { return nil }
        return Point(x: width / 2, y: height - width / 2)
    }

    /// Joins the windows of a program with those of the server, the best pairs first.
    ///
    /// Windows that the server does not show are recognised by their titles only, where no visible one has the title.
    /// - Returns: a join for each of `toplevels`; nil where no window remains.
    static func joins(_ toplevels: [Accessible], _ windows: [WindowPlace]) -> [WidgetJoin?] {
        var joins = [WidgetJoin?](repeating: nil, count: toplevels.count)
        var left = windows.sorted { $0.id < $1.id }
        let open = toplevels.indices.filter { toplevels[$0].states.contains(.visible) }
        func take(_ index: Int, _ window: WindowPlace, _ join: WidgetJoin) {
            joins[index] = join
            left.removeAll { $0.id == window.id }
        }
        for (isVisible, mustFit) in [(true, true), (true, false), (false, true), (false, false)] {
            for index in open where joins[index] == nil {
                let titled = left.filter { $0.title == toplevels[index].name && $0.isVisible == isVisible }
                // Many windows have no title.
                if !isVisible, toplevels[index].name.isEmpty { continue }
                guard let extents = toplevels[index].details?.onScreen else { continue }
                if let join = titled.lazy.compactMap({ WidgetJoin(extents, $0) }).first {
                    take(index, join.window, join)
                } else if !mustFit, let window = titled.first {
                    take(index, window, WidgetJoin(whatever: extents, window))
                }
            }
        }
        left.removeAll { !$0.isVisible }
        for index in open where joins[index] == nil && toplevels[index].role.isWindow {
            guard let extents = toplevels[index].details?.onScreen else { continue }
            if let join = left.lazy.compactMap({ WidgetJoin(extents, $0) }).first {
                take(index, join.window, join)
            } else {
                joins[index] = WidgetJoin(popup: extents, windows)
            }
        }
        return joins
    }
}

extension AccessibleRole {
    /// Whether a program's window may have it.
    fileprivate var isWindow: Bool { ["window", "dialog", "alert", "generic"].contains(name) }
}
