// Title bars: the decorations that the server draws.

import WindowModel

/// What the server draws around the windows of plain programs that leave their decorations to it.
public enum Decorations: String, Sendable, CaseIterable {
    case none
    /// A bar with the title and a close button above the window.
    case bar
}

/// The bars of all windows.
package final class TitleBars {
    // The owner.
    private unowned let server: DisplayServer
    /// By their surfaces.
    private var bars: [Surface.ID: TitleBar] = [:]
    /// Draws the titles.
    package let titles: TitleDrawing
    /// The last image of a close button that was asked for.
    private var closeImage = CloseImage(scale: 1)

    init(_ server: DisplayServer) {
        self.server = server
        titles = TitleDrawing { [unowned server] reason in
            server.log(.warning, "title bars show no titles: \(reason); mullionctl doctor titles names its package")
        }
    }

    var isEmpty: Bool { bars.isEmpty }

    /// The bar that a surface is part of.
    subscript(surface: Surface.ID) -> TitleBar? { bars[surface] }

    func add(_ bar: TitleBar) { for surface in bar.surfaces { bars[surface] = bar } }
    func remove(_ bar: TitleBar) { for surface in bar.surfaces { bars[surface] = nil } }

    /// Bars of one scale that appear after each other, or change together, share it.
    func closeImage(scale: Double) -> CloseImage {
        if closeImage.scale != scale { closeImage = CloseImage(scale: scale) }
        return closeImage
    }

    /// Shows and removes bars as configured.
    func decorationsDidChange() {
        for (_, role) in server.windows.sorted(by: { $0.key < $1.key }) {
            guard case .toplevel(let toplevel) = role, toplevel.leavesDecorations else { continue }
            toplevel.stateDidChange()
        }
    }
}
