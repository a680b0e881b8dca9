// The bar that the server draws above a plain window.

import MullionGeometry
import WindowModel

extension PlainWindow {
    /// Whether it has a title bar while it is shown: the client left the decorations to the server, and these are
    /// bars. A full-screen window has none.
    private var wantsTitleBar: Bool {
        leavesDecorations && server.decorations == .bar && !isFullscreen
    }

    /// The space that the bar needs above the frame, in points.
    var titleBarHeight: Double { wantsTitleBar ? TitleBar.height : 0 }

    /// Where the frame is when the window fills its screen; nil without a screen. Panels take some of it, but not from
    /// a full-screen window: those whose levels are higher cover it (W3).
    var contentBounds: Rect? {
        guard let window else { return nil }
        guard let bounds = isFullscreen ? server.model.screenBounds(of: window) : server.usableArea(of: window) else {
            return nil
        }
        return wantsTitleBar ? bounds.without(Screen.Insets(top: titleBarHeight)) : bounds
    }

    /// The size of a window that fills its screen. Programs have whole points: the last one may be partly beyond the edge.
    var filledSize: Size? {
        guard let window, let bounds = contentBounds,
            let scale = server.model.screen(of: window).flatMap({ server.model.screen($0)?.scale })
        else { return nil }
        return Size(
            width: Screen.wholePoints(from: bounds.minX, to: bounds.maxX, scale: scale),
            height: Screen.wholePoints(from: bounds.minY, to: bounds.maxY, scale: scale))
    }

    /// What the frame leaves free of the screen then.
    var margins: Screen.Insets {
        guard let window, let bounds = server.model.screenBounds(of: window), let inner = contentBounds else {
            return Screen.Insets(top: titleBarHeight)
        }
        return bounds.margins(around: inner)
    }

    /// Called when anything changed that decides whether there is a bar and what it shows.
    func updateTitleBar() {
        guard let window, isMapped, wantsTitleBar, let value = server.model.window(window) else {
            return removeTitleBar()
        }
        let bar: TitleBar
        if let titleBar {
            bar = titleBar
        } else {
            bar = TitleBar(self, of: window)
            titleBar = bar
            fillContentBounds()
        }
        let scale = min(value.screen.flatMap { server.model.screen($0)?.scale } ?? 1, TitleBar.greatestScale)
        bar.show(
            TitleBar.Looks(
                width: value.frame.width, title: shownTitle, isKey: value.isKey, scale: scale,
                icon: icon?.image(scale: scale)))
    }

    func removeTitleBar() {
        guard let bar = titleBar else { return }
        titleBar = nil
        bar.remove()
        fillContentBounds()
    }

    /// Called when panels take more or less of the screen.
    func usableAreaDidChange() {
        fillContentBounds()
        stateDidChange()
    }

    /// A maximized window makes room for a new bar, and takes the place of an old one; `configure` requests the size.
    private func fillContentBounds() {
        guard let window, isMapped, isMaximized, !isFullscreen, let bounds = contentBounds,
            let size = server.model.frame(of: window)?.size
        else { return }
        server.logErrors { () throws(ModelError) in
            try server.model.setFillsScreen(true, of: window, leaving: margins)
            try server.model.setFrame(Rect(origin: bounds.origin, size: size), of: window)
        }
    }
}
