// Plain windows in front of others: dialogs, toolboxes and the like.

import MullionGeometry
import WindowModel

extension PlainWindow {
    /// W3: the window is in front of its parent from now on; nil: of none.
    func becomeChild(of parent: Window.ID?) {
        guard let window else { return }
        do throws(ModelError) {
            try server.model.setParent(parent, of: window)
        } catch {
            // At the limit it stays a window without a parent.
            return server.log(.warning, "client \(owner.description): \(error)", about: owner.subject(rule: error.rule))
        }
        server.foreignToplevels.didChange(window)
        server.logErrors { () throws(ModelError) in
            // A dialog opens where its parent is.
            if !isMapped, !isMaximized, !isFullscreen, let screen = parent.flatMap({ server.model.screen(of: $0) }) {
                try server.model.move(window, to: screen)
            }
        }
    }

    /// The origin with which a window of that size is centred over its parent, moved onto the screen if it fits there;
    /// nil if it has no parent on its screen.
    func originOverParent(_ size: Size) -> Point? {
        let model = server.model
        guard let window, let parent = model.parent(of: window), let over = model.frame(of: parent),
            let screen = model.screen(of: window), model.screen(of: parent) == screen,
            let bounds = contentBounds
        else { return nil }
        func place(_ center: Double, _ length: Double, _ least: Double, _ most: Double) -> Double {
            max(least, min((center - length / 2).rounded(.down), most - length))
        }
        return Point(
            x: place(over.center.x, size.width, bounds.minX, bounds.maxX),
            y: place(over.center.y, size.height, bounds.minY, bounds.maxY))
    }
}
