// Drag and drop, from the press to the drop.

import MullionWayland
import WindowModel

/// The current drag, if any. Its client no longer receives the press that it began with: the events of that press only
/// move the drag. Not so X servers, whose programs drag among themselves.
final class DragAndDrop {
    private unowned let seat: ServerSeat
    private var current: Drag? {
        didSet {
            if current != nil, x11 == nil { seat.grabs.push(.drag(self)) } else { seat.grabs.remove(.drag(self)) }
        }
    }
    /// The drag of an X11 program; `current` is what it offers to other clients.
    private(set) var x11: X11DragResource?
    /// The pressed modifiers, in the keymap's numbering.
    var modifiers: UInt32 = 0 {
        didSet { if modifiers != oldValue { current?.forced = forced } }
    }

    init(_ seat: ServerSeat) { self.seat = seat }

    /// Whether something is being dragged.
    var isActive: Bool { x11.map { !$0.isReleased } ?? (current != nil) }

    /// Whether what is being dragged is over a target that has not accepted it.
    var isUnanswered: Bool { current?.isUnanswered == true }

    /// Begins a drag with the press of that serial.
    /// - Returns: false when the client holds no such press, or a drag is in progress.
    func start(_ source: DataSourceResource?, icon: DragIconRole?, serial: UInt32, by client: Client) -> Bool {
        guard !isActive, let (means, grab) = seat.grabs.implicit.press(serial, of: client), let screen = grab.screen
        else { return false }
        endReleased()
        seat.grabs.implicit.take(means)
        // E2: it goes on whatever becomes of the window, which may be the one that is dragged.
        if source?.toplevelDrag != nil { seat.server.model.carry(touch: means.touch, of: seat.id) }
        let drag = Drag(seat, means, source, icon, by: client, at: (screen, grab.point), forced: forced)
        current = drag
        drag.update(at: nil, time: 0)
        seat.server.injector.queue.dragDidBegin(on: seat.id)
        return true
    }

    /// Whether an event moves the drag.
    func takes(_ event: Event) -> Bool { event.kind == .touches && current?.means == event.dragMeans && x11 == nil }

    /// Handles an event of the press that the drag began with. `isLast`: nothing is pressed afterwards.
    func deliver(_ event: Event, isLast: Bool, time: UInt32) {
        guard let drag = current, drag.means == event.dragMeans else { return }
        switch (event.detail, event.phase) {
        case (.pointer, _), (.touch, .moved), (.touch, .stationary): move(drag, event, time)
        case (.button, .ended), (.touch, .ended):
            guard isLast else { return }
            if case .touch = event.detail { move(drag, event, time) }
            current = nil
            drag.drop()
        case (.button, .cancelled), (.touch, .cancelled): cancel()
        case (.button, _), (.touch, .began), (.key, _), (.shake, _), (.scroll, _), (.transform, _),
            (.remoteControl, _):
            break
        }
    }

    private func move(_ drag: Drag, _ event: Event, _ time: UInt32) {
        guard let screen = event.screen else { return }
        drag.move(to: event.screenLocation, on: screen, time: time)
    }

    /// Called when windows or screens have changed under the drag.
    func update() {
        if let x11 { return x11.update() }
        guard let drag = current else { return }
        let pointer = drag.means == .pointer ? seat.server.model.pointerLocation(of: seat.id) : nil
        // E2: the screen it was on is unplugged.
        guard drag.means != .pointer || pointer != nil else { return cancel() }
        drag.update(at: pointer, time: UInt32(truncatingIfNeeded: seat.server.clock.now / 1000))
    }

    // MARK: Destroyed objects

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        if current?.isOver(surface) == true { current?.leave() }
    }

    func sourceWillBeDestroyed(_ source: DataSourceResource) {
        if current?.source === source { cancel() }
    }

    func clientDidClose(_ client: Client) {
        if x11?.concerns(client) == true { x11?.end() }
        if current?.client === client { cancel() }
    }

    // MARK: X11 programs

    /// Begins the drag of a program of an X server with the press that one of its windows has.
    /// - Returns: how it is dragged, and where; nil when the X server holds no press, or a drag is in progress.
    func start(_ drag: X11DragResource, by managed: Client) -> (means: Drag.Means, place: Drag.Place)? {
        guard !isActive, let (means, grab) = seat.grabs.implicit.press(of: managed), let screen = grab.screen else {
            return nil
        }
        endReleased()
        x11 = drag
        seat.server.injector.queue.dragDidBegin(on: seat.id)
        return (means, (screen, grab.point))
    }

    /// Replaces what the X11 program's drag offers to other clients.
    func offer(_ source: DataSourceResource?, of drag: X11DragResource, at place: Drag.Place) {
        cancel()
        guard let source else { return }
        let new = Drag(
            seat, drag.means, source, nil, by: drag.client, at: place, forced: forced, exceptOver: drag.managed)
        current = new
        new.update(at: nil, time: 0)
    }

    /// Moves what the X11 program offers.
    func move(to place: Drag.Place, time: UInt32) { current?.update(at: place, time: time) }

    /// Drops what the X11 program offers.
    func drop() {
        let drag = current
        current = nil
        drag?.drop()
    }

    /// Called when the X11 program's drag has ended.
    func x11DidEnd() {
        cancel()
        x11 = nil
    }

    /// Ends a drag whose X11 program does not say whether it drops.
    func endReleased() {
        if x11?.isReleased == true { x11?.end() }
    }

    private func cancel() {
        let drag = current
        current = nil
        drag?.cancel()
    }

    /// As in toolkits and other servers: Shift moves, Control copies.
    private var forced: DragActions {
        if modifiers & 1 != 0 { return .move }
        return modifiers & 4 != 0 ? .copy : []
    }
}

extension Event {
    /// The dragging device of a drag that the event moves, be it of data or of a frame.
    var dragMeans: Drag.Means {
        if case .touch(let id) = detail { .touch(id) } else { .pointer }
    }
}
