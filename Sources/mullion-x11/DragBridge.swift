// Drags between X11 and Wayland programs.

import EventLoop
import MullionSystem
import MullionWayland
import X11

/// Takes part in XDND for Wayland programs: as the target of X11 programs' drags over their windows, and as the source of
/// theirs over windows of X11 programs.
final class DragBridge {
    let session: Session
    let atoms: Atoms
    let names: DragAtoms
    let link: DragLink
    let transfers: Transfers
    let manager: WindowManager
    /// Mapped in front of all windows while an X11 program drags over a window that it cannot see.
    let cover: XWindowID
    /// Owns the selection for Wayland programs' drags.
    let source: XWindowID
    /// The drag of the X11 program that owns the selection.
    private var fromX11: DragFromX11?
    /// The last drag of a Wayland program over a window.
    private var toX11: DragToX11?
    private var isCovering = false

    init?(_ session: Session, _ manager: WindowManager) {
        guard let link = DragLink(session.link, session.server) else { return nil }
        self.session = session
        self.manager = manager
        self.link = link
        atoms = manager.atoms
        let x = session.x
        names = DragAtoms(atoms, x)
        transfers = Transfers(session, atoms, atoms[.dragSelection])
        cover = x.createHelperWindow()
        source = x.createHelperWindow()
        x.setProperty(cover, atoms[.dragAware], type: .atom, [DragMessage.versions.upperBound])
        x.watchSelection(atoms[.dragSelection], with: source)
        manager.onDragEntered = { [unowned self] window, entry in entered(window, entry) }
        link.onMotion = { [unowned self] x, y in toX11?.move(x, y) }
        link.onLeave = { [unowned self] in leave() }
        link.onDrop = { [unowned self] in toX11?.drop() }
    }

    func stop() {
        manager.onDragEntered = nil
        fromX11?.end()
        toX11?.end()
        link.stop()
        transfers.stop()
    }

    /// - Returns: whether the event concerns nobody else.
    func handle(_ event: XEvent) -> Bool {
        switch event {
        case .selectionOwner(atoms[.dragSelection], let owner, let time, let isGone):
            if isGone { transfers.ownerEnded() }
            if owner != source { ownerChanged(owner, time) }
        case .selectionRequest(let request) where request.owner == source: requested(request)
        case .clientMessage(let message, _) where message.window == cover || message.window == source:
            guard let content = names.message(message) else { return true }
            if message.window == cover { fromX11?.received(content) } else { toX11?.received(content) }
        case .mapped(cover, _), .unmapped(cover, _, _), .configured(cover, _): break
        case .destroyed(let window):
            toX11?.windowEnded(window)
            return transfers.handle(event)
        default: return transfers.handle(event)
        }
        return true
    }

    /// Calls `body` once an X11 program that something is dragged over has answered.
    func afterAnswer(_ body: @escaping () -> Void) {
        if let toX11 { toX11.afterAnswer(body) } else { body() }
    }

    func send(_ message: DragMessage, to destination: XWindowID, for window: XWindowID? = nil) {
        session.x.send(names.message(message, to: window ?? destination), to: destination)
    }

    // MARK: From X11 programs

    private func ownerChanged(_ owner: XWindowID, _ time: XTime) {
        fromX11?.end()
        fromX11 = owner == .none ? nil : DragFromX11(self, owner: owner)
    }

    /// Puts a window in front of those of X11 programs, which then drag to it, or removes it.
    func setCovering(_ isCovering: Bool) {
        guard isCovering != self.isCovering else { return }
        self.isCovering = isCovering
        if isCovering { session.x.cover(with: cover) } else { session.x.unmap(cover) }
    }

    // MARK: From Wayland programs

    private func entered(_ window: ManagedWindow, _ entry: DragEntry) {
        guard let offer = link.take(entry.offer) else { return }
        // A drop that its target has not finished.
        toX11?.end()
        toX11 = DragToX11(self, window, offer, entry)
    }

    private func leave() {
        guard let drag = toX11, !drag.hasDropped else { return }
        drag.end()
        toX11 = nil
    }

    private func requested(_ request: XSelectionRequest) {
        guard let drag = toX11, !drag.hasEnded else { return session.x.answer(request, property: .none) }
        drag.isAlive()
        if request.target == atoms[.delete], request.property != .none {
            // The Wayland program does so once the drop is finished.
            session.x.setProperty(request.requestor, request.property, type: atoms[.null], format: 8, [])
            return session.x.answer(request, property: request.property)
        }
        transfers.answer(request, drag.offer.types, since: drag.time, if: { [weak drag] in drag?.hasEnded == false }) {
            [weak drag] type, descriptor in drag?.offer.receive(type, descriptor)
        }
    }
}
