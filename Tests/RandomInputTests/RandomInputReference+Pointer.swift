// The pointer events that clients should read: E5 computed independently.

import MullionGeometry
import WindowModel

extension RandomInputReference {
    /// Where the pointer is, as the model has it: screens turn under it.
    private var place: (screen: Screen.ID, point: Point)? { model.pointerLocation(of: seat) }

    private var beginning: Target? {
        buttons.isEmpty ? place.flatMap { target(at: $0.point, on: $0.screen) } : grab
    }

    func button(_ code: UInt32, isDown: Bool) {
        if let index = buttons.firstIndex(of: code) {
            if let face = grab?.face, face === pointer, let index = knownButtons.firstIndex(of: code) {
                knownButtons.remove(at: index)
                expectEvents(face) { $0.pointer.append(.button(code, isDown: false)) }
            }
            buttons.remove(at: index)
            if buttons.isEmpty { grab = nil }
            return
        }
        if buttons.isEmpty {
            if let place { pressBegins(at: place.point, on: place.screen) }
            followPointer()
            grab = beginning
        }
        buttons.append(code)
        guard let face = grab?.face, face === pointer else { return }
        knownButtons.append(code)
        expectEvents(face) { $0.pointer.append(.button(code, isDown: true)) }
    }

    /// A step of a scroll; a nil phase is a click of the wheel.
    func scroll(_ delta: Double, _ phase: Event.Phase?) {
        let target = phase == nil || phase == .began ? beginning : scroll ?? nil
        switch phase {
        case nil: break
        case .ended, .cancelled: scroll = nil
        default: scroll = .some(target)
        }
        guard let face = target?.face, face === pointer else { return }
        let client = face.window.client
        if phase == .began { scrolls.remove(client) }
        if phase != .cancelled, delta != 0 {
            scrolls.insert(client)
            expectEvents(face) { $0.pointer.append(.axis(delta)) }
        }
        if phase == .ended || phase == .cancelled { stopScrolling(face) }
    }

    private func stopScrolling(_ face: RandomFace) {
        guard scrolls.remove(face.window.client) != nil else { return }
        expectEvents(face) { $0.pointer.append(.axisStop) }
    }

    /// A step of a swipe.
    func gesture(_ delta: Double, _ phase: Event.Phase) {
        let target = phase == .began ? beginning : gesture ?? nil
        gesture = phase == .ended || phase == .cancelled ? nil : .some(target)
        guard let target else { return }
        switch phase {
        case .began:
            gestureClient = target.face.window.client
            expectEvents(target.face) { $0.gesture.append(.begin(target.face.surface)) }
        case .moved, .stationary: expectEvents(target.face) { $0.gesture.append(.update(delta)) }
        case .ended, .cancelled: endGesture(isCancelled: phase == .cancelled)
        }
    }

    private func endGesture(isCancelled: Bool) {
        guard let client = gestureClient else { return }
        gestureClient = nil
        expected[client].gesture.append(.end(isCancelled: isCancelled))
    }

    /// E2: sequences end with their window; a pointer whose screen is unplugged does nothing.
    func cancelPointer() {
        let isLost = pointerScreen != nil && place == nil
        pointerScreen = place?.screen
        if let target = grab, isLost || isOver(target) {
            if target.face === pointer { releaseButtons(on: target.face) }
            grab = nil
        }
        if let target = scroll ?? nil, isLost || isOver(target) {
            if target.face === pointer { stopScrolling(target.face) }
            scroll = .some(nil)
        }
        if let target = gesture ?? nil, isLost || isOver(target) {
            endGesture(isCancelled: true)
            gesture = .some(nil)
        }
    }

    /// wl_pointer has no other event for a press that is cancelled.
    private func releaseButtons(on face: RandomFace) {
        for code in knownButtons.reversed() { expectEvents(face) { $0.pointer.append(.button(code, isDown: false)) } }
        knownButtons = []
    }

    func leavePointer(_ face: RandomFace) {
        releaseButtons(on: face)
        scrolls.remove(face.window.client)
        expectEvents(face) { $0.pointer.append(.leave(face.surface)) }
        pointer = nil
    }

    func followPointer() {
        guard grab == nil else { return }
        var next = buttons.isEmpty ? place.flatMap { hit($0.point, on: $0.screen) } : nil
        // E7: the pointer cannot enter, but stays where it is already inside.
        if let face = next, world.ignoring[face.window.client] > 0, face.window !== pointer?.window { next = nil }
        guard next !== pointer else { return }
        if let old = pointer { leavePointer(old) }
        pointer = next
        guard let next, let place else { return }
        expectEvents(next) { $0.pointer.append(.enter(next.surface, location(place.point, in: next))) }
    }

    /// Where its client should have the pointer on the surface that it entered, unless a button is down or interaction
    /// is ignored (E7).
    var pointerPlace: Point? {
        guard buttons.isEmpty, let place, let pointer, world.ignoring[pointer.window.client] == 0 else { return nil }
        return location(place.point, in: pointer)
    }
}
