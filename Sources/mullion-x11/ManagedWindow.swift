// A window that an X11 program shows.

import MullionWayland
import X11

/// What is known of a mapped top-level window, and what was sent about it.
final class ManagedWindow {
    /// The properties that matter; at most one reading of each is under way.
    enum Property: CaseIterable {
        case name, netName, windowClass, transientFor, protocols, hints, normalHints, motifHints, type, state
    }

    let id: XWindowID
    let isUnmanaged: Bool
    let proxy: Proxy<MullionX11WindowV1>
    /// Whether the window was unmapped or destroyed.
    var isGone = false
    /// Whether the server no longer shows it.
    var isInert = false
    /// Whether everything was read and the server has it all.
    var isDescribed = false
    /// Whether it is mapped in the X server.
    var isMapped = false
    /// The requests with which the window manager has unmapped it and whose events have not arrived.
    var ownUnmaps: [UInt16] = []

    // What programs say.
    var frame = XFrame(x: 0, y: 0, width: 1, height: 1)
    /// What the program requested while its properties were read.
    var early = XConfiguration()
    var name: String?
    var netName: String?
    var types: [WindowKind.Kind] = []
    var hints = WindowHints()
    var normalHints = NormalHints()
    var takesFocus = false
    var deletesOnRequest = false
    var transientFor = XWindowID.none
    var isModal = false
    var initialStates: WindowStates = []
    var wantsDecoration = true
    /// Whether it has moved during a drag, as icons do.
    var followsDrag = false

    /// How many of its requests wait for an answer of the X server: for monitors, and for states after these.
    var delays = 0

    // What the server says.
    var states: WindowStates = []
    var isFocused = false

    /// Readings under way, and those to repeat after them.
    var reading: Set<Property> = []
    var stale: Set<Property> = []
    var requests = FrameRequests()
    var sent = Sent()

    /// What was sent, which is sent again only when it changes.
    struct Sent {
        var title: String?
        var kind: WindowKind?
        var parent = XWindowID.none
        var limits = NormalHints()
        var acceptsFocus = true
        var isDecorated = true
        /// The states shown in _NET_WM_STATE.
        var atoms: [XAtom]?
        var isIconic: Bool?
    }

    init(_ id: XWindowID, isUnmanaged: Bool, _ proxy: Proxy<MullionX11WindowV1>) {
        self.id = id
        self.isUnmanaged = isUnmanaged
        self.proxy = proxy
    }

    var title: String { netName ?? name ?? "" }

    var input: InputModel { InputModel(isGiven: hints.wantsInput, isTaken: takesFocus) }

    var kind: WindowKind {
        if followsDrag { return .dragIcon }
        return WindowKind(
            isOverrideRedirect: isUnmanaged, types: types, hasParent: transientFor != .none, isModal: isModal)
    }

    var isDecorated: Bool { wantsDecoration && (types.first?.isDecorated ?? true) }

    func send(_ request: MullionX11WindowV1.Request) {
        if !isInert { proxy.send(request) }
    }
}
