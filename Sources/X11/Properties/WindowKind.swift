// _NET_WM_WINDOW_TYPE: what a window is.

/// What a window is for its window manager.
public enum WindowKind: Hashable, Sendable {
    case normal
    case dialog
    /// Override-redirect: the program alone decides where it is.
    case unmanaged
    /// Override-redirect: follows the pointer during a drag.
    case dragIcon

    /// The types that matter, by the names of their atoms.
    public enum Kind: String, CaseIterable, Sendable {
        case dialog = "_NET_WM_WINDOW_TYPE_DIALOG"
        case normal = "_NET_WM_WINDOW_TYPE_NORMAL"
        case utility = "_NET_WM_WINDOW_TYPE_UTILITY"
        case splash = "_NET_WM_WINDOW_TYPE_SPLASH"
        case toolbar = "_NET_WM_WINDOW_TYPE_TOOLBAR"
        case menu = "_NET_WM_WINDOW_TYPE_MENU"
        case dock = "_NET_WM_WINDOW_TYPE_DOCK"
        case desktop = "_NET_WM_WINDOW_TYPE_DESKTOP"
        case notification = "_NET_WM_WINDOW_TYPE_NOTIFICATION"
        case dropDownMenu = "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU"
        case popUpMenu = "_NET_WM_WINDOW_TYPE_POPUP_MENU"
        case tooltip = "_NET_WM_WINDOW_TYPE_TOOLTIP"
        case combo = "_NET_WM_WINDOW_TYPE_COMBO"
        case drag = "_NET_WM_WINDOW_TYPE_DND"

        /// Whether windows of the type have title bars.
        public var isDecorated: Bool { [.dialog, .normal, .utility].contains(self) }
    }

    /// - Parameters:
    ///   - types: known ones only, the preferred one first.
    ///   - hasParent: WM_TRANSIENT_FOR names a window, even if only the root window.
    public init(isOverrideRedirect: Bool, types: [Kind], hasParent: Bool, isModal: Bool) {
        if isOverrideRedirect {
            self = types.first == .drag ? .dragIcon : .unmanaged
        } else if let type = types.first {
            self = type == .dialog || (isModal && hasParent) ? .dialog : .normal
        } else {
            // As the specification has it for windows without the property.
            self = hasParent ? .dialog : .normal
        }
    }
}
