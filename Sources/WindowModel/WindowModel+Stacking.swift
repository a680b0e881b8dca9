// Levels, the order of windows within a level, and windows that have parents (W2, W3).

extension WindowModel {
    /// W2, W3: a different level also brings the window to its front; the same level changes nothing.
    public func setLevel(_ level: Double, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        try Self.validate(level: level)
        guard level != window.value.level else { return }
        window.value.level = level
        record(.level, of: window)
        enterFront(window)
    }

    static func validate(level: Double) throws(ModelError) {
        guard Window.Level.isValid(level) else { throw .invalid(.w2, Window.Level.mistake(level)) }
    }

    /// W3: brings a window to the front of its level without changing key. Its parent comes with it, and so do the
    /// parent's other children, behind it.
    public func bringToFront(_ id: Window.ID) throws(ModelError) {
        enterFront(try node(id))
    }

    /// W3: the maximum number of windows with the same topmost ancestor, because all of them enter the front together.
    public static let maximumFamily = 64

    /// W3: makes a window the child of another, which it is in front of from now on; nil: of none. A window that is
    /// behind its new parent, or on a lower level, is put in front of it, and of what came to the front with it, but of
    /// nothing else. Throws W3 if the parent is the window itself or one of its descendants, or if more than
    /// `maximumFamily` windows would belong together.
    public func setParent(_ parent: Window.ID?, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        guard let parent else { return setParent(nil, of: window) }
        let new = try node(parent)
        guard !window.isSelfOrAncestor(of: new) else {
            let which = new === window ? "the window itself" : "one of its descendants"
            throw .notAllowed(.w3, "the parent of window \(id) cannot be \(which)")
        }
        let (family, subtree) = (new.family, window.subtree)
        guard
            window.parent === new || family.contains(where: { $0 === window })
                || family.count + subtree.count <= Self.maximumFamily
        else {
            throw .notAllowed(
                .w3, "limit reached: a family has at most \(Self.maximumFamily) windows, the topmost parent included")
        }
        setParent(new, of: window)
    }

    /// W3: gives a window's children to its parent, and takes it from that: it has no parent and no children any more.
    public func leaveFamily(_ id: Window.ID) throws(ModelError) {
        leaveFamily(try node(id))
    }

    func leaveFamily(_ window: WindowNode) {
        let parent = window.parent
        for child in window.children.sortedBackToFront() { setParent(parent, of: child) }
        setParent(nil, of: window)
    }

    private func setParent(_ parent: WindowNode?, of window: WindowNode) {
        guard parent !== window.parent else { return }
        let subtree = window.subtree
        window.link(to: parent)
        window.followsParent = parent.map { $0.screen == nil } ?? false
        // Usually all are at one level: a window that ends has its children stay where they are.
        guard window.stackingLevel != window.currentStackingLevel || !window.isInFrontOfParent else { return }
        restack(subtree) { window in
            let old = window.stackingLevel
            window.updateStackingLevel()
            guard let parent = window.parent, window.stackingLevel == parent.stackingLevel else { return }
            // It is where it would be if it had been a child already when its parent entered.
            if window.stackingLevel != old || !window.isInFrontOfParent {
                window.entry = self.nextEntry(at: parent.entry.time)
                self.record(.orderDidChange(window.id, window.value.application))
            }
        }
    }

    /// W3: puts a window in front of all others of its level, with its family.
    func enterFront(_ window: WindowNode) {
        enterFront(window.family)
    }

    /// W3: has the order of calling `enterFront` for each of these windows of one family, parents before their children.
    func enterFront(oneByOne windows: [WindowNode]) {
        guard windows.count > 1, let family = windows.first?.ancestors.last?.subtree else {
            if let window = windows.first { enterFront(window) }
            return
        }
        // Each takes its descendants along, so the last of a window and its ancestors to enter decides.
        var turns: [Window.ID: Int] = [:]
        for (turn, window) in windows.enumerated() { turns[window.id] = turn }
        for window in family where turns[window.id] == nil {
            turns[window.id] = window.parent.flatMap { turns[$0.id] } ?? -1
        }
        let order = family.enumerated().sorted { a, b in
            (turns[a.element.id] ?? -1, a.offset) < (turns[b.element.id] ?? -1, b.offset)
        }
        enterFront(order.map(\.element))
    }

    /// W3: has windows enter the front together, in this order, parents before their children.
    private func enterFront(_ windows: [WindowNode]) {
        let last = areLastToEnter(windows) ? windows.first?.entry.number : nil
        var time: UInt64?
        restack(windows) { window in
            if let last {
                window.entry.time = last
            } else {
                window.entry = self.nextEntry(at: time)
                time = window.entry.time
                self.record(.cameToFront(window.id, window.value.application))
            }
            window.updateStackingLevel()
        }
    }

    /// W3: takes windows out of their screens' orders, updates the places of all of them, parents before their children,
    /// and puts them in again.
    private func restack(_ windows: [WindowNode], _ update: (WindowNode) -> Void) {
        let shown = windows.map { $0.value.isVisible && $0.screen?.remove($0) == true }
        for (window, isShown) in zip(windows, shown) {
            update(window)
            guard isShown, let screen = window.screen else { continue }
            screen.insert(window)
            markBox(window)
            changed(screen)
        }
        holdersTakeKey()
    }

    /// Whether these windows entered in this order, and no other has since.
    private func areLastToEnter(_ windows: [WindowNode]) -> Bool {
        guard let first = windows.first?.entry.number else { return true }
        return first + UInt64(windows.count) == counts.entries + 1
            && zip(first..., windows).allSatisfy { $1.entry.number == $0 && $1.entry.time >= first }
    }
}
