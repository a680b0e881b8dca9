// Scrolls widgets into view: by their program, or with the wheel.

import MullionClient
import MullionControl

/// Brings a widget into view, in as many steps as it takes.
struct WidgetScroller {
    /// The points that a step of a wheel stands for.
    private static let step = 15.0
    /// After so many fruitless steps the end is reached.
    private static let patience = 4
    /// How many widgets are watched for a change.
    private static let watched = 2000

    private let search: WidgetSearch
    private let client: ControlClient
    private var hasAsked = false
    /// 1: down or to the right.
    private var direction = 1.0
    private var turns = 0
    private var fruitless = 0
    /// What was in view before the last step.
    private var before: [Bool] = []

    init(_ search: WidgetSearch, _ client: ControlClient) { (self.search, self.client) = (search, client) }

    /// Scrolls once towards the widget.
    mutating func bringIntoView(_ widget: Widget) throws(CommandError) {
        if !hasAsked {
            hasAsked = true
            if try search.widgets.scroll(to: widget, until: search.deadline) { return }
        }
        let area = sequence(first: widget) { $0.parent }.dropFirst().first {
            $0.accessible.role.scrolls && $0.isShowing
        }
        guard let area, let part = area.part, let window = widget.window, window.screen != nil else { return }
        var (x, y) = (0.0, direction)
        if let frame = widget.frame {
            (x, y) = (
                Self.steps(frame.center.x, part.minX, part.maxX), Self.steps(frame.center.y, part.minY, part.maxY)
            )
        } else {
            // GTK 3 does not say where: all the way down, then up.
            turnAtEnd(area)
            y = direction * 3
        }
        guard turns < 2, x != 0 || y != 0 else { return }
        var event = WidgetTarget.event("scroll", window, part.center)
        event["source"] = .string("wheel")
        // Steps are counted in parts of 120, as wheels with a high resolution do.
        event["deltaX"] = .number(x * Self.step)
        event["deltaY"] = .number(y * Self.step)
        event["stepsX"] = .number(x * 120)
        event["stepsY"] = .number(y * 120)
        try Injection.sendAnywhere(event, client)
    }

    /// How many steps lead towards a place: fewer than needed, as those of programs differ.
    private static func steps(_ place: Double, _ start: Double, _ end: Double) -> Double {
        guard place < start || place > end else { return 0 }
        let distance = place - (start + end) / 2
        let count = (abs(distance) / (4 * step)).rounded(.up)
        return (distance < 0 ? -1 : 1) * min(count, 10)
    }

    /// Changes the direction when nothing moves any more.
    private mutating func turnAtEnd(_ area: Widget) {
        let now = area.all.prefix(Self.watched).map { $0.accessible.states.contains(.showing) }
        fruitless = now == before ? fruitless + 1 : 0
        before = now
        guard fruitless >= Self.patience else { return }
        direction = -direction
        turns += 1
        fruitless = 0
    }
}
