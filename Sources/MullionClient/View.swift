// A view: a sub-surface with its own picture and input region.

import Geometry
import Wayland

/// A piece of content inside a window or another view (C1). It shows once it has a picture and a place inside a
/// visible window. A window cannot be put inside a window (W5): that is why `Window` is no `View`.
public final class View: Surface {
    private var role: Proxy<WlSubsurface>?
    /// What the view is inside of: a window or another view.
    public private(set) weak var superview: Surface?
    /// The top left corner in its superview, rounded to whole points.
    public var position: Point = .zero {
        didSet {
            position = Point(x: Double(wholePoints(position.x)), y: Double(wholePoints(position.y)))
            sendPosition()
        }
    }

    /// A view without a picture and without a place.
    public init(_ application: Application) { super.init(application, application.createSurface()) }

    // A view that nobody can reach any more is no use to the server either.
    deinit {
        guard !isClosed else { return }
        role?.send(.destroy)
        proxy.send(.destroy)
        application.surfaces[proxy.id] = nil
    }

    /// The window that the view is in.
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

    /// Takes the view out of its superview; it may be added again anywhere. Shows at once.
    public func removeFromSuperview() {
        guard let superview else { return }
        superview.subviews.removeAll { $0 === self }
        superview.setNeedsCommit()
        self.superview = nil
        role?.send(.destroy)
        role = nil
    }

    /// Takes the view out and ends it, with everything inside.
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

    // The place belongs to the parent's state: it shows at the parent's commit.
    private func sendPosition() {
        role?.send(.setPosition(x: wholePoints(position.x), y: wholePoints(position.y)))
        superview?.setNeedsCommit()
    }
}

extension Surface {
    /// Puts the view in front of all others (C1). A view that is inside something else leaves it first.
    public func addSubview(_ view: View) { insertSubview(view, at: Int.max) }

    /// Puts the view at this place of `subviews`, counted from the back (C1); what lies outside is clamped.
    ///
    /// A view that is put inside itself, or inside a closed surface, or one of another application, stays where it is.
    public func insertSubview(_ view: View, at index: Int) {
        guard accepts(view) else { return }
        view.removeFromSuperview()
        let index = min(max(index, 0), subviews.count)
        view.enter(self)
        // A new sub-surface is in front of its siblings already.
        if index < subviews.count { view.place(below: subviews[index]) }
        subviews.insert(view, at: index)
    }

    /// Puts the view directly in front of its sibling (C1), or in front of all others when that is no sibling.
    public func insertSubview(_ view: View, above sibling: View) {
        guard view !== sibling, accepts(view) else { return }
        view.removeFromSuperview()
        insertSubview(view, at: subviews.firstIndex { $0 === sibling }.map { $0 + 1 } ?? Int.max)
    }

    /// Puts the view directly behind its sibling (C1), or behind all others when that is no sibling.
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
