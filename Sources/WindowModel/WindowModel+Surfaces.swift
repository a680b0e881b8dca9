// Surfaces and their roles: roots, pop-ups, content (W5, C1–C3, V1, H1).

import MullionGeometry

extension WindowModel {
    /// How many surfaces there are, with and without a role.
    public var surfaceCount: Int { surfaces.count }

    /// Creates a surface without role, content or parent.
    public func createSurface() -> Surface.ID { surfaces.create() }

    /// A surface, nil once it is destroyed.
    public func surface(_ id: Surface.ID) -> Surface? {
        guard let index = surfaces.index(id) else { return nil }
        let node = surfaces.nodes[Int(index)]
        var children: [Surface.ID] = []
        var below = 0
        var child = node.firstChild
        while child != SurfaceTree.none {
            children.append(surfaces.id(child))
            if surfaces.nodes[Int(child)].isBelow { below += 1 }
            child = surfaces.nodes[Int(child)].next
        }
        return Surface(
            id: id, role: node.role, parent: node.parent == SurfaceTree.none ? nil : surfaces.id(node.parent),
            window: surfaces.window(of: index)?.id, position: node.position,
            size: node.hasContent ? node.size : nil, children: children, childrenBelow: below)
    }

    /// The window that contains a surface.
    public func window(of id: Surface.ID) -> Window.ID? {
        surfaces.index(id).flatMap { surfaces.window(of: $0)?.id }
    }

    /// Destroys a surface. Its sub-surfaces stay, without a parent; touches on it are cancelled (E2).
    public func destroySurface(_ id: Surface.ID) throws(ModelError) {
        let index = try index(id)
        removeOverlay(id)
        cancelSequences(inTree: index)
        switch surfaces.nodes[Int(index)].role {
        case .none: break
        case .root: if let window = surfaces.nodes[Int(index)].window { detachRoot(of: window) }
        case .subsurface: detachSubsurface(index)
        case .popup: detachPopup(index)
        }
        var child = surfaces.nodes[Int(index)].firstChild
        while child != SurfaceTree.none {
            let next = surfaces.nodes[Int(child)].next
            surfaces.unlink(child)
            child = next
        }
        surfaces.free(index)
    }

    /// W1: makes a surface the root of a window that has none. Throws W5 when it has another role or already belongs to
    /// a window.
    public func setRoot(_ id: Surface.ID, of window: Window.ID) throws(ModelError) {
        let index = try index(id)
        let window = try node(window)
        try take(.root, index)
        guard window.root == SurfaceTree.none else {
            throw .role("window \(window.id) already has a root surface; remove it first")
        }
        surfaces.nodes[Int(index)].window = window
        surfaces.nodes[Int(index)].role = .root
        surfaces.nodes[Int(index)].position = window.rootOffset
        window.root = index
        window.value.root = id
        rootContentDidChange(window)
    }

    /// Removes a window's root surface. The surface keeps its role (W5) and can become a root again.
    public func removeRoot(of window: Window.ID) throws(ModelError) {
        let window = try node(window)
        guard window.root != SurfaceTree.none else { return }
        cancelSequences(inTree: window.root)
        detachRoot(of: window)
    }

    /// The position of the root surface's origin in the window, in points: minus the origin of xdg-shell's window
    /// geometry.
    public func setRootOffset(_ offset: Point, of window: Window.ID) throws(ModelError) {
        let window = try node(window)
        try Self.validate(position: offset)
        guard offset != window.rootOffset else { return }
        window.rootOffset = offset
        guard window.root != SurfaceTree.none else { return }
        surfaces.nodes[Int(window.root)].position = offset
        didChange(window)
    }

    /// C3: makes a surface the frontmost pop-up of a window, `position` in the window's points. Throws W5 when it has
    /// another role, or is already a pop-up.
    /// - Parameter behindOthers: whether it becomes the backmost pop-up instead, as a title bar does.
    public func addPopup(
        _ id: Surface.ID, to window: Window.ID, at position: Point, behindOthers: Bool = false
    ) throws(ModelError) {
        let index = try index(id)
        let window = try node(window)
        try Self.validate(position: position)
        try take(.popup, index)
        surfaces.nodes[Int(index)].role = .popup
        surfaces.nodes[Int(index)].window = window
        surfaces.nodes[Int(index)].position = position
        window.popups.insert(index, at: behindOthers ? 0 : window.popups.count)
        didChange(window)
    }

