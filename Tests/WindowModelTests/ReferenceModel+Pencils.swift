// Pencils above screens in the slow model (E5).

import MullionGeometry
import WindowModel

extension ReferenceModel {
    private func event(_ seat: Person, _ phase: Event.Phase, _ pencil: Finger) {
        guard let aim = pencil.aim else { return }
        event(seat, .hover, phase, .touch(pencil.id), aim, pencil.screen, pencil.point, pencil.attributes)
    }

    /// A step above the screen; returns its receiver.
    func hover(_ seat: Person, _ update: TouchUpdate, _ screen: Screen.ID) -> Window.ID? {
        let new = Finger(
            id: update.id, screen: screen, point: update.point, attributes: update.attributes, aim: nil)
        guard let i = seat.pencils.firstIndex(where: { $0.id == update.id }) else {
            seat.pencils.append(new)
            return follow(seat, seat.pencils.count - 1, moved: true)
        }
        seat.pencils[i].point = update.point
        seat.pencils[i].attributes = update.attributes
        guard update.phase == .ended || update.phase == .cancelled else { return follow(seat, i, moved: true) }
        event(seat, update.phase, seat.pencils[i])
        return seat.pencils.remove(at: i).aim?.window
    }

    func followPencils(_ seat: Person) {
        for i in seat.pencils.indices where !seat.fingers.contains(where: { $0.id == seat.pencils[i].id }) {
            _ = follow(seat, i, moved: false)
        }
    }

    private func follow(_ seat: Person, _ i: Int, moved: Bool) -> Window.ID? {
        let pencil = seat.pencils[i]
        var now: Aim?
        if screen(pencil.screen)?.isInteractive == true {
            now = hit(pencil.point, pencil.screen).map { Aim(window: $0.0.id, surface: $0.1?.id) }
        }
        if let old = pencil.aim, old.window != now?.window { leave(seat, i, .ended) }
        guard let now else { return nil }
        let old = seat.pencils[i].aim
        if old == nil, ignores(window(now.window)) {
            if moved { ignored += 1 }
            return nil
        }
        seat.pencils[i].aim = now
        guard moved || old?.window != now.window || old?.surface != now.surface else { return nil }
        event(seat, old == nil ? .began : .moved, seat.pencils[i])
        return now.window
    }

    private func leave(_ seat: Person, _ i: Int, _ phase: Event.Phase) {
        event(seat, phase, seat.pencils[i])
        seat.pencils[i].aim = nil
    }

    // MARK: Touches

    func pencilWillLand(_ seat: Person, _ id: Int32) {
        if let i = seat.pencils.firstIndex(where: { $0.id == id }) { leave(seat, i, .ended) }
    }

    func pencilDidLift(_ seat: Person, _ touch: Finger) {
        guard let i = seat.pencils.firstIndex(where: { $0.id == touch.id }) else { return }
        seat.pencils[i].point = touch.point
        if touch.attributes.tool != .direct {
            seat.pencils[i].attributes = Event.TouchAttributes(tool: touch.attributes.tool)
        }
        _ = follow(seat, i, moved: true)
    }

    // MARK: E2

    func cancelPencils(_ seat: Person, _ isAffected: (Aim) -> Bool) {
        for i in seat.pencils.indices where seat.pencils[i].aim.map(isAffected) ?? false {
            leave(seat, i, .cancelled)
        }
    }

    func losePencils(_ seat: Person, on screen: Screen.ID) {
        for i in seat.pencils.indices where seat.pencils[i].screen == screen { leave(seat, i, .cancelled) }
        seat.pencils.removeAll { $0.screen == screen }
    }
}
