// Whose events they are (K1).

import WindowModel

extension InputPlanner {
    /// The seat that has the event's screen; the first one's is what names no screen.
    func seat(of event: InputEvent) -> ServerSeat {
        switch event {
        case .touch(let id, let phase, let place):
            let running = phase == .began ? nil : server.seats.first { isRunning(id, place.screen, by: $0) }
            return running ?? seat(of: place.screen)
        case .tap(_, let place), .click(_, let place): return seat(of: place.screen)
        case .drag(let drag): return seat(of: drag.screen)
        case .hover(let place, _): return place.point == nil ? server.seat : seat(of: place.screen)
        case .scroll(_, _, let place): return place.screen == nil ? server.seat : seat(of: place.screen)
        case .button, .key, .text: return server.seat
        }
    }

    /// Whether the seat has that touch down, on that screen when one is named; it may have been unplugged since.
    private func isRunning(_ id: Int32, _ reference: ScreenReference?, by seat: ServerSeat) -> Bool {
        guard let touch = states[seat.index].touches[id] else { return false }
        guard let reference else { return true }
        return reference.text == "\(touch.screen)" || screen(reference) == touch.screen
    }

    /// The first one for a screen that is not there: it is refused later.
    private func seat(of reference: ScreenReference?) -> ServerSeat {
        let screen = reference.map { self.screen($0) } ?? server.model.mainScreen
        return screen.flatMap { server.seat(of: $0) } ?? server.seat
    }

    private func screen(_ reference: ScreenReference) -> Screen.ID? { try? server.screen(reference.text).id }
}
