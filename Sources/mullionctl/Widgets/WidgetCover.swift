// Widgets in front of others in the same window.

import Accessibility
import MullionClient
import MullionControl

/// Finds out from programs what covers their widgets.
enum WidgetCover {
    /// The widget that is in front of another one at a point of their window; nil when there is none, or it is not known.
    ///
    /// Only GTK 4 is asked, which answers with what it would send a click to. Other toolkits go through their widgets
    /// without regard to which is in front (Qt), or answer with a container (GTK 3).
    static func cover(of widget: Widget, at point: Point, _ search: WidgetSearch) throws(CommandError) -> Widget? {
        guard widget.application.toolkit == "GTK", widget.popup == nil, let root = widget.ancestors.last else {
            return nil
        }
        guard let id = try search.widgets.object(at: point, in: widget, until: search.limit),
            let front = root.all.first(where: { $0.accessible.id == id })
        else { return nil }
        // What is in it is a part of it, and what it is in lies behind it.
        let isRelated = front === widget || front.ancestors.contains { $0 === widget }
        guard !isRelated, !widget.ancestors.contains(where: { $0 === front }) else { return nil }
        return named(front)
    }

    /// The button rather than the label in it.
    private static func named(_ front: Widget) -> Widget {
        guard front.role == "label", let parent = front.parent, parent.name == front.name else { return front }
        return parent
    }
}
