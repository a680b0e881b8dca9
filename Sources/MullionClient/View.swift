// A view: a sub-surface with its own picture and input region.

import Geometry
import Wayland

/// A piece of content inside a window or another view (C1). It is shown once it has a picture and a superview in a
/// visible window. A window cannot be put inside a window (W5), so `Window` is not a `View`.
public final class View: Surface {
    private var role: Proxy<WlSubsurface>?
    /// The window or view that contains it.
    public private(set) weak var superview: Surface?
    /// The top left corner in its superview, rounded to whole points.
    public var position: Point = .zero {
        didSet {
            position = Point(x: Double(wholePoints(position.x)), y: Double(wholePoints(position.y)))
            sendPosition()
        }
    }

    /// Creates a view without a picture or superview.
    public init(_ application: Application) { super.init(application, application.createSurface()) }

    // An unreachable view is destroyed on the server too.
    deinit {
        guard !isClosed else { return }
        role?.send(.destroy)
        proxy.send(.destroy)
        application.surfaces[proxy.id] = nil
    }

    /// The window that contains the view.
    public override var window: Window? { superview?.window }
    override var container: Surface? { superview }

    /// The top left corner in the window's points.
    public var positionInWindow: Point {
        var sum = position
        var ancestor = superview as? View
        while let view = ancestor {
            sum = sum + view.position
            ancestor = view.superview as? View
        }
        return sum
    }

    /// Removes the view from its superview; it may be added again anywhere. Takes effect immediately.
    public func removeFromSuperview() {
        guard let superview else { return }
        superview.subviews.removeAll { $0 === self }
        superview.setNeedsCommit()
        self.superview = nil
        role?.send(.destroy)
        role = nil
    }

    /// Removes and destroys the view, with everything inside.
    public func close() {
        removeFromSuperview()
        destroySurface()
    }

    override func destroySurface() {
        guard !isClosed else { return }
        role?.send(.destroy)
        role = nil
        superview = nil
        super.destroySurface()
    }

    func enter(_ parent: Surface) {
        superview = parent
        let factory = application.globals.subcompositor
        let role = Proxy<WlSubsurface>(application.connection, version: factory.version)
        factory.send(.getSubsurface(id: role.id, surface: proxy.id, parent: parent.proxy.id))
        self.role = role
        sendPosition()
        setNeedsCommit()
    }

    func place(above sibling: Surface) {
        role?.send(.placeAbove(sibling: sibling.proxy.id))
        superview?.setNeedsCommit()
    }

    func place(below sibling: Surface) {
        role?.send(.placeBelow(sibling: sibling.proxy.id))
        superview?.setNeedsCommit()
    }

    // The position is part of the parent's state and takes effect at the parent's commit.
    private func sendPosition() {
        role?.send(.setPosition(x: wholePoints(position.x), y: wholePoints(position.y)))
        superview?.setNeedsCommit()
    }
}

extension Surface {
    /// Puts the view in front of all others (C1), removing it from its current superview.
    public func addSubview(_ view: View) { insertSubview(view, at: Int.max) }

    /// Inserts the view at this index of `subviews`, counted from the back (C1) and clamped.
    ///
    /// Does nothing for a view put inside itself, inside a closed surface, or inside one of another application.
    public func insertSubview(_ view: View, at index: Int) {
        guard accepts(view) else { return }
        view.removeFromSuperview()
        let index = min(max(index, 0), subviews.count)
        view.enter(self)
        // A new sub-surface is initially in front of its siblings.
        if index < subviews.count { view.place(below: subviews[index]) }
        subviews.insert(view, at: index)
    }

    /// Puts the view directly in front of its sibling (C1), or in front of all others if that is not a sibling.
    public func insertSubview(_ view: View, above sibling: View) {
        guard view !== sibling, accepts(view) else { return }
        view.removeFromSuperview()
        insertSubview(view, at: subviews.firstIndex { $0 === sibling }.map { $0 + 1 } ?? Int.max)
    }

    /// Puts the view directly behind its sibling (C1), or behind all others if that is not a sibling.
    public func insertSubview(_ view: View, below sibling: View) {
        guard view !== sibling, accepts(view) else { return }
        view.removeFromSuperview()
        insertSubview(view, at: subviews.firstIndex { $0 === sibling } ?? 0)
    }

    private func accepts(_ view: View) -> Bool {
        guard !isClosed, !view.isClosed, view.application === application else { return false }
        var ancestor: Surface? = self
        while let surface = ancestor {
            if surface === view { return false }
            ancestor = surface.container
        }
        return true
    }
}
