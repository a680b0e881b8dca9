// Sends touches as the events of wl_touch (E1, E2).

import MullionWayland
import WindowModel

/// The active touches, with the clients that hold them.
final class Touch {
    private struct Finger {
        /// Counted from 1.
        let number: UInt64
        var grab: ImplicitGrab
        /// The touched area as the client knows it.
        var shape = TouchShape()
        /// What its client receives instead of a touch of wl_touch.
        var tool: TabletTool?
    }

    // The server owns its seats, and a seat its touches.
    private unowned let server: DisplayServer
    private unowned let seat: ServerSeat
    /// The number of touches that have begun so far.
    private(set) var count: UInt64 = 0
    /// wl_touch.cancel ends all of one client's touches.
    private var fingers: [Int32: Finger] = [:]
    /// E9: simultaneous touches are one frame. The last group; the frames of these clients are still open.
    private var group: UInt64 = 0
    private var unframed: [Client] = []

    init(_ server: DisplayServer, _ seat: ServerSeat) {
        self.server = server
        self.seat = seat
    }

    /// - Returns: whether the grab or an object of the client has received it.
    func deliver(_ id: Int32, _ event: Event, _ time: UInt32, takenBy grab: Grab?) -> Bool {
        if event.group != group { endFrame() }
        group = event.group
        switch grab {
        case .drag(let drag): drag.deliver(event, isLast: event.phase == .ended, time: time)
        case .frame(let drag): drag.deliver(event, isLast: event.phase == .ended)
        case .titleBars(let bars): bars.deliver(event)
        case .implicit, .popups, .inputMethod, nil: return deliver(id, event, time)
        }
        return true
    }

    private func deliver(_ id: Int32, _ event: Event, _ time: UInt32) -> Bool {
        let x = Fixed(rounding: event.location.x)
        let y = Fixed(rounding: event.location.y)
        switch event.phase {
        case .began:
            guard let surface = seat.target(event) else { return false }
            // An input method's pop-up belongs to another client than its window.
            let client = surface.client
            let serial = seat.nextSerial()
            count += 1
            fingers[id] = Finger(
                number: count, grab: ImplicitGrab(event, of: client.application, code: 0, serial: serial))
            if let tool = seat.tablet.tool(for: id, event, of: client) {
                fingers[id]?.tool = tool
                seat.tablet.touch(tool, id, event, on: surface, serial: serial)
                return true
            }
            send(id, client, .down(serial: serial, time: time, surface: surface.id, id: id, x: x, y: y))
            sendShape(of: id, event, to: client)
            return isKnown(id)
        case .moved, .stationary, .ended, .cancelled:
            if let tool = fingers[id]?.tool {
                deliver(id, event, to: tool)
                return true
            }
            let isKnown = isKnown(id)
            deliverLater(id, event, time, x, y)
            return isKnown
        }
    }

    /// Whether an object of the client that holds the touch has been sent its beginning.
    private func isKnown(_ id: Int32) -> Bool {
        guard let finger = fingers[id], let client = holder(of: id) else { return false }
        return client.seat(seat).touches.contains { $0.knows(finger.number) }
    }

    /// A step after the beginning.
    private func deliverLater(_ id: Int32, _ event: Event, _ time: UInt32, _ x: Fixed, _ y: Fixed) {
        switch event.phase {
        case .began: break
        case .moved:
            guard let client = holder(of: id) else { return }
            fingers[id]?.grab.move(event)
            send(id, client, .motion(time: time, id: id, x: x, y: y))
            sendShape(of: id, event, to: client)
        case .stationary:
            guard let client = holder(of: id) else { return }
            sendShape(of: id, event, to: client)
        case .ended:
            guard let client = holder(of: id) else { return }
            send(id, client, .up(serial: seat.nextSerial(), time: time, id: id))
            fingers[id] = nil
            needsFrame(client)
        case .cancelled:
            if let client = holder(of: id) { cancelTouches(of: client) }
            fingers[id] = nil
        }
    }

    private func deliver(_ id: Int32, _ event: Event, to tool: TabletTool) {
        let isOver = event.phase == .ended || event.phase == .cancelled
        if isOver { fingers[id] = nil } else { fingers[id]?.grab.move(event) }
        seat.tablet.touch(tool, id, event)
    }

    private func holder(of id: Int32) -> Client? { fingers[id].flatMap { server.client($0.grab.application) } }

    /// Sends an event to those of the client's objects that know the touch.
    private func send(_ id: Int32, _ client: Client, since version: UInt32 = 1, _ event: WlTouch.Event) {
        guard let finger = fingers[id] else { return }
        for touch in client.seat(seat).touches where touch.version >= version && touch.knows(finger.number) {
            touch.sendInFrame(event)
        }
    }

    /// E2: wl_touch can only cancel all touches of the client at once; none of them must look like a tap.
    private func cancelTouches(of client: Client) {
        if let index = unframed.firstIndex(where: { $0 === client }) { endFrame(of: unframed.remove(at: index)) }
        let last = fingers.values.filter { $0.tool == nil && $0.grab.application == client.application }
            .map(\.number).max()
        guard let last else { return }
        fingers = fingers.filter { $0.value.tool != nil || $0.value.grab.application != client.application }
        for touch in client.seat(seat).touches where touch.knows(last) { touch.send(WlTouch.Event.cancel) }
    }

    // MARK: Shapes

    /// Sends the touch's measurements that have changed. Nothing is sent for a stationary touch without changes.
    private func sendShape(of id: Int32, _ event: Event, to client: Client) {
        let old = fingers[id]?.shape ?? TouchShape()
        let new = TouchShape(event, in: server.model, after: old)
        if new != old {
            fingers[id]?.shape = new
            if new.major != old.major || new.minor != old.minor {
                send(id, client, since: 6, .shape(id: id, major: new.major, minor: new.minor))
            }
            if new.orientation != old.orientation {
                send(id, client, since: 6, .orientation(id: id, orientation: new.orientation))
            }
        } else if event.phase == .stationary {
            return
        }
        needsFrame(client)
    }

    // MARK: Frames

    private func needsFrame(_ client: Client) {
        if !unframed.contains(where: { $0 === client }) { unframed.append(client) }
    }

    /// Ends the open frames, because another group or nothing follows.
    func endFrame() {
        guard !unframed.isEmpty else { return }
        for client in unframed { endFrame(of: client) }
        unframed.removeAll(keepingCapacity: true)
    }

    private func endFrame(of client: Client) {
        for touch in client.seat(seat).touches { touch.endFrame() }
    }

    // MARK: Implicit grabs

    /// The held touch that satisfies the predicate.
    func held(where predicate: (ImplicitGrab) -> Bool) -> (id: Int32, grab: ImplicitGrab)? {
        fingers.first { predicate($0.value.grab) }.map { ($0.key, $0.value.grab) }
    }

    /// Cancels all touches of the client that holds this one.
    func cancel(touchesOfHolderOf id: Int32) {
        if let tool = fingers[id]?.tool {
            fingers[id] = nil
            return seat.tablet.lift(tool)
        }
        if let client = holder(of: id) { cancelTouches(of: client) }
    }
}
