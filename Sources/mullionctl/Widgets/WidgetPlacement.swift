// Computes where widgets are in their windows, and whether they can be seen.

import Accessibility
import MullionClient

/// Builds the widgets of one window of a program, from the window down.
struct WidgetPlacement {
    private let application: AccessibleApplication
    /// Nil for a window that the server does not have.
    private let join: WidgetJoin?
    /// The difference between a place on the screen and one in the window, for the toplevel.
    private let shift: Point?

    /// What an object passes on to those below.
    private struct Context {
        var join: WidgetJoin?
        var popup: WindowPlace.Surface?
        /// What can be seen, in the window's points.
        var clip: Rect
        /// Whether something scrolls, and is in view itself.
        var isScrolled = false
        var isHidden = false
    }

    init(_ application: AccessibleApplication, _ toplevel: Accessible, _ join: WidgetJoin?) {
        (self.application, self.join) = (application, join)
        shift = toplevel.details.flatMap(Self.shift)
    }

    /// The tree of widgets below an object. Places are known of those whose details were read.
    func tree(_ toplevel: Accessible) -> Widget {
        let bounds = join?.popup?.frame ?? join?.window.bounds ?? .zero
        let root = Widget(toplevel, application, join?.window, parent: nil)
        var rest = [(widget: root, context: Context(join: join, popup: join?.popup, clip: bounds))]
        while let (widget, old) = rest.popLast() {
            let context = place(widget, old, isToplevel: widget === root)
            for child in widget.accessible.children {
                let next = Widget(child, application, join?.window, parent: widget)
                widget.append(next)
                rest.append((next, context))
            }
        }
        return root
    }

    /// Sets the widget's place.
    /// - Returns: the context of its children.
    private func place(_ widget: Widget, _ old: Context, isToplevel: Bool) -> Context {
        var context = old
        let object = widget.accessible
        if let extents = object.details?.onScreen, let join = context.join {
            if !isToplevel, let popup = popup(object, extents, join, within: old) {
                context.popup = popup
                context.clip = popup.frame
                if application.toolkit == "GTK", object.isPopover {
                    context.join?.corner = corner(of: object, extents, join, in: popup)
                }
            }
            if isPageInPixels(object, extents, join) { context.join?.scale = join.window.scale }
            widget.frame = context.join?.frame(extents)
            if let (surface, frame) = inOwnSurface(object, join) {
                context.popup = surface.isPopup ? surface : nil
                widget.frame = frame
                context.clip = surface.frame
            }
            widget.partInWindow = widget.frame.map { $0.intersection(context.clip) }
        }
        widget.popup = context.popup
        see(widget, &context)
        // An object without a place shows nothing of what it would scroll. But GTK 3 leaves out the place of what has
        // its corner out of view.
        if object.role.clips, object.details != nil, !isScrolledByGTK(object) {
            context.clip = widget.partInWindow ?? .zero
        }
        return context
    }

    /// Decides whether a widget can be seen.
    private func see(_ widget: Widget, _ context: inout Context) {
        let states = widget.accessible.states
        // GTK 4.8 says of windows only that they are showing.
        let isShown = application.toolkit == "GTK" || states.contains(.showing)
        // Qt says of cells out of view that they are not visible.
        let isCell = context.isScrolled && states.contains(.transient) && widget.frame != nil
        if !states.contains(.visible), !isCell { context.isHidden = true }
        // Programs do not know whether the server shows their windows.
        let isInWindow = widget.window?.isVisible == true
        widget.isVisible = isInWindow && !context.isHidden && (isShown || context.isScrolled)
        widget.part = widget.partInWindow.map { part in widget.window?.area.map(part.intersection) ?? part }
        let isInView = widget.isVisible && isShown && widget.partInWindow?.isEmpty == false
        widget.isShowing = isInView && widget.part?.isEmpty == false
        widget.isBeyondScreen = isInView && !widget.isShowing
        if widget.accessible.role.popsUp { context.isScrolled = false }
        if widget.accessible.role.scrolls {
            context.isScrolled = isInView || context.isScrolled && isScrolledByGTK(widget.accessible)
        }
    }

