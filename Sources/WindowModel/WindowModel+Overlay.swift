// Surfaces dragged over the windows: in front of all of them, and never hit.

import MullionGeometry

/// A surface that a screen shows in front of all windows.
struct Overlay: Hashable, Codable {
    let surface: UInt32
    var screen: Screen.ID
    /// In the screen's points.
    var position: Point
}

extension WindowModel {
    /// Shows a surface, with its sub-surfaces, in front of all windows of a screen, or moves it; `position` is that of
    /// its origin, in the screen's points. It receives no events (H1), and does not end mirroring (S7). Throws S1 for
    /// an unknown screen, W5 for a surface that has a role or a parent.
    public func setOverlay(_ id: Surface.ID, at position: Point, on screen: Screen.ID) throws(ModelError) {
        let (index, node) = (try index(id), try node(screen))
        try Self.validate(position: position)
        guard surfaces.nodes[Int(index)].role == .none else {
            throw .role("the surface is a \(surfaces.nodes[Int(index)].role); only one without a role can be dragged")
        }
        if let place = overlays.firstIndex(where: { $0.surface == index }) {
            guard overlays[place].screen != screen || overlays[place].position != position else { return }
            changed(screenNode(overlays[place].screen))
            overlays[place].screen = screen
            overlays[place].position = position
        } else {
            overlays.append(Overlay(surface: index, screen: screen, position: position))
        }
        changed(node)
    }

    /// Stops showing a surface in front of the windows. Does nothing for any other surface.
    public func removeOverlay(_ id: Surface.ID) {
        guard let index = surfaces.index(id), let place = overlays.firstIndex(where: { $0.surface == index })
        else { return }
        changed(screenNode(overlays[place].screen))
        overlays.remove(at: place)
    }

    /// The screen that shows a surface, or a tree containing it, in front of the windows.
    public func overlayScreen(of id: Surface.ID) -> Screen.ID? {
        guard !overlays.isEmpty, let index = surfaces.index(id) else { return nil }
        return overlay(showing: index)?.screen
    }

    /// Call this when the pixels of a surface have changed: marks the screen that shows it in front of the windows for
    /// display.
    public func overlayNeedsDisplay(_ id: Surface.ID) {
        guard !overlays.isEmpty, let index = surfaces.index(id) else { return }
        overlayDidChange(at: index)
    }

    /// Called when the contents of a tree without a window have changed.
    func overlayDidChange(at index: UInt32) {
        guard !overlays.isEmpty, let overlay = overlay(showing: index) else { return }
        changed(screenNode(overlay.screen))
    }

    private func overlay(showing index: UInt32) -> Overlay? {
        let top = surfaces.top(of: index)
        return overlays.first { $0.surface == top }
    }
}
