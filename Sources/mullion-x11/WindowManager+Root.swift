// Properties that name what the window manager supports, and the windows that exist.

import X11

extension WindowManager {
    /// The most windows in a list: more would not fit into one request.
    private static let mostListed = 4096

    /// What programs look for (EWMH).
    private static let supported: [Atoms.Name] = [
        .netSupported, .netSupportingCheck, .netName, .netWindowType, .netPID, .netState, .netStateModal,
        .netStateMaximizedVertically, .netStateMaximizedHorizontally, .netStateFullscreen, .netStateHidden,
        .netStateFocused, .netFullscreenMonitors, .netActiveWindow, .netCloseWindow, .netMoveResize,
        .netMoveResizeWindow, .netRestackWindow,
        .netClientList, .netClientListStacking, .netFrameExtents, .netRequestFrameExtents, .netWorkArea,
        .gtkWorkAreas, .netDesktopGeometry, .netDesktopViewport, .netNumberOfDesktops, .netCurrentDesktop,
    ]

    /// _NET_WM_NAME. Java shows empty windows until the window manager puts them into frames, except under window
    /// managers that it knows by name to add none. Many others without frames use this name.
    private static let name = "LG3D"

    func describeRoot() {
        let root = setup.root
        for window in [root, helper] {
            x.setProperty(window, atoms[.netSupportingCheck], type: .window, [helper.rawValue])
        }
        x.setProperty(helper, atoms[.netName], type: atoms[.utf8String], format: 8, Array(Self.name.utf8))
        let all = Self.supported.map { atoms[$0] } + atoms.kindAtoms()
        x.setProperty(root, atoms[.netSupported], type: .atom, all.map(\.rawValue))
        x.setProperty(root, atoms[.netNumberOfDesktops], type: .cardinal, [1])
        x.setProperty(root, atoms[.netCurrentDesktop], type: .cardinal, [0])
        x.setProperty(root, atoms[.netDesktopViewport], type: .cardinal, [0, 0])
        publishArea()
        publishLists()
        withTime { [weak self] time in
            guard let self else { return }
            // As ICCCM 4.3 prescribes for new window managers.
            x.send(
                XClientMessage(
                    window: root, type: atoms[.manager], data: [time, atoms[.wmS0].rawValue, helper.rawValue]),
                to: root, mask: .structure)
        }
    }

    /// One desktop, of all screens.
    func publishArea() {
        let size = [UInt32(clamping: rootFrame.width), UInt32(clamping: rootFrame.height)]
        x.setProperty(setup.root, atoms[.netDesktopGeometry], type: .cardinal, size)
        let areas = session.workAreas
        // One rectangle for all screens, which respects only the panels of an only screen. GTK and Wine read those of
        // each screen instead.
        x.setProperty(setup.root, atoms[.netWorkArea], type: .cardinal, areas.count == 4 ? areas : [0, 0] + size)
        x.setProperty(setup.root, atoms[.gtkWorkAreasOfDesktop], type: .cardinal, areas)
    }

    func publishLists() {
        isListStale = false
        let all = mapped.prefix(Self.mostListed).map(\.id.rawValue)
        x.setProperty(setup.root, atoms[.netClientList], type: .window, all)
        let known = Set(all)
        let stacked = order.lazy.filter { !$0.isUnmanaged }.map(\.id.rawValue).filter(known.contains)
        let rest = known.subtracting(stacked)
        x.setProperty(
            setup.root, atoms[.netClientListStacking], type: .window, all.filter(rest.contains) + stacked)
    }

    /// Shows a program which states its window has.
    func publishStates(_ window: ManagedWindow) {
        guard window.isDescribed, !window.isGone else { return }
        var states: [Atoms.Name] = []
        if window.isModal { states.append(.netStateModal) }
        if window.states.contains(.maximized) {
            states += [.netStateMaximizedVertically, .netStateMaximizedHorizontally]
        }
        if window.states.contains(.fullscreen) { states.append(.netStateFullscreen) }
        if window.states.contains(.minimized) { states.append(.netStateHidden) }
        if window.isFocused { states.append(.netStateFocused) }
        let values = states.map { atoms[$0] }
        if window.sent.atoms != values {
            window.sent.atoms = values
            x.setProperty(window.id, atoms[.netState], type: .atom, values.map(\.rawValue))
        }
        let isIconic = window.states.contains(.minimized)
        guard window.sent.isIconic != isIconic else { return }
        window.sent.isIconic = isIconic
        // Normal 1, iconic 3; no icon window.
        x.setProperty(window.id, atoms[.wmState], type: atoms[.wmState], [isIconic ? 3 : 1, 0])
    }
}
