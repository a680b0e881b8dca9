// Events in the slow model (E1–E7).

import MullionGeometry
import WindowModel

extension ReceivedEvent {
    init(_ event: Event) {
        self.init(
            seat: event.seat, kind: event.kind, phase: event.phase, detail: event.detail, window: event.window,
            surface: event.surface, screen: event.screen, point: event.screenLocation,
            attributes: event.touchAttributes)
    }
}

extension ReferenceModel {
    func event(
        _ seat: Person, _ kind: Event.Kind, _ phase: Event.Phase, _ detail: Event.Detail, _ aim: Aim?,
        _ screen: Screen.ID?, _ point: Point = .zero, _ attributes: Event.TouchAttributes? = nil
    ) {
        notes.append(
            .event(
                ReceivedEvent(
                    seat: seat.id, kind: kind, phase: phase, detail: detail, window: aim?.window,
                    surface: aim?.surface, screen: screen, point: point, attributes: attributes)))
    }

    private func event(_ seat: Person, _ phase: Event.Phase, _ finger: Finger) {
        guard let aim = finger.aim else { return }
        event(seat, .touches, phase, .touch(finger.id), aim, finger.screen, finger.point, finger.attributes)
    }

    private func pointerEvent(
        _ seat: Person, _ kind: Event.Kind, _ phase: Event.Phase, _ detail: Event.Detail, _ aim: Aim?
    ) {
        if let aim { event(seat, kind, phase, detail, aim, seat.pointer?.screen, seat.pointer?.point ?? .zero) }
    }

    // E2.

    func cancel(_ isAffected: (Aim) -> Bool) {
        for seat in seats {
            for i in seat.fingers.indices where seat.fingers[i].aim.map(isAffected) ?? false {
                event(seat, .cancelled, seat.fingers[i])
                seat.fingers[i].aim = nil
            }
            cancelPencils(seat, isAffected)
            cancelPointer(seat, isAffected)
        }
    }

    func losePointer(_ seat: Person) {
        cancelPointer(seat) { _ in true }
        seat.pointer = nil
    }

    private func cancelPointer(_ seat: Person, _ isAffected: (Aim) -> Bool) {
        if let aim = seat.grab, isAffected(aim) {
            seat.grab = nil
            pointerEvent(seat, .touches, .cancelled, .button(seat.buttons[0]), aim)
        }
        if let aim = seat.hover, isAffected(aim) {
            seat.hover = nil
            pointerEvent(seat, .hover, .cancelled, .pointer, aim)
        }
        if let run = seat.scroll, let aim = run.aim, isAffected(aim) {
            seat.scroll?.aim = nil
            pointerEvent(seat, .scroll, .cancelled, run.rest, aim)
        }
        if let run = seat.gesture, let aim = run.aim, isAffected(aim) {
            seat.gesture?.aim = nil
            pointerEvent(seat, .transform, .cancelled, run.rest, aim)
        }
    }

    // MARK: Beginnings

    func ignores(_ w: Win?) -> Bool { w.map { ignoring[$0.application, default: 0] > 0 } ?? false }

    /// The receiver of a sequence that begins at a point, or why there is none.
    func aim(_ point: Point, _ screen: Screen.ID?) -> (aim: Aim?, reason: Routing.Reason) {
        guard let screen, let scr = self.screen(screen) else { return (nil, .noWindow) }
        if !scr.isInteractive { return (nil, .screenNotInteractive) }
        guard let (w, s) = hit(point, screen) else {
            return (nil, scr.bounds.contains(point) ? restriction ?? .noWindow : .outsideScreen)
        }
        if !ignores(w) { return (Aim(window: w.id, surface: s?.id), .cancelled) }
        ignored += 1
        return (nil, .ignoring)
    }

    private func keyOnTouch(_ aim: Aim?) {
        guard let w = window(aim?.window), w.needsContent else { return }
        enterFront(w)
        request(w)
    }

    // MARK: Touches. Each returns the expected routing.

    func step(_ seat: Person, _ update: TouchUpdate, _ screen: Screen.ID) -> (Aim?, Routing.Reason) {
        guard let i = seat.fingers.firstIndex(where: { $0.id == update.id }) else {
            pencilWillLand(seat, update.id)
            let (aim, reason) = aim(update.point, screen)
            let finger = Finger(
                id: update.id, screen: screen, point: update.point, attributes: update.attributes, aim: aim)
            seat.fingers.append(finger)
            keyOnTouch(aim)
            event(seat, .began, finger)
            return (aim, reason)
        }
        if update.phase != .stationary { seat.fingers[i].point = update.point }
        seat.fingers[i].attributes = update.attributes
        event(seat, update.phase, seat.fingers[i])
        let aim = seat.fingers[i].aim
        if [.ended, .cancelled].contains(update.phase) { pencilDidLift(seat, seat.fingers.remove(at: i)) }
        return (aim, .cancelled)
    }

