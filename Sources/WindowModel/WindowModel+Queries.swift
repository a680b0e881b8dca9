// Cheap queries for values the server needs often.

import MullionGeometry

extension WindowModel {
    /// Sets an application's display name.
    public func setName(_ name: String, of id: Application.ID) throws(ModelError) {
        let node = try node(id)
        guard name != node.value.name else { return }
        node.value.name = name
        record(.applicationNameDidChange(id))
    }

    // Single properties of a window or a screen, queried with every commit: a whole `Window` or `Screen` would copy its
    // texts and lists too.

    /// How many windows an application has.
    public func windowCount(of id: Application.ID) -> Int { applicationNodes[id]?.windows.count ?? 0 }

    /// How many windows of plain programs are visible on a screen.
    public func plainWindowCount(on id: Screen.ID) -> Int { screenNode(id)?.plainCount ?? 0 }

    /// In points of its screen.
    public func frame(of id: Window.ID) -> Rect? { windowNodes[id]?.value.frame }

    /// The screen that the window is on, visible or not.
    public func screen(of id: Window.ID) -> Screen.ID? { windowNodes[id]?.value.screen }

    /// W3: the window that it is always in front of.
    public func parent(of id: Window.ID) -> Window.ID? { windowNodes[id]?.value.parent }

    /// W3: whether a window is a child of the other, or a child of such a child, and so on.
    public func isDescendant(_ id: Window.ID, of other: Window.ID) -> Bool {
        guard let window = windowNodes[id], let ancestor = windowNodes[other], window !== ancestor else { return false }
        return ancestor.isSelfOrAncestor(of: window)
    }

    /// The window's root surface.
    public func root(of id: Window.ID) -> Surface.ID? { windowNodes[id]?.value.root }

    public func application(of id: Window.ID) -> Application.ID? { windowNodes[id]?.value.application }

    /// The frame with which the window would fill its screen: the screen's bounds in points (S4), or (R3) the fixed
    /// ones.
    public func screenBounds(of id: Window.ID) -> Rect? {
        guard let window = windowNodes[id] else { return nil }
        return window.screen.map { window.space(on: $0) }
    }

    /// The screen that the window is on, visible or not, and `screenBounds(of:)`.
    public func place(of id: Window.ID) -> (screen: Screen.ID, bounds: Rect)? {
        guard let window = windowNodes[id], let screen = window.screen else { return nil }
        return (screen.id, window.space(on: screen))
    }

    /// K1; nil for a window that does not exist.
    public func isKey(_ id: Window.ID) -> Bool? { windowNodes[id]?.value.isKey }

    /// The screen on which a window is visible (V1), nil while it is not.
    public func visibleScreen(of id: Window.ID) -> Screen.ID? {
        guard let node = windowNodes[id], node.value.isVisible else { return nil }
        return node.screen?.id
    }

    /// The bounding box of a surface and its sub-surfaces, in its own points; nil without content.
    public func extent(of id: Surface.ID) -> Rect? {
        guard let index = surfaces.index(id), surfaces.nodes[Int(index)].hasContent else { return nil }
        return surfaces.extent(of: index).rect ?? Rect(origin: .zero, size: surfaces.nodes[Int(index)].size)
    }

    /// The roots of a window's surface trees, front to back (C3: pop-ups are in front of the root's tree).
    public func rootAndPopups(of id: Window.ID) -> [Surface.ID] {
        guard let node = windowNodes[id] else { return [] }
        let root = node.root == SurfaceTree.none ? [] : [node.root]
        return (node.popups.reversed() + root).map { surfaces.id($0) }
    }

    /// Every surface in the window: the root's tree, then the pop-ups', parents before children.
    public func surfaces(of id: Window.ID) -> [Surface.ID] {
        guard let node = windowNodes[id] else { return [] }
        // Most windows have one surface.
        if node.popups.isEmpty, node.root != SurfaceTree.none,
            surfaces.nodes[Int(node.root)].firstChild == SurfaceTree.none
        {
            return [surfaces.id(node.root)]
        }
        var result: [Surface.ID] = []
        var stack = Array(node.popups.reversed())
        if node.root != SurfaceTree.none { stack.append(node.root) }
        while let index = stack.popLast() {
            result.append(surfaces.id(index))
            var child = surfaces.nodes[Int(index)].lastChild
            while child != SurfaceTree.none {
                stack.append(child)
                child = surfaces.nodes[Int(child)].previous
            }
        }
        return result
    }
}
