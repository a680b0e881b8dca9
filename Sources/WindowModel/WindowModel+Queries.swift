// What the server asks often.

extension WindowModel {
    /// Names an application, for people to read.
    public func setName(_ name: String, of id: Application.ID) throws(ModelError) {
        try node(id).value.name = name
    }

    /// The screen on which a window is visible (V1), nil while it is not.
    public func visibleScreen(of id: Window.ID) -> Screen.ID? {
        guard let node = windowNodes[id], node.value.isVisible else { return nil }
        return node.screen?.id
    }

    /// Every surface in the window: the root's tree, then the pop-ups', parents before children.
    public func surfaces(of id: Window.ID) -> [Surface.ID] {
        guard let node = windowNodes[id] else { return [] }
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