    func steps(_ seat: Person, _ updates: [TouchUpdate], _ screen: Screen.ID) -> [(Aim?, Routing.Reason)] {
        let answers = updates.map { step(seat, $0, screen) }
        for finger in seat.fingers where !updates.contains(where: { $0.id == finger.id }) {
            if answers.contains(where: { $0.0 != nil && $0.0?.window == finger.aim?.window }) {
                event(seat, .stationary, finger)
            }
        }
        return answers
    }

    // MARK: The pointer

    func under(_ seat: Person) -> Aim? {
        guard let pointer = seat.pointer, screen(pointer.screen)?.isInteractive == true, seat.buttons.isEmpty else {
            return nil
        }
        return hit(pointer.point, pointer.screen).map { Aim(window: $0.0.id, surface: $0.1?.id) }
    }

    func follow(_ seat: Person, moved: Bool = false) {
        if seat.grab != nil { return }
        let now = under(seat)
        if let old = seat.hover, old.window != now?.window {
            seat.hover = nil
            pointerEvent(seat, .hover, .ended, .pointer, old)
        }
        guard let now else { return }
        if seat.hover != nil {
            seat.hover = now
            if moved { pointerEvent(seat, .hover, .moved, .pointer, now) }
        } else if !ignores(window(now.window)) {
            seat.hover = now
            pointerEvent(seat, .hover, .began, .pointer, now)
        } else if moved {
            ignored += 1
        }
    }

    func move(_ seat: Person, _ screen: Screen.ID, _ point: Point) {
        seat.pointer = (screen, point)
        if seat.buttons.isEmpty { return follow(seat, moved: true) }
        pointerEvent(seat, .touches, .moved, .pointer, seat.grab)
    }

    /// Returns the receiver of the button.
    func button(_ seat: Person, _ code: UInt32) -> Window.ID? {
        if let held = seat.buttons.firstIndex(of: code) {
            seat.buttons.remove(at: held)
            let aim = seat.grab
            pointerEvent(seat, .touches, .ended, .button(code), aim)
            if seat.buttons.isEmpty {
                seat.grab = nil
                follow(seat)
            }
            return aim?.window
        }
        if seat.buttons.isEmpty {
            follow(seat)
            seat.grab = aim(seat.pointer?.point ?? .zero, seat.pointer?.screen).aim
            keyOnTouch(seat.grab)
        }
        seat.buttons.append(code)
        follow(seat)
        pointerEvent(seat, .touches, .began, .button(code), seat.grab)
        return seat.grab?.window
    }

    /// A step of a scroll or gesture; returns its receiver.
    func sequence(
        _ seat: Person, _ run: inout Run?, _ kind: Event.Kind, _ phase: Event.Phase?, _ detail: Event.Detail,
        rest: Event.Detail
    ) -> Window.ID? {
        var aim = run?.aim
        if phase == nil || phase == .began {
            aim =
                seat.buttons.isEmpty
                ? self.aim(seat.pointer?.point ?? .zero, seat.pointer?.screen).aim : seat.grab
        }
        if phase == .ended || phase == .cancelled { run = nil } else if phase != nil { run = Run(aim: aim, rest: rest) }
        pointerEvent(seat, kind, phase ?? .moved, detail, aim)
        return aim?.window
    }

    // MARK: Keys, shaking, remote control

    /// Returns the receiver of the key.
    func press(_ seat: Person, _ code: UInt32, _ down: Bool) -> Window.ID? {
        guard let w = window(seat.key) else { return nil }
        if down {
            seat.pressed.append(code)
        } else {
            guard let index = seat.pressed.firstIndex(of: code) else { return nil }
            seat.pressed.remove(at: index)
        }
        let aim = Aim(window: w.id, surface: w.root?.id)
        event(seat, .presses, down ? .began : .ended, .key(code), aim, w.screen)
        return w.id
    }

    /// Returns the receiver of the shake.
    func shake(_ seat: Person, _ phase: Event.Phase) -> Window.ID? {
        let key = window(seat.key).map { Aim(window: $0.id, surface: $0.root?.id) }
        let aim = phase == .began ? key : seat.shake?.aim
        seat.shake = phase == .began ? Run(aim: aim, rest: .shake) : nil
        if let aim { event(seat, .motion, phase, .shake, aim, window(aim.window)?.screen) }
        return aim?.window
    }

    /// Returns the receivers, in order.
    func remote(_ seat: Person, _ command: Event.RemoteCommand) -> [Application.ID] {
        let first = window(seat.key)?.application
        let order = (receivers.filter { $0 == first } + receivers.filter { $0 != first }).filter(admits)
        for _ in order { event(seat, .remoteControl, .began, .remoteControl(command), nil, nil) }
        return order
    }
}