    private func isScrolledByGTK(_ object: Accessible) -> Bool {
        application.toolkit == "gtk" && object.role.scrolls && object.details?.onScreen == nil
    }

    /// The pop-up that an object fills.
    private func popup(
        _ object: Accessible, _ extents: Accessible.Extents, _ join: WidgetJoin, within context: Context
    ) -> WindowPlace.Surface? {
        let frame = join.frame(extents)
        return join.window.popups.first { popup in
            guard popup.id != context.popup?.id else { return false }
            let sizes = [popup.frame.width - frame.width, popup.frame.height - frame.height]
            let near = [popup.frame.minX - frame.minX, popup.frame.minY - frame.minY]
            guard application.toolkit == "GTK" else { return (sizes + near).allSatisfy { abs($0) <= 8 } }
            if object.isPopover { return sizes.allSatisfy { (-1...32).contains($0) } }
            // 4.18 says exactly where it is, but may leave out the margin at its end.
            return near.allSatisfy { abs($0) <= 1 } && abs(sizes[0]) <= 1 && (-1...8).contains(sizes[1])
        }
    }

    /// Chromium counts points in its own parts of a window, and pixels in pages.
    private func isPageInPixels(_ object: Accessible, _ extents: Accessible.Extents, _ join: WidgetJoin) -> Bool {
        guard application.toolkit == "Chromium", object.role.name == "document", join.scale == 1 else { return false }
        let frame = join.frame(extents)
        let bounds = join.window.bounds
        return join.window.scale > 1 && (frame.maxX > bounds.maxX + 1 || frame.maxY > bounds.maxY + 1)
    }

    /// GTK 4 counts from the pop-up's corner, and adds the place of what the pop-up belongs to. Its margin, which the
    /// surface has around it, shows in the distance from there.
    private func corner(
        of popover: Accessible, _ extents: Accessible.Extents, _ join: WidgetJoin, in popup: WindowPlace.Surface
    ) -> Point {
        let origin = Point(x: Double(extents.x) / join.scale, y: Double(extents.y) / join.scale)
        let owner = popover.parent?.details?.onScreen ?? extents
        let distance = origin - Point(x: Double(owner.x) / join.scale, y: Double(owner.y) / join.scale)
        let frame = join.frame(extents)
        func margin(_ distance: Double, _ room: Double) -> Double {
            (0...max(0, room)).contains(distance) ? distance : max(0, room) / 2
        }
        let margins = Point(
            x: margin(distance.x, popup.frame.width - frame.width),
            y: margin(distance.y, popup.frame.height - frame.height))
        return origin - popup.frame.origin - margins
    }

    /// GTK 3 knows the place of a widget in its surface exactly, but that of a pop-up's surface only roughly.
    private func inOwnSurface(_ object: Accessible, _ join: WidgetJoin) -> (WindowPlace.Surface, Rect)? {
        guard application.toolkit == "gtk", let details = object.details, let own = Self.shift(details), let shift,
            own != shift, let place = details.inWindow
        else { return nil }
        let corner = Point(x: own.x - join.corner.x, y: own.y - join.corner.y)
        func distance(_ surface: WindowPlace.Surface) -> Double {
            abs(surface.frame.minX - corner.x) + abs(surface.frame.minY - corner.y)
        }
        let surfaces = join.window.surfaces.filter { $0.id != join.window.root?.id }
        guard let surface = surfaces.min(by: { distance($0) < distance($1) }), distance(surface) < 200 else {
            return nil
        }
        let frame = Rect(
            x: surface.frame.minX + Double(place.x), y: surface.frame.minY + Double(place.y),
            width: Double(place.width), height: Double(place.height))
        return (surface, frame)
    }

    private static func shift(_ details: Accessible.Details) -> Point? {
        guard let screen = details.onScreen, let window = details.inWindow else { return nil }
        return Point(x: Double(screen.x) - Double(window.x), y: Double(screen.y) - Double(window.y))
    }
}

extension Accessible {
    /// Whether it is one of GTK 4's pop-overs, which have no role of their own.
    fileprivate var isPopover: Bool { name.hasPrefix("GtkPopover") && name != "GtkPopoverContent" || role == .menu }
}
