// The input state of all seats.

/// The input of every seat, as a value: the model's own state, and the copy on which a list of steps is checked before
/// it begins.
public struct InputState: Hashable, Sendable {
    /// E1: the largest number of active touches on all seats.
    public var maximumTouches = Int.max
    /// In order of the seats' ids, which count up from the first.
    fileprivate var seats: [SeatInput]

    /// Creates a state with nothing held down on any seat.
    public init(seatCount: Int) { seats = Array(repeating: SeatInput(), count: seatCount) }

    /// The state of a seat. A seat that does not exist has nothing held down.
    public subscript(seat: Seat.ID) -> SeatInput {
        // In place, so that a step copies nothing.
        _read {
            let index = Self.index(of: seat)
            if seats.indices.contains(index) {
                yield seats[index]
            } else {
                yield SeatInput()
            }
        }
        _modify {
            let index = Self.index(of: seat)
            if seats.indices.contains(index) {
                yield &seats[index]
            } else {
                var nobody = SeatInput()
                yield &nobody
            }
        }
    }

    private static func index(of seat: Seat.ID) -> Int { Int(seat.rawValue) - Int(Seat.ID.first.rawValue) }

    private static func seat(at index: Int) -> Seat.ID { Seat.ID(rawValue: Seat.ID.first.rawValue + UInt32(index)) }

    mutating func addSeat() { seats.append(SeatInput()) }

    /// K1: moves the touches of a screen that has moved to another seat. They stay on the screen, and still have to end
    /// (E2).
    mutating func moveTouches(on screen: Screen.ID, from old: Seat.ID, to new: Seat.ID) {
        self[new].touches += self[old].touches.filter { $0.screen == screen }
        self[old].touches.removeAll { $0.screen == screen }
    }

    /// The states of all seats, in order of id.
    var all: [(id: Seat.ID, state: SeatInput)] { seats.enumerated().map { (Self.seat(at: $0), $1) } }

    /// The number of pencils above screens.
    public var pencilCount: Int { seats.reduce(0) { $0 + $1.pencils.count } }

    // MARK: Touches

    /// The number of active touches.
    public var touchCount: Int { seats.reduce(0) { $0 + $1.touches.count } }

    /// The seats with an active touch that satisfies the condition, in order of id, each with its first one.
    public func touches(where condition: (SeatInput.Touch) -> Bool) -> [(seat: Seat.ID, touch: SeatInput.Touch)] {
        seats.enumerated().compactMap { index, seat in
            guard let touch = seat.touches.first(where: condition) else { return nil }
            return (Self.seat(at: index), touch)
        }
    }

    /// The touch of that id on a screen of `seat`, or, if `seat` is nil, on a screen that was unplugged.
    public func touch(_ id: Int32, on screen: Screen.ID, of seat: Seat.ID?) -> SeatInput.Touch? {
        if let seat { return self[seat].touches.first { $0.id == id } }
        return touches { $0.id == id && $0.screen == screen }.first?.touch
    }

    /// Performs a step of a touch.
    /// - Parameter seat: that of the screen; nil when the screen is not connected: a touch that began there can still
    ///   end.
    /// - Returns: the seat of the touch, and the touch after the step.
    /// - Throws: S1 for an unknown screen, E1 and E9; nothing has changed then.
    @discardableResult
    public mutating func touch(
        _ update: TouchUpdate, on screen: Screen.ID, of seat: Seat.ID?
    ) throws(ModelError) -> (seat: Seat.ID, touch: SeatInput.Touch) {
        let owner = try owner(of: update, on: screen, of: seat)
        return (Self.seat(at: owner), seats[owner].apply(update, on: screen))
    }

    /// Performs steps of several touches atomically.
    /// - Returns: the seat of the touches, and the touches after their steps, in the same order; nil for no touches.
    /// - Throws: what `touch` throws, and E1 for a touch that is named twice.
    @discardableResult
    public mutating func touches(
        _ updates: [TouchUpdate], on screen: Screen.ID, of seat: Seat.ID?
    ) throws(ModelError) -> (seat: Seat.ID, touches: [SeatInput.Touch])? {
        var named: Set<Int32> = []
        var change = 0
        var first: Int?
        // The steps are of different touches, so checking each one suffices.
        for update in updates {
            guard named.insert(update.id).inserted else {
                throw .notAllowed(.e1, "touch \(update.id) is named twice; use one step per touch")
            }
            let owner = try owner(of: update, on: screen, of: seat, after: change)
            if first == nil { first = owner }
            switch update.phase {
            case .began: change += 1
            case .ended, .cancelled: change -= 1
            case .moved, .stationary: break
            }
        }
        guard let first else { return nil }
        return (Self.seat(at: first), updates.map { seats[first].apply($0, on: screen) })
    }

    /// - Throws: what `touch` throws.
    public func check(_ update: TouchUpdate, on screen: Screen.ID, of seat: Seat.ID?) throws(ModelError) {
        _ = try owner(of: update, on: screen, of: seat)
    }

    /// - Parameter change: the change of the number of active touches by the preceding simultaneous steps.
    /// - Returns: the index of the touch's seat.
    private func owner(
        of update: TouchUpdate, on screen: Screen.ID, of seat: Seat.ID?, after change: Int = 0
    ) throws(ModelError) -> Int {
        let owner: Int? =
            if let seat { Self.index(of: seat) } else {
                seats.firstIndex { $0.touches.contains { $0.id == update.id && $0.screen == screen } }
            }
        guard let owner, seats.indices.contains(owner), seat != nil || update.phase != .began else {
            throw .unknown(screen)
        }
        try seats[owner].check(update, on: screen)
        guard update.phase != .began || maximumTouches == .max || touchCount + change < maximumTouches else {
            throw .notAllowed(
                .e1, "limit reached: \(maximumTouches) active touches; end one before another begins")
        }
        return owner
    }
}

extension InputState {
    /// A seat's state, modified in place and without a search; for the model, which has the node.
    subscript(seat: SeatNode) -> SeatInput {
        @inline(__always) _read { yield seats[seat.index] }
        @inline(__always) _modify { yield &seats[seat.index] }
    }
}
