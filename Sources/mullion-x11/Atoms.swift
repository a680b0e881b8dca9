// The atoms that the program uses.

import X11

/// Names and their numbers in one X server.
final class Atoms {
    enum Name: String, CaseIterable {
        case utf8String = "UTF8_STRING"
        case wmProtocols = "WM_PROTOCOLS"
        case wmDeleteWindow = "WM_DELETE_WINDOW"
        case wmTakeFocus = "WM_TAKE_FOCUS"
        case wmState = "WM_STATE"
        case wmChangeState = "WM_CHANGE_STATE"
        case wmS0 = "WM_S0"
        case manager = "MANAGER"
        case motifHints = "_MOTIF_WM_HINTS"
        case surfaceID = "WL_SURFACE_ID"
        case surfaceSerial = "WL_SURFACE_SERIAL"
        case netSupported = "_NET_SUPPORTED"
        case netSupportingCheck = "_NET_SUPPORTING_WM_CHECK"
        case netName = "_NET_WM_NAME"
        case netWindowType = "_NET_WM_WINDOW_TYPE"
        case netPID = "_NET_WM_PID"
        case netState = "_NET_WM_STATE"
        case netStateModal = "_NET_WM_STATE_MODAL"
        case netStateMaximizedVertically = "_NET_WM_STATE_MAXIMIZED_VERT"
        case netStateMaximizedHorizontally = "_NET_WM_STATE_MAXIMIZED_HORZ"
        case netStateFullscreen = "_NET_WM_STATE_FULLSCREEN"
        case netFullscreenMonitors = "_NET_WM_FULLSCREEN_MONITORS"
        case netStateHidden = "_NET_WM_STATE_HIDDEN"
        case netStateFocused = "_NET_WM_STATE_FOCUSED"
        case netActiveWindow = "_NET_ACTIVE_WINDOW"
        case netCloseWindow = "_NET_CLOSE_WINDOW"
        case netMoveResize = "_NET_WM_MOVERESIZE"
        case netMoveResizeWindow = "_NET_MOVERESIZE_WINDOW"
        case netRestackWindow = "_NET_RESTACK_WINDOW"
        case netClientList = "_NET_CLIENT_LIST"
        case netClientListStacking = "_NET_CLIENT_LIST_STACKING"
        case netFrameExtents = "_NET_FRAME_EXTENTS"
        case netRequestFrameExtents = "_NET_REQUEST_FRAME_EXTENTS"
        case netWorkArea = "_NET_WORKAREA"
        case gtkWorkAreas = "_GTK_WORKAREAS"
        case gtkWorkAreasOfDesktop = "_GTK_WORKAREAS_D0"
        case netDesktopGeometry = "_NET_DESKTOP_GEOMETRY"
        case netDesktopViewport = "_NET_DESKTOP_VIEWPORT"
        case netNumberOfDesktops = "_NET_NUMBER_OF_DESKTOPS"
        case netCurrentDesktop = "_NET_CURRENT_DESKTOP"
        case clipboard = "CLIPBOARD"
        case targets = "TARGETS"
        case timestamp = "TIMESTAMP"
        case incr = "INCR"
        case delete = "DELETE"
        case null = "NULL"
        case ownTime = "_MULLION_TIME"
        case ownTransfer = "_MULLION_TRANSFER"
        case dragSelection = "XdndSelection"
        case dragAware = "XdndAware"
        case dragProxy = "XdndProxy"
        case dragTypes = "XdndTypeList"
        case dragActions = "XdndActionList"
        case dragDescriptions = "XdndActionDescription"
    }

    /// Names of this program's own atoms, and of those of selections.
    private static let mostNames = 4096

    private var byName: [String: XAtom] = [:]
    private var names: [XAtom: String] = [:]
    private var fixed: [XAtom] = []
    private var kinds: [XAtom: WindowKind.Kind] = [:]

    /// Looks up all names.
    func load(_ x: XConnection, _ done: @escaping () -> Void) {
        fixed = Name.allCases.map { _ in .none }
        for (index, name) in Name.allCases.enumerated() {
            intern(name.rawValue, x) { [unowned self] in fixed[index] = $0 ?? .none }
        }
        for (index, kind) in WindowKind.Kind.allCases.enumerated() {
            let isLast = index + 1 == WindowKind.Kind.allCases.count
            intern(kind.rawValue, x) { [unowned self] atom in
                if let atom { kinds[atom] = kind }
                if isLast { done() }
            }
        }
        remember("STRING", .string)
    }

    subscript(name: Name) -> XAtom {
        // As many as there are cases.
        Name.allCases.firstIndex(of: name).map { fixed[$0] } ?? .none
    }

    func kind(_ atom: XAtom) -> WindowKind.Kind? { kinds[atom] }

    func kindAtoms() -> [XAtom] { Array(kinds.keys) }

    /// The atom of any name.
    func intern(_ name: String, _ x: XConnection, _ handler: @escaping (XAtom?) -> Void) {
        if let known = byName[name] { return handler(known) }
        x.intern(name) { [weak self] atom in
            if let atom { self?.remember(name, atom) }
            handler(atom)
        }
    }

    /// The name of any atom.
    func name(of atom: XAtom, _ x: XConnection, _ handler: @escaping (String?) -> Void) {
        if let known = names[atom] { return handler(known) }
        x.name(of: atom) { [weak self] name in
            if let name { self?.remember(name, atom) }
            handler(name)
        }
    }

    private func remember(_ name: String, _ atom: XAtom) {
        guard names.count < Self.mostNames else { return }
        names[atom] = name
        byName[name] = atom
    }
}
