// GET /v1/seats

import ControlProtocol
import DisplayServer
import WindowModel

extension ControlServer {
    var seatRoutes: [Route] {
        [
            Route(.getSeats) { [unowned self] _ in
                .reply(.json(API.SeatList(seats: server.seats.map { API.Seat($0) })))
            }
        ]
    }
}

extension API.Seat {
    /// A seat and its input (K1).
    fileprivate init(_ seat: ServerSeat) {
        let model = seat.server.model
        let own = model.screens.filter { model.seat(of: $0) == seat.id }.compactMap { model.screen($0)?.name }
        self.init(
            id: seat.id.rawValue, name: seat.name, screens: own,
            awaitedScreens: (model.seat(seat.id)?.screens ?? []).filter { !own.contains($0) },
            keyWindow: model.keyWindow(of: seat.id)?.rawValue,
            pointer: seat.pointer.location.map { place in
                API.Place(
                    screen: place.screen.rawValue, screenName: model.screen(place.screen)?.name ?? "",
                    x: place.point.x, y: place.point.y)
            }, touches: model.touchCount(of: seat.id), keys: seat.keyboard.heldKeys,
            layout: seat.keyboard.configuration.layout.layout)
    }
}
