// The windows of plain programs for a server that takes over.

import MullionGeometry
import MullionWayland
import WindowModel

/// The state that toplevels of xdg-shell and the windows of X servers have in common.
struct SavedPlainWindow: Codable {
    var isMaximized: Bool
    var isFullscreen: Bool
    var isMinimized: Bool
    var normalFrame: Rect?
    var normalScreen: Screen.ID?
    var limits: PlainWindow.SizeLimits
    var title: String
    var applicationID: String

    /// The approximate size of the state in bytes, as in `ObjectState`. The model has the title as well.
    var variableSize: Int { title.utf8.count * 2 + applicationID.utf8.count }

    init(_ window: PlainWindow) {
        isMaximized = window.isMaximized
        isFullscreen = window.isFullscreen
        isMinimized = window.isMinimized
        normalFrame = window.normalFrame
        normalScreen = window.normalScreen
        limits = window.limits ?? PlainWindow.SizeLimits()
        title = window.title
        applicationID = window.applicationID
    }

    func restore(_ window: PlainWindow) {
        window.isMaximized = isMaximized
        window.isFullscreen = isFullscreen
        window.isMinimized = isMinimized
        window.normalFrame = normalFrame
        window.normalScreen = normalScreen
        window.limits = limits
        window.restore(title: title, applicationID: applicationID)
    }
}
