// The model's internal record of a seat: its key window, and the targets of its input (K1, E1, E3, E5).

final class SeatNode {
    /// The receiver of a sequence of events.
    struct Target {
        let window: WindowNode
        var surface: Surface.ID?
    }

    /// Targets by touch id. There are few, so a linear search is faster than hashing.
    struct TouchTargets {
        private var all: [(id: Int32, target: Target)] = []

        var ids: [Int32] { all.map(\.id) }
        var targets: [Target] { all.map(\.target) }
        var isEmpty: Bool { all.isEmpty }

        subscript(id: Int32) -> Target? { all.first { $0.id == id }?.target }

        /// The touch has no target yet.
        mutating func add(_ target: Target, of id: Int32) { all.append((id, target)) }

        mutating func remove(_ id: Int32) -> Target? {
            all.firstIndex { $0.id == id }.map { all.remove(at: $0).target }
        }
    }

    let value: Seat
    /// The index among the seats of the model.
    let index: Int

    /// K1.
    var key: WindowNode?
    /// K2: the value of the key-request counter when a window was last made key by request.
    var lastKeyRequest: UInt64 = 0
    /// K2: its value when an invisible window last asked to be made key.
    var lastWish: UInt64 = 0
    /// K8, L2: its value when key was last given without force. Requests of visible windows before that are forgotten;
    /// those after it are the memory of what key was taken from, and of what asked meanwhile.
    var forgotten: UInt64 = 0

    /// The number of steps of input so far.
    var inputCount: UInt64 = 0

    // The targets of the input state in `WindowModel.input`. Without a target, because the sequence was cancelled (E2)
    // or its beginning was not delivered, further events of a sequence are dropped.

    /// E1: the targets of the active touches.
    var touchTargets = TouchTargets()
    /// E5: by pencil id: the windows that were last notified of the pencils above them, with the surfaces that last
    /// received an event.
    var pencilTargets = TouchTargets()
    /// While a button is down: the target of all pointer events.
    var grab: Target?
    /// E2: what a drag of a window has taken, a touch or the pointer's press: a target whose window may leave the screen
    /// or be destroyed.
    var carried: (touch: Int32?, target: Target)?
    /// The surface under the pointer.
    var focus: PointerFocus?
    /// E5: the window that was last sent a pointer entry, and the surface that last received an event.
    var hover: Target?
    var scroll: Target?
    var gesture: Target?
    var shake: Target?

    init(_ value: Seat) {
        self.value = value
        // Ids count up from the first.
        index = Int(value.id.rawValue) - Int(Seat.ID.first.rawValue)
    }

    var id: Seat.ID { value.id }

    /// While a button is down: who is sent the pointer's events.
    var pressTarget: Target? { grab ?? carriedTarget(nil) }

    /// Who is sent the events of a touch.
    func target(ofTouch id: Int32) -> Target? { touchTargets[id] ?? carriedTarget(id) }

    /// Ends a touch.
    /// - Returns: who is sent its end.
    func removeTarget(ofTouch id: Int32) -> Target? {
        if let target = touchTargets.remove(id) { return target }
        defer { if carried?.touch == id { carried = nil } }
        return carriedTarget(id)
    }

    private func carriedTarget(_ touch: Int32?) -> Target? {
        carried.flatMap { $0.touch == touch ? $0.target : nil }
    }
}
