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

    /// The seat whose screen it is (K1); nil while it is not connected.
    func seat(of screen: Screen.ID) -> ServerSeat? { model.seat(of: screen).flatMap { seat($0) } }

    /// K1: adds a seat that has the screens of these names, whenever they are connected; programs are told of one more
    /// wl_seat. What others hold on these screens ends, as in the model.
    /// - Parameter keyboard: nil: the seat's keyboard is like the first one's, now and when that changes.
    /// - Throws: E3 for a keyboard that cannot be; K1 for a name that is empty or taken, for no screens, and for a screen
    ///   that is named twice or by another seat. Nothing has changed then.
    @discardableResult
    public func addSeat(
        name: String, screens: [String], keyboard: KeyboardConfiguration? = nil
    ) throws(ModelError) -> Seat.ID {
        // Before the seat is there: a refusal changes nothing.
        try keyboard?.check()
        // What clients did before this belongs to the seats that there were.
        carryOutEffects()
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

    /// The window goes: no pop-up in it holds a keyboard any more (E3).
    func endPopupGrabs(in window: Window.ID) {
        for seat in seats { seat.popupGrabs.windowDidEnd(window) }
    }

    // MARK: Keyboards

    /// The keyboard's layouts and repetition, of every seat without a keyboard of its own.
    public var keyboard: KeyboardConfiguration { seat.keyboard.configuration }

    /// Changes the keyboard for everybody at once, at any time, seats with a keyboard of their own excepted.
    /// - Throws: E3, with what is wrong and what is allowed; nothing has changed then.
    public func setKeyboard(_ configuration: KeyboardConfiguration) throws(ModelError) {
        // The first one tries it; the others take its keymaps.
        for seat in seats where !seat.hasOwnKeyboard { try seat.keyboard.configure(configuration) }
    }
}
