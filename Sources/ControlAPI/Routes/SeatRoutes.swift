// GET /v1/seats

import DisplayServer
import WindowModel

extension ControlServer {
    var seatRoutes: [Route] {
        [
            Route(.get, "/v1/seats") { [unowned self] _ in
                .reply(.json(SeatList(seats: server.seats.map(SeatPayload.init))))
            }
        ]
    }
}

/// The answer to `GET /v1/seats`.
private struct SeatList: Encodable { var seats: [SeatPayload] }

/// A seat and its input (K1).
private struct SeatPayload: Encodable {
    var id: UInt32
    var name: String
    /// The names of its connected screens.
    var screens: [String]
    /// The names of its screens that are not connected.
    var awaitedScreens: [String]
    var keyWindow: UInt32?
    /// Absent until it has moved.
    var pointer: Place?
    /// E1: the number of active touches on its screens.
    var touches: Int
    /// E3: the evdev codes of the pressed keys.
    var keys: [UInt32]
    /// XKB's names, separated by commas.
    var layout: String

    struct Place: Encodable {
        var screen: UInt32
        var screenName: String
        /// Points of the screen.
        var x: Double
        var y: Double
    }

    init(_ seat: ServerSeat) {
        let model = seat.server.model
        let own = model.screens.filter { model.seat(of: $0) == seat.id }.compactMap { model.screen($0)?.name }
        id = seat.id.rawValue
        name = seat.name
        screens = own
        awaitedScreens = (model.seat(seat.id)?.screens ?? []).filter { !own.contains($0) }
        keyWindow = model.keyWindow(of: seat.id)?.rawValue
        pointer = seat.pointer.location.map { place in
            Place(
                screen: place.screen.rawValue, screenName: model.screen(place.screen)?.name ?? "", x: place.point.x,
                y: place.point.y)
        }
        touches = model.touchCount(of: seat.id)
        keys = seat.keyboard.heldKeys
        layout = seat.keyboard.configuration.layout.layout
    }
}
