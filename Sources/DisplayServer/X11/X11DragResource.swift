// mullion_x11_drag_v1

import MullionWayland
import WindowModel

/// The drag of an X11 program. The X server goes on to receive the press, and its programs drag among themselves; over
/// other clients' windows the manager offers what the program drags.
final class X11DragResource: Resource {
    typealias Target = MullionX11DragV1.Target

    /// The X server.
    private(set) weak var managed: Client?
    /// The seat that drags; nil once the drag is over.
    private var seat: ServerSeat?
    private(set) var means = Drag.Means.pointer
    private var place: Drag.Place?
    /// Whether the finger or the last button was released: the drag stays where it is, and waits for the drop.
    private(set) var isReleased = false
    private var sent = Target.none

    init(_ client: Client, id: ObjectID, version: UInt32, of managed: Client?) throws(ProtocolError) {
        self.managed = managed
        try super.init(client, id: id, version: version)
    }

    /// Begins with a press that one of the X server's windows has.
    func start() {
        guard let managed else { return send(MullionX11DragV1.Event.ended) }
        for seat in server.seats {
            guard let (means, place) = seat.dragAndDrop.start(self, by: managed) else { continue }
            (self.seat, self.means, self.place) = (seat, means, place)
            return move(to: place, 0)
        }
        send(MullionX11DragV1.Event.ended)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(MullionX11DragV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setSource(let source): try setSource(try connection.resource(source, as: DataSourceResource.self))
        case .drop:
            // A program cannot drop by itself what somebody still drags.
            if isReleased { seat?.dragAndDrop.drop() }
            end()
        }
    }

    override func willDestroy() { leaveSeat() }

    func concerns(_ client: Client) -> Bool { client === self.client || client === managed }

    /// Ends the drag without a drop.
    func end() {
        if leaveSeat() { send(MullionX11DragV1.Event.ended) }
    }

    @discardableResult
    private func leaveSeat() -> Bool {
        guard let seat else { return false }
        self.seat = nil
        seat.dragAndDrop.x11DidEnd()
        return true
    }

    private func setSource(_ source: DataSourceResource?) throws(ProtocolError) {
        try source?.use(for: .drag)
        guard let seat, let place, !isReleased || source == nil else {
            source?.cancelDrag()
            return
        }
        seat.dragAndDrop.offer(source, of: self, at: place)
    }

    // MARK: Events

    /// Follows the press.
    func follow(_ event: Event, _ time: UInt32) {
        guard event.kind == .touches, event.dragMeans == means, !isReleased, let seat else { return }
        switch (event.detail, event.phase) {
        case (.pointer, _), (.touch, .moved), (.touch, .stationary): move(event, time)
        case (.button, .ended): if seat.grabs.implicit.pointer == nil { release() }
        case (.touch, .ended):
            move(event, time)
            release()
        // E2
        case (.button, .cancelled), (.touch, .cancelled): end()
        case (.button, _), (.touch, .began), (.key, _), (.shake, _), (.scroll, _), (.transform, _),
            (.remoteControl, _):
            break
        }
    }

    private func move(_ event: Event, _ time: UInt32) {
        guard let screen = event.screen else { return }
        move(to: (screen, event.screenLocation), time)
    }

    private func move(to new: Drag.Place, _ time: UInt32) {
        place = new
        update(time)
    }

    private func release() {
        isReleased = true
        send(MullionX11DragV1.Event.released)
    }

    /// Called when windows or screens have changed under the drag.
    func update() {
        guard let seat, let managed else { return end() }
        // E2: its window is gone, or the screen it was on.
        guard isReleased || seat.grabs.implicit.press(of: managed) != nil else { return end() }
        if !isReleased, means == .pointer {
            guard let pointer = server.model.pointerLocation(of: seat.id) else { return end() }
            place = pointer
        }
        update(UInt32(truncatingIfNeeded: server.clock.now / 1000))
    }

    private func update(_ time: UInt32) {
        guard let seat, let place else { return }
        seat.dragAndDrop.move(to: place, time: time)
        let hit = server.dragHit(place)
        let target: Target = hit.map { $0.surface.client === managed ? .own : .other } ?? .none
        guard target != sent else { return }
        sent = target
        send(MullionX11DragV1.Event.target(target: target))
    }
}
