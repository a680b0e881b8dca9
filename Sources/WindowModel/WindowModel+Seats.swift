// Seats and their screens (K1).

extension WindowModel {
    /// In order of id; the first always exists.
    public var seats: [Seat.ID] { seatNodes.map(\.id) }

    /// A seat, nil for any other id.
    public func seat(_ id: Seat.ID) -> Seat? { seatNode(id)?.value }

    /// The seat of that name.
    public func seat(named name: String) -> Seat? { seatNodes.first { $0.value.name == name }?.value }

    /// The seat that a connected screen belongs to: the one that names it, else the first.
    public func seat(of screen: Screen.ID) -> Seat.ID? { screenNode(screen)?.seat?.id }

    /// The seat of the screen that a window is on; nil while it has no screen.
    public func seat(of window: Window.ID) -> Seat.ID? { windowNodes[window]?.screen?.seat?.id }

    /// K1: adds a seat that has the screens of these names, whenever they are connected. Input of the first seat on
    /// these screens ends: touches are cancelled (E2), and a key window there resigns (K5). Throws K1 for a name that
    /// is empty or taken, for no screens, and for a screen that is named twice or by another seat.
    @discardableResult
    public func addSeat(name: String, screens: [String]) throws(ModelError) -> Seat.ID {
        guard !name.isEmpty else { throw .invalid(.k1, "the seat has no name; use one such as seat1") }
        guard seat(named: name) == nil else {
            throw .invalid(.k1, "a seat named \(name) already exists; use a unique name")
        }
        guard !screens.isEmpty, !screens.contains("") else {
            throw .invalid(.k1, "seat \(name) has no screens; list at least one")
        }
        var named: Set<String> = []
        for screen in screens {
            guard named.insert(screen).inserted else {
                throw .invalid(.k1, "seat \(name) lists screen \(screen) twice")
            }
            if let owner = seatNodes.first(where: { $0.value.screens.contains(screen) }) {
                throw .invalid(
                    .k1, "screen \(screen) already belongs to seat \(owner.value.name)")
            }
        }
        let node = SeatNode(Seat(id: Seat.ID(rawValue: UInt32(seatNodes.count + 1)), name: name, screens: screens))
        let first = seatNodes[0]
        // K2: the windows of these screens asked while they were the first seat's.
        node.lastWish = first.lastWish
        node.forgotten = first.forgotten
        seatNodes.append(node)
        input.addSeat()
        let taken = screenNodes.filter { named.contains($0.value.name) }
        for screen in taken { screen.seat = node }
        for screen in taken { take(screen, from: first, to: node) }
        holdersTakeKey()
        return node.id
    }

    /// K1: moves a screen to another seat.
    private func take(_ screen: ScreenNode, from old: SeatNode, to new: SeatNode) {
        if let key = old.key, key.screen === screen { passKey(of: old) }
        cancelSequences { $0.window.screen === screen }
        cancelCarried(of: old) { touch, _ in touch?.screen == screen.id }
        // E2: the touches stay on the screen, and still have to end.
        input.moveTouches(on: screen.id, from: old.id, to: new.id)
        losePencils(of: old, on: screen.id)
        losePointer(of: old, on: screen.id)
    }

    /// K1: the seat that a screen of that name belongs to.
    func seat(ofScreenNamed name: String) -> SeatNode {
        seatNodes.first { $0.value.screens.contains(name) } ?? seatNodes[0]
    }

    func seatNode(_ id: Seat.ID) -> SeatNode? { seatNodes.first { $0.id == id } }

    func node(_ id: Seat.ID) throws(ModelError) -> SeatNode {
        guard let node = seatNode(id) else { throw .unknown(id) }
        return node
    }

    /// The seat whose key window this is.
    func keySeat(of window: WindowNode) -> SeatNode? {
        window.value.isKey ? seatNodes.first { $0.key === window } : nil
    }
}
