// The model's internal record of a window: its public value and derived state.

import MullionGeometry

final class WindowNode {
    var value: Window
    /// Whether no frame was set yet: the window takes the bounds of its first screen (S2).
    var takesBounds = false
    var root: UInt32 = SurfaceTree.none
    let application: ApplicationNode
    /// The connected screen it is on.
    var screen: ScreenNode?
    /// W3: its place among the windows of its level; unique, greater is further in front.
    var entry: Entry
    /// W3: the window that it is always in front of, and those that are always in front of it, in no special order.
    private(set) weak var parent: WindowNode?
    private(set) var children: [WindowNode] = []
    /// W3, S8: whether its parent waited for a screen when it became that: it goes there too when that screen returns.
    var followsParent = false
    /// W3: its level or, if that is higher, its parent's stacking level.
    private(set) var stackingLevel: Double
    /// E8: the open tokens.
    var disablers: [UInt64] = []
    /// C3: back to front.
    var popups: [UInt32] = []
    /// The position of the root surface in the window.
    var rootOffset = Point.zero
    /// K2, K8: the number of its latest request to become key, made while invisible, or while it could not be key; also
    /// set when key is taken from it by force.
    var keyRequest: UInt64?
    /// Whether the root surface has content (V1).
    var rootHasContent = false
    /// Whether it is in the model's list of boxes to recompute.
    var boxIsStale = false
    /// Whether its appearance is watched, on a screen or not.
    var isWatched = false

    /// The window's points on its screen (S4). Computed whenever it is needed: most windows never receive an event.
    var placement: Placement {
        let own = Placement(frame: value.frame, transform: value.transform)
        // R3: the window rotates with the panel.
        guard isFixed, let screen else { return own }
        return own.placed(in: screen.value.fixedPlacement)
    }
    /// From the window's points to the screen's, and back unless degenerate (H1).
    var toScreen: AffineTransform { placement.toOuter }
    var fromScreen: AffineTransform? { placement.fromOuter }

    init(_ value: Window, application: ApplicationNode, entry: Entry) {
        self.value = value
        self.application = application
        self.entry = entry
        stackingLevel = value.level
    }

    var id: Window.ID { value.id }

    /// W3: when a window entered the front of its level.
    struct Entry: Hashable, Codable, Comparable {
        /// The same for all windows that entered together, and for those that were put in front of one of them since.
        var time: UInt64
        /// Unique.
        var number: UInt64

        static func < (a: Entry, b: Entry) -> Bool { (a.time, a.number) < (b.time, b.number) }
    }

    /// V1 apart from the screen: not hidden and, where required, with content.
    var wantsVisible: Bool { !value.isHidden && (!value.needsContent || rootHasContent) }

    /// R3.
    var isFixed: Bool { application.value.rotationPolicy == .fixed }

    /// The coordinate space of its frame on a screen: the bounds, or (R3) the fixed ones.
    func space(on screen: ScreenNode) -> Rect { application.space(on: screen) }

    /// Whether `self` is drawn after `other` on one screen (W3).
    func isInFront(of other: WindowNode) -> Bool {
        (stackingLevel, entry) > (other.stackingLevel, other.entry)
    }

    // MARK: Parent and children (W3)

    /// Sets the parent, which must not be the window itself or one of its descendants. The stacking levels are
    /// unchanged.
    func link(to new: WindowNode?) {
        guard new !== parent else { return }
        parent?.children.removeAll { $0 === self }
        parent = new
        followsParent = false
        value.parent = new?.id
        new?.children.append(self)
    }

    /// Whether it has no parent or is in front of it.
    var isInFrontOfParent: Bool { parent.map(isInFront) ?? true }

    /// What the stacking level is now, according to the parent's.
    var currentStackingLevel: Double { parent.map { max(value.level, $0.stackingLevel) } ?? value.level }

    /// Sets the stacking level; the parent's must be up to date.
    func updateStackingLevel() { stackingLevel = currentStackingLevel }

    /// Whether this is the window or one of its ancestors.
    func isSelfOrAncestor(of window: WindowNode) -> Bool {
        var next: WindowNode? = window
        while let current = next {
            if current === self { return true }
            next = current.parent
        }
        return false
    }

    /// K2: whether the other window is of the same program: of its application, of another connection of its process, or
    /// of its family, which may include windows of several programs.
    func isOfProgram(of other: WindowNode) -> Bool {
        if application === other.application { return true }
        if let process = application.value.process, process == other.application.value.process { return true }
        return ancestors.last === other.ancestors.last
    }

    /// The window, its parent, its parent's parent and so on.
    var ancestors: [WindowNode] {
        var found = [self]
        while let parent = found[found.count - 1].parent { found.append(parent) }
        return found
    }

    /// The window and its descendants, back to front, so that parents come before their children.
    var subtree: [WindowNode] {
        guard !children.isEmpty else { return [self] }
        var found = [self]
        var index = 0
        while index < found.count {
            found += found[index].children
            index += 1
        }
        return found.sortedBackToFront()
    }

    /// All windows that enter the front together with this one: everything that has the same topmost ancestor, back to
    /// front, except that the window and its descendants come last.
    var family: [WindowNode] {
        guard parent != nil || !children.isEmpty else { return [self] }
        guard let top = ancestors.last, top !== self else { return subtree }
        let own = subtree
        let ids = Set(own.map(\.id))
        return top.subtree.filter { !ids.contains($0.id) } + own
    }
}

extension Sequence where Element == WindowNode {
    /// W3: level ascending, then in order of entering the level.
    func sortedBackToFront() -> [WindowNode] { sorted { $1.isInFront(of: $0) } }
}
