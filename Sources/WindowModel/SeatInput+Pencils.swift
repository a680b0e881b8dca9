// The pencils above the screens of one seat.

extension SeatInput {
    /// - Throws: E9 and E1 for invalid numbers, E5 for anything but a pencil, and for one that comes twice, never came,
    ///   has changed its screen, or touches the screen.
    func checkPencil(_ update: TouchUpdate, on screen: Screen.ID) throws(ModelError) {
        try update.point.validate()
        try update.attributes.validate()
        guard update.attributes.tool != .direct else {
            throw .invalid(.e5, "a finger cannot hover; use a pencil or an eraser")
        }
        guard !touches.contains(where: { $0.id == update.id }) else {
            throw .notAllowed(.e5, "\(update.id) touches the screen; end that touch before it hovers")
        }
        let running = pencils.first { $0.id == update.id }
        guard update.phase != .began else {
            guard running == nil else {
                throw .notAllowed(.e5, "pencil \(update.id) already hovers; end that before it begins again")
            }
            return
        }
        guard let running else { throw .pencilDoesNotHover(update.id) }
        guard running.screen == screen else {
            throw .notAllowed(
                .e5, "pencil \(update.id) hovers above screen \(running.screen); end that before it changes its screen")
        }
    }

    /// Performs a validated step.
    /// - Returns: the pencil after it.
    mutating func applyPencil(_ update: TouchUpdate, on screen: Screen.ID) -> Touch {
        guard let index = pencils.firstIndex(where: { $0.id == update.id }) else {
            let pencil = Touch(
                id: update.id, screen: screen, point: update.point, attributes: update.attributes.lifted)
            pencils.append(pencil)
            return pencil
        }
        if update.phase != .stationary { pencils[index].point = update.point }
        pencils[index].attributes = update.attributes.lifted
        return Self.ends(update.phase) ? pencils.remove(at: index) : pencils[index]
    }
}

extension InputState {
    /// The pencil of that id above a screen.
    public func pencil(_ id: Int32, of seat: Seat.ID?) -> SeatInput.Touch? {
        seat.flatMap { self[$0].pencils.first { $0.id == id } }
    }

    /// The seats with a pencil above a screen that satisfies the condition, in order of id, each with its first one.
    public func pencils(where condition: (SeatInput.Touch) -> Bool) -> [(seat: Seat.ID, pencil: SeatInput.Touch)] {
        all.compactMap { seat, state in state.pencils.first(where: condition).map { (seat, $0) } }
    }

    /// Performs a step of a pencil above a screen.
    /// - Parameter seat: that of the screen; nil when the screen is not connected.
    /// - Returns: the pencil after the step.
    /// - Throws: S1 for an unknown screen, E1, E5 and E9; nothing has changed then.
    @discardableResult
    public mutating func pencil(
        _ update: TouchUpdate, on screen: Screen.ID, of seat: Seat.ID?
    ) throws(ModelError) -> SeatInput.Touch {
        guard let seat else { throw .unknown(screen) }
        try self[seat].checkPencil(update, on: screen)
        guard update.phase != .began || maximumTouches == .max || pencilCount < maximumTouches else {
            throw .notAllowed(
                .e5, "limit reached: \(maximumTouches) pencils hover; end one before another begins")
        }
        return self[seat].applyPencil(update, on: screen)
    }
}

extension ModelError {
    /// E5: no such pencil is above a screen.
    public static func pencilDoesNotHover(_ id: Int32) -> ModelError {
        .notAllowed(.e5, "pencil \(id) does not hover; begin that first")
    }
}
