// The parents of pop-ups.

import WindowModel

/// A surface that pop-ups are placed relative to: that of a toplevel or another pop-up, or a layer surface.
protocol PopupParent: AnyObject {
    /// Those whose parent this is, in order of creation.
    var popups: [PopupResource] { get }
    /// Whether they follow when the present effects are delivered.
    var popupsWillFollow: Bool { get set }
}

extension PopupParent {
    /// Moves the pop-ups with this surface.
    func popupsFollow() {
        for popup in popups { popup.followParent() }
    }
}

extension DisplayServer {
    /// Called when a window was moved or changed on its screen. Its pop-ups follow once for all changes that are
    /// delivered together: there can be a thousand.
    func popupsWillFollow(_ parent: some PopupParent) {
        guard !parent.popups.isEmpty, !parent.popupsWillFollow else { return }
        parent.popupsWillFollow = true
        movedPopupParents.append(parent)
    }

    func letPopupsFollow() {
        guard !movedPopupParents.isEmpty else { return }
        let parents = movedPopupParents
        movedPopupParents = []
        for parent in parents {
            parent.popupsWillFollow = false
            parent.popupsFollow()
        }
    }
}
