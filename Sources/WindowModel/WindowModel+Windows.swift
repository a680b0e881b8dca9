// Windows: creating, destroying, reading, and moving between screens (W1, W3, W4, W7).

import MullionGeometry

extension WindowModel {
    /// All windows in order of creation.
    public var windows: [Window.ID] { windowNodes.ids.sorted() }

    /// A window, nil once it is destroyed.
    public func window(_ id: Window.ID) -> Window? { windowNodes[id]?.value }

    /// W3: the visible windows of a screen, back to front.
    public func windows(on screen: Screen.ID) -> [Window.ID] {
        screenNode(screen)?.order.map(\.window.id) ?? []
    }

    /// V1.
    public func isVisible(_ id: Window.ID) -> Bool { windowNodes[id]?.value.isVisible ?? false }

    /// W1: creates a window, initially hidden. `screen` nil: the main screen or, without any screen (S2), the next one
    /// that appears. `awaiting` instead of a screen: the display of that identity, for which the window waits as if it
    /// had been unplugged (S8). Throws W2 and W6 for an invalid level or frame.
    public func createWindow(
        application: Application.ID, screen: Screen.ID? = nil, awaiting identity: Screen.Identity? = nil,
        options: Window.Options = Window.Options()
    ) throws(ModelError) -> Window.ID {
        let owner = try node(application)
        var place = screenNodes.first
        if let screen { place = try node(screen) }
        if let identity { place = screenNodes.first { $0.value.identity == identity } }
        try Self.validate(level: options.level)
        if let frame = options.frame { try Self.validate(frame: frame) }
        let value = Window(
            frame: options.frame ?? place.map { owner.space(on: $0) } ?? .zero, level: options.level,
            title: options.title, id: nextWindowID(), application: application, screen: place?.id,
            clipsToBounds: options.clipsToBounds, needsContent: options.needsContent, keyOnTouch: options.keyOnTouch,
            locking: options.isOfLock ? true : nil)
        let node = WindowNode(value, application: owner, entry: nextEntry())
        node.screen = place
        if place == nil { node.value.awaitedScreen = identity }
        node.takesBounds = options.frame == nil && place == nil
        windowNodes[node.id] = node
        owner.windows.append(node)
        record(.windowDidOpen(node.id, application))
        record(.cameToFront(node.id, application))
        return node.id
    }

    /// W7: hides the window, with all consequences, and destroys it. Its surfaces remain, without a window.
    public func destroyWindow(_ id: Window.ID) throws(ModelError) {
        destroy(try node(id))
    }

    func destroy(_ window: WindowNode) {
        if window.value.isVisible { hide(window) }
        leaveFamily(window)
        if window.root != SurfaceTree.none { surfaces.nodes[Int(window.root)].window = nil }
        for popup in window.popups { surfaces.nodes[Int(popup)].window = nil }
        // A disconnecting application drops them all at once.
        if !window.application.isEnding, let index = window.application.windows.firstIndex(where: { $0 === window }) {
            window.application.windows.remove(at: index)
        }
        if window.value.holdsKey { keyHolderCount -= 1 }
        windowNodes[window.id] = nil
        record(.windowDidClose(window.id, window.value.application))
    }

    /// Moves a window with its children to another screen; nil: the main screen. A window that waits for a lost screen
    /// (S8) stops waiting. It enters the front of its level there (W3).
    public func move(_ id: Window.ID, to screen: Screen.ID?) throws(ModelError) {
        let window = try node(id)
        var target = screenNodes.first
        if let screen { target = try node(screen) }
        guard let target else {
            // S2: no screen to move to yet; it takes the next one.
            window.value.awaitedScreen = nil
            return
        }
        guard target !== window.screen else { return }
        place(window, on: target)
    }

    /// Moves a window and its descendants to another connected screen.
    func place(_ window: WindowNode, on target: ScreenNode) {
        let family = window.subtree
        for member in family { member.followsParent = false }
        let members = family.filter { $0.screen !== target }
        // K5: key passes before the family is restacked, and not to one of it.
        if members.count > 1 {
            for seat in seatNodes where seat !== target.seat && members.contains(where: { $0 === seat.key }) {
                passKey(of: seat, leaving: members)
            }
        }
        // Once for all: each would restack the whole family.
        enterFront(oneByOne: members.filter(\.wantsVisible))
        for member in members { put(member, on: target) }
    }

    private func put(_ window: WindowNode, on target: ScreenNode) {
        // K1: a window can only be key on its own seat.
        if let seat = keySeat(of: window), seat !== target.seat { passKey(of: seat) }
        let wasVisible = window.value.isVisible
        // K8: what a seat remembers is not another's. The screen may be gone already.
        if wasVisible, let old = window.screen, seat(ofScreenNamed: old.value.name) !== target.seat {
            window.keyRequest = nil
        }
        if wasVisible { leaveScreen(window) }
        window.screen = target
        window.value.screen = target.id
        window.value.awaitedScreen = nil
        if window.wantsVisible { enterScreen(window) }
        // E2: the fingers are on the other screen.
        cancelSequences(in: window)
        record(.screenDidChange(window.id, window.value.application, target.id))
        if window.takesBounds { applyFrame(window.space(on: target), to: window) }
        if window.value.isVisible && !wasVisible { didBecomeVisible(window) }
        holdersTakeKey()
    }

    static func validate(frame: Rect) throws(ModelError) {
        guard frame.isFinite, frame.size.width >= 0, frame.size.height >= 0 else {
            throw .invalid(.w6, "the frame is not finite, or its size is negative")
        }
    }
}
