// Random operations on pencils above screens.

import WindowModel

extension RandomRun {
    /// A pencil comes, moves or goes, unless it touches the screen; the routing must agree.
    func pencil() throws {
        guard let screen = random.pick(reference.screens)?.id, let seat = reference.seat(screen) else { return }
        // Touches have ids up to 8: these pencils touch the screen too.
        let id = Int32(random.below(3))
        guard !seat.fingers.contains(where: { $0.id == id }) else { return }
        let running = seat.pencils.first { $0.id == id }
        let place = running?.screen ?? screen
        let pencil = Pencil(altitude: 1, roll: 2, distance: 0.5, end: id == 0 ? .eraser : .tip)
        let update = TouchUpdate(
            id: id, phase: running == nil ? .began : random.chance(70) ? .moved : .ended, point: point(on: place),
            attributes: Event.TouchAttributes(tool: .pencil(pencil)))
        say("pencil \(update) above \(place)")
        try check(try model.pencil(update, on: place, time: time), reference.hover(seat, update, place))
    }

    /// Takes all pencils away.
    func liftPencils(of seat: Person) throws {
        for pencil in seat.pencils {
            let update = TouchUpdate(
                id: pencil.id, phase: .ended, point: pencil.point, attributes: pencil.attributes)
            try check(
                try model.pencil(update, on: pencil.screen, time: time), reference.hover(seat, update, pencil.screen))
        }
    }
}
