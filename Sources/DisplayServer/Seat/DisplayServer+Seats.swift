// The seats, and their keyboards' layouts.

import MullionWayland
import WindowModel

extension DisplayServer {
    /// The first seat, used when none is specified.
    var seat: ServerSeat { seats[0] }

    /// The seat with that id in the model; nil when there is none.
    func seat(_ id: Seat.ID) -> ServerSeat? {
        // Ids count up from the first, and seats are never removed.
        let index = Int(id.rawValue) - Int(Seat.ID.first.rawValue)
        return seats.indices.contains(index) ? seats[index] : nil
    }

    /// - Throws: K1 for a name that is not a seat's.
    package func seat(named name: String) throws(ModelError) -> ServerSeat {
        guard let seat = seats.first(where: { $0.name == name }) else {
            throw ModelError(
                kind: .unknownSeat, rule: .k1,
                message: "\"\(name)\" is not a seat; use one of \(seats.map(\.name).joined(separator: ", "))")
        }
        return seat
    }

    /// The seat of a screen (K1); nil while the screen is not connected.
    func seat(of screen: Screen.ID) -> ServerSeat? { model.seat(of: screen).flatMap { seat($0) } }

    /// K1: adds a seat with the screens of these names, whenever they are connected, and announces its wl_seat to
    /// programs. Sequences of other seats on these screens end, as in the model.
    /// - Parameter keyboard: nil: the seat uses the common configuration, and follows its changes.
    /// - Throws: E3 for an invalid keyboard; K1 for a name that is empty or taken, for an empty list of screens, and
    ///   for a screen that is listed twice or belongs to another seat. Nothing has changed then.
    @discardableResult
    public func addSeat(
        name: String, screens: [String], keyboard: KeyboardConfiguration? = nil
    ) throws(ModelError) -> Seat.ID {
        // Before the seat exists, so that a refusal changes nothing.
        try keyboard?.check()
        // Earlier requests of clients apply to the earlier seats.
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

    /// Called when a window has moved away: closes its pop-ups (E3), except those of the seat that now has it (K1).
    func endPopupGrabs(in window: Window.ID, exceptOf owner: Seat.ID? = nil) {
        for seat in seats where seat.id != owner { seat.popupGrabs.windowDidEnd(window) }
    }

    // MARK: Keyboards

    /// Changes a keyboard at any time: the common configuration, for all seats without their own; or that of one seat,
    /// which has its own configuration from then on (K1).
    /// - Parameter compiled: the layouts that are compiled already.
    /// - Throws: K1 for a seat that does not exist, E3 for an invalid configuration, with the allowed values. Nothing
    ///   has changed then.
    public func setKeyboard(
        _ configuration: KeyboardConfiguration, of id: Seat.ID? = nil, _ compiled: CompiledLayouts = CompiledLayouts()
    ) throws(ModelError) {
        if let id {
            guard let seat = seat(id) else {
                throw ModelError(kind: .unknownSeat, rule: .k1, message: "\(id) is not a seat")
            }
            try seat.keyboard.configure(configuration, compiled)
            seat.hasOwnKeyboard = true
            return
        }
        let others = seats.filter { !$0.hasOwnKeyboard }
        if others.isEmpty { try configuration.check(compiled) }
        // The first one tries the configuration; the others use its keymaps.
        for seat in others { try seat.keyboard.configure(configuration, compiled) }
        keyboard = configuration
    }
}
