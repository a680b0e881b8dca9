// The layer surfaces of a screen.

import MullionGeometry
import MullionWayland
import WindowModel

/// Arranges the layer surfaces of one screen. Costs nothing while there are none, and works only when one of them or
/// the screen has changed.
final class ScreenLayers {
    private unowned let server: DisplayServer
    private let screen: Screen.ID
    /// In order of creation.
    private(set) var surfaces: [LayerSurfaceResource] = []
    /// What the exclusive zones take of the screen's bounds.
    private(set) var margins = Screen.Insets()

    init(_ server: DisplayServer, screen: Screen.ID) {
        self.server = server
        self.screen = screen
    }

    func add(_ surface: LayerSurfaceResource) {
        // Not in the order in which they were restored or moved here.
        surfaces.insert(surface, at: place(of: surface))
        setNeedsArrangement()
    }

    func remove(_ surface: LayerSurfaceResource) {
        let index = place(of: surface)
        guard index < surfaces.count, surfaces[index] === surface else { return }
        surfaces.remove(at: index)
        setNeedsArrangement()
    }

    /// Where the surface is, or belongs, in the order of creation, which is that of the windows.
    private func place(of surface: LayerSurfaceResource) -> Int {
        let window = surface.window?.rawValue ?? 0
        var (low, high) = (0, surfaces.count)
        while low < high {
            let middle = (low + high) / 2
            if surfaces[middle].window?.rawValue ?? 0 < window { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// How many of them are visible.
    var visibleCount: Int { surfaces.count(where: \.isVisible) }

    /// Arranges them before the next effects are delivered.
    func setNeedsArrangement() { server.screensToArrange.insert(screen) }

    /// Called when the screen is unplugged.
    func closeAll() {
        for surface in surfaces { surface.close() }
    }

    func arrange() {
        guard let screen = server.model.screen(screen) else { return }
        var arrangement = LayerArrangement(bounds: screen.bounds, scale: screen.scale)
        // Those with exclusive zones first, each group from the overlay layer down.
        for surface in surfaces.enumerated().sorted(by: { Self.rank($0) < Self.rank($1) }).map(\.element) {
            let space = surface.client.rotationPolicy == .fixed ? screen.fixedPlacement : .identity
            var seen = arrangement.converted(from: .identity, to: space)
            surface.place(by: seen)
            guard surface.isVisible else { continue }
            seen.reserveZone(of: surface.current)
            arrangement = seen.converted(from: space, to: .identity)
        }
        let margins = screen.bounds.margins(around: arrangement.usable)
        guard margins != self.margins else { return }
        self.margins = margins
        for x11 in server.x11Servers { x11.setNeedsUpdate() }
        for (window, role) in server.windows.sorted(by: { $0.key < $1.key }) {
            guard case .toplevel(let toplevel) = role, server.model.screen(of: window) == screen.id else { continue }
            toplevel.usableAreaDidChange()
        }
    }

    private static func rank(_ entry: (offset: Int, element: LayerSurfaceResource)) -> (Int, Int, Int) {
        let state = entry.element.current
        return (state.exclusiveEdge == nil ? 1 : 0, -Int(state.layer.rawValue), entry.offset)
    }
}

extension DisplayServer {
    /// Arranges the layer surfaces of the screens where anything has changed.
    func arrangeLayers() {
        guard !screensToArrange.isEmpty else { return }
        let due = screensToArrange.sorted()
        screensToArrange.removeAll(keepingCapacity: true)
        for screen in due { outputs[screen]?.layers.arrange() }
    }

    /// The part of its screen that panels leave to the window of a plain program, in the points of its frame; nil without
    /// a screen. Windows of the extension have the whole screen: in UIKit a status bar covers the window behind it.
    func usableArea(of window: Window.ID) -> Rect? {
        guard let (id, bounds) = model.place(of: window) else { return nil }
        guard let margins = outputs[id]?.layers.margins, margins != Screen.Insets(), let screen = model.screen(id)
        else { return bounds }
        let usable = screen.bounds.without(margins)
        // R3
        let isFixed = model.application(of: window).flatMap { model.application($0) }?.rotationPolicy == .fixed
        return isFixed ? Placement.identity.convert(usable, to: screen.fixedPlacement) ?? bounds : usable
    }
}
