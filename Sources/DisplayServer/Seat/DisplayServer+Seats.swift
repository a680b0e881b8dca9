// The seats, and their keyboards' layouts.

import Wayland
import WindowModel

extension DisplayServer {
    /// The first seat: of who does not say which.
    var seat: ServerSeat { seats[0] }

    /// The seat of the model with that id; nil when there is none.
    func seat(_ id: Seat.ID) -> ServerSeat? {
        // Ids count up from the first, and no seat goes.
        let index = Int(id.rawValue) - Int(Seat.ID.first.rawValue)
        return seats.indices.contains(index) ? seats[index] : nil
    }

    /// - Throws: K1 for a name that no seat has.
    package func seat(named name: String) throws(ModelError) -> ServerSeat {
        guard let seat = seats.first(where: { $0.name == name }) else {
            throw ModelError(
                kind: .unknownSeat, rule: .k1,
                message: "there is no seat \"\(name)\"; there are \(seats.map(\.name).joined(separator: ", "))")
        }
        return seat
    }

    /// The seat whose screen it is (K1); nil while it is not connected.
    func seat(of screen: Screen.ID) -> ServerSeat? { model.seat(of: screen).flatMap { seat($0) } }

    /// K1: adds a seat that has the screens of these names, whenever they are connected; programs are told of one more
    /// wl_seat. What others hold on these screens ends, as in the model.
    /// - Parameter keyboard: nil: the seat's keyboard is like everybody's, now and when that changes.
    /// - Throws: E3 for a keyboard that cannot be; K1 for a name that is empty or taken, for no screens, and for a screen
    ///   that is named twice or by another seat. Nothing has changed then.
    @discardableResult
    public func addSeat(
        name: String, screens: [String], keyboard: KeyboardConfiguration? = nil
    ) throws(ModelError) -> Seat.ID {
        // Before the seat is there: a refusal changes nothing.
        try keyboard?.check()
        // What clients did before this belongs to the seats that there were.
        deliverEffects()
        let id = try model.addSeat(name: name, screens: screens)
        let seat = serve(id)
        seat.hasOwnKeyboard = keyboard != nil
        try seat.keyboard.configure(keyboard ?? self.keyboard)
        return id
    }

    /// Serves a seat of the model, and announces it.
    @discardableResult
    func serve(_ id: Seat.ID) -> ServerSeat {
        let seat = ServerSeat(self, id, index: seats.count)
        seats.append(seat)
        globals.add(WlSeat.self) { (client, id, version) throws(ProtocolError) in
            _ = try SeatResource(client, id: id, version: version, seat: seat)
        }
        return seat
    }

    /// Whether something is being dragged on any seat.
    var isDragging: Bool { seats.contains { $0.dragAndDrop.isActive } }

    /// The window has gone from where it was: its pop-ups are closed (E3), but for those of the seat that it is with (K1).
    func endPopupGrabs(in window: Window.ID, exceptOf owner: Seat.ID? = nil) {
        for seat in seats where seat.id != owner { seat.popupGrabs.windowDidEnd(window) }
    }

    // MARK: Keyboards

    /// Changes the keyboard at any time: everybody's at once, seats with a keyboard of their own excepted, or that of a
    /// seat, which has one of its own from then on (K1).
    /// - Throws: K1 for a seat that does not exist; E3, with what is wrong and what is allowed. Nothing has changed then.
    public func setKeyboard(_ configuration: KeyboardConfiguration, of id: Seat.ID? = nil) throws(ModelError) {
        if let id {
            guard let seat = seat(id) else {
                throw ModelError(kind: .unknownSeat, rule: .k1, message: "seat \(id) does not exist")
            }
            try seat.keyboard.configure(configuration)
            seat.hasOwnKeyboard = true
            return
        }
        let others = seats.filter { !$0.hasOwnKeyboard }
        if others.isEmpty { try configuration.check() }
        // The first one tries it; the others take its keymaps.
        for seat in others { try seat.keyboard.configure(configuration) }
        keyboard = configuration
    }
}