    /// C3: removes a pop-up from its window; it keeps its role and can be added again.
    public func removePopup(_ id: Surface.ID) throws(ModelError) {
        let index = try index(id)
        guard surfaces.nodes[Int(index)].window != nil, surfaces.nodes[Int(index)].role == .popup else {
            throw .role("the surface is not a pop-up of a window")
        }
        cancelSequences(inTree: index)
        detachPopup(index)
    }

    /// V1, C1: sets the size of a surface's content, in points; nil for no content, which hides its sub-surfaces too
    /// (except those of the root of a window that does not need content: C2).
    public func setContent(_ id: Surface.ID, size: Size?) throws(ModelError) {
        let index = try index(id)
        if let size, !(size.isFinite && size.width >= 0 && size.height >= 0) {
            throw .invalid(.c1, "the size of a surface's content must be finite and not negative")
        }
        let had = surfaces.nodes[Int(index)].hasContent
        guard had != (size != nil) || surfaces.nodes[Int(index)].size != size ?? .zero else { return }
        surfaces.nodes[Int(index)].hasContent = size != nil
        surfaces.nodes[Int(index)].size = size ?? .zero
        surfaces.extentDidChange(of: index)
        guard let window = surfaces.window(of: index) else { return overlayDidChange(at: index) }
        if had && size == nil { cancelHidden(inTree: index, window) }
        if window.root == index { rootContentDidChange(window) } else { didChange(window) }
    }

    /// H1: where the surface receives events, in its points; nil: everywhere.
    public func setInputRegion(_ id: Surface.ID, _ region: [Rect]?) throws(ModelError) {
        let index = try index(id)
        if let region, !region.allSatisfy({ $0.isFinite && $0.size.width >= 0 && $0.size.height >= 0 }) {
            throw .invalid(.h1, "the rectangles of an input region must be finite and their sizes not negative")
        }
        surfaces.nodes[Int(index)].inputRegion = region
        if surfaces.window(of: index)?.value.isVisible == true { structureChanged = true }
    }

    /// Call this when the surface's pixels have changed, but not its size: marks the screen that shows it for display.
    public func setNeedsDisplay(_ id: Surface.ID) throws(ModelError) {
        guard let window = surfaces.window(of: try index(id)), window.value.isVisible else { return }
        window.screen?.needsDisplay = true
    }

    static func validate(position: Point) throws(ModelError) {
        guard position.isFinite else { throw .invalid(.c1, "a surface's position must be finite") }
    }

    /// W5: gives a surface a role; it must have none, or the same one and no parent or window.
    func take(_ role: Surface.Role, _ index: UInt32) throws(ModelError) {
        let index = Int(index)
        let old = surfaces.nodes[index].role
        guard old == .none || old == role else {
            throw .role("the surface has the role \(old) and cannot become \(role)")
        }
        guard surfaces.nodes[index].window == nil, surfaces.nodes[index].parent == SurfaceTree.none else {
            throw .role("the surface is already in use as \(role); remove it first")
        }
    }

    private func rootContentDidChange(_ window: WindowNode) {
        let wanted = window.wantsVisible
        window.rootHasContent = window.root != SurfaceTree.none && surfaces.nodes[Int(window.root)].hasContent
        visibilityDidChange(window, wanted: wanted)
        didChange(window)
    }

    private func detachRoot(of window: WindowNode) {
        surfaces.nodes[Int(window.root)].window = nil
        window.root = SurfaceTree.none
        window.value.root = nil
        rootContentDidChange(window)
    }

    private func detachPopup(_ index: UInt32) {
        guard let window = surfaces.nodes[Int(index)].window else { return }
        surfaces.nodes[Int(index)].window = nil
        window.popups.removeAll { $0 == index }
        didChange(window)
    }

    /// E2: cancels input on the surfaces hidden by lost content, except for a root that needs none.
    private func cancelHidden(inTree index: UInt32, _ window: WindowNode) {
        if window.root == index && !window.value.needsContent { return }
        cancelSequences(inTree: index)
    }
}
