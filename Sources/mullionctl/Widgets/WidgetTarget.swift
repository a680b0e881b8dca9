// Makes a widget ready for input: in view, still, and not covered.

import ControlProtocol
import JSON5
import MullionClient
import MullionControl
import MullionSystem

/// A point of a widget that input can be sent to.
struct WidgetTarget {
    let widget: Widget
    private let window: WindowPlace
    /// In the window's points.
    private let point: Point
    /// The id of the window there: the widget's, or a menu of its own.
    private let hit: UInt32?
    /// Where it is on the screen, for messages.
    private let place: String

    /// Waits until the query means one widget that is enabled, in view, still, and not covered at its middle.
    static func find(_ search: WidgetSearch, _ client: ControlClient) throws(CommandError) -> WidgetTarget {
        var last: Widget?
        var scroller = WidgetScroller(search, client)
        // One look tells where it is, the next one that it stays there.
        return try search.wait(leastLooks: 2) { (matches) throws(CommandError) -> WidgetSearch.Attempt<WidgetTarget> in
            let widget: Widget
            switch WidgetSearch.single(matches, search) {
            case .success(let found): widget = found
            case .failure(let why): return .failure(why)
            }
            defer { last = widget }
            let name = widget.text
            guard widget.isEnabled else { return .failure("\(name) is disabled") }
            guard let window = widget.window else { return .failure("\(name) is in no window of the server") }
            guard window.screen != nil, window.isVisible else {
                return .failure("\(name) is in \(window.text), which is not visible")
            }
            guard widget.isVisible else { return .failure("\(name) is hidden") }
            guard widget.isShowing, let part = widget.part else {
                try scroller.bringIntoView(widget)
                guard !widget.isBeyondScreen else {
                    return .failure("\(name) lies outside the screen \(window.screenText)")
                }
                return .failure("\(name) is out of view and cannot be scrolled into it")
            }
            guard let last, last.id == widget.id, last.part == part, last.window?.frame == window.frame else {
                return .failure("\(name) does not stand still")
            }
            let answer = try client.send(
                .getHit(window: UInt32(window.id), x: part.center.x, y: part.center.y))
            let place = "\(answer.point.text) of \(answer.screenName.printable())"
            search.place = (answer.screenName, Point(x: answer.point.x, y: answer.point.y))
            var cover = try cover(of: widget, window, answer, client)
            if cover == nil { cover = try WidgetCover.cover(of: widget, at: part.center, search)?.text }
            if let cover { return .failure("\(name) is covered at \(place) by \(cover)") }
            search.place = nil
            return .success(
                WidgetTarget(
                    widget: widget, window: window, point: part.center, hit: answer.hit?.window, place: place)
            )
        }
    }

    /// An event at the point.
    func event(_ type: String) -> [String: JSON] { Self.event(type, window, point) }

    /// Makes sure that an event has reached the widget's window: another one may have opened in front of it meanwhile.
    /// - Parameter answer: the explanation of the event (H3).
    func check(_ answer: API.InputReport) throws(CommandError) {
        guard let other = answer.hit, other.window != hit else { return }
        throw .refused(
            "\(widget.text) is covered at \(place) by \(Self.window(other)), which opened just before the "
                + "\(answer.type.rawValue) and received it")
    }

    /// Gives the widget the keyboard, by a click, unless it has it.
    /// - Parameters:
    ///   - seat: a seat's name; nil: the first one.
    ///   - send: injects an event, and returns the explanation.
    func focus(
        _ search: WidgetSearch, seat: JSON?, _ send: ([String: JSON]) throws(CommandError) -> API.InputReport
    ) throws(CommandError) {
        // A click would move the caret of a text that has the keyboard already.
        guard !widget.states.contains("focused") || widget.window?.isKey != true else { return }
        var click = event("click")
        click["seat"] = seat
        try check(send(click))
        // Keys go nowhere until its window is key.
        try search.wait { (matches) throws(CommandError) -> WidgetSearch.Attempt<Void> in
            switch WidgetSearch.single(matches, search) {
            case .failure(let why): .failure(why)
            case .success(let widget):
                widget.window?.isKey == true
                    ? .success(()) : .failure("\(widget.text) was clicked, but its window is not the key window")
            }
        }
    }

    /// The roles of what menus and lists consist of.
    private static let choices = ["menuitem", "menuitemcheckbox", "menuitemradio", "listitem"]

    /// - Parameter answer: what a click there would hit.
    /// - Returns: who is there instead of the widget; nil when it is the widget's surface (H3).
    private static func cover(
        of widget: Widget, _ window: WindowPlace, _ answer: API.HitTest, _ client: ControlClient
    ) throws(CommandError) -> String? {
        guard let hit = answer.hit else {
            let passed = answer.candidates.map { candidate in
                "window \(candidate.window.map { "\($0)" } ?? ""): \(candidate.reason?.rawValue ?? "")"
            }
            return "nobody (\(([answer.reason?.rawValue].compactMap(\.self) + passed).joined(separator: ", ")))"
        }
        guard hit.window == UInt32(window.id) else {
            if try isPopup(hit.window, of: window, with: widget, client) { return nil }
            return Self.window(hit)
        }
        // Pop-ups are in front of the window's own content.
        let surface = window.surfaces.first { $0.id == hit.surface }
        guard let surface, surface.isPopup, widget.popup == nil else { return nil }
        // Chromium describes the choices of a list where they pop up, but as parts of the page.
        if choices.contains(widget.role), let frame = widget.frame,
            surface.frame.insetBy(x: -2, y: -2).contains(frame)
        {
            return nil
        }
        return "a pop-up of the same window"
    }

    /// "window 2 "Alert"".
    private static func window(_ hit: API.Hit) -> String {
        let title = hit.title?.printable() ?? ""
        return "window \(hit.window)" + (title.isEmpty ? "" : " \"\(title)\"")
    }

    /// Whether a window is the menu or list of an X11 program that a widget is in: those are windows of their own.
    private static func isPopup(
        _ id: UInt32, of window: WindowPlace, with widget: Widget, _ client: ControlClient
    ) throws(CommandError) -> Bool {
        guard choices.contains(widget.role), let part = widget.part,
            let other = try WindowPlace.all(client).first(where: { UInt32($0.id) == id }),
            other.application == window.application, other.screen == window.screen
        else { return false }
        let place = part.offsetBy(x: window.frame.minX, y: window.frame.minY)
        return other.frame.insetBy(x: -2, y: -2).contains(place)
    }

    /// An event at a point of a window.
    static func event(_ type: String, _ window: WindowPlace, _ point: Point) -> [String: JSON] {
        [
            "type": .string(type), "window": .number(Double(window.id)), "x": .number(point.x),
            "y": .number(point.y),
        ]
    }
}
