// What the model remembers between events: running touches, the pointer, sequences, pressed keys (E1, E3, E5).

struct Input {
    /// Where a sequence of events goes.
    struct Target {
        let window: WindowNode
        let surface: Surface.ID?
    }

    struct Touch {
        let id: Int32
        let screen: Screen.ID
        /// E2: nil once cancelled, or when nothing was hit: the rest goes nowhere.
        var target: Target?
        /// In the screen's points.
        var point: Point
    }

    /// A scroll or transform sequence (E5).
    struct Sequence {
        var target: Target?
    }

    var touches: [Touch] = []

    /// Nil until the pointer has been anywhere, and after its screen was unplugged.
    var pointerScreen: Screen.ID?
    var pointer = Point.zero
    /// The buttons that are down, in order.
    var buttons: [UInt32] = []
    /// While a button is down: who gets all pointer events. Nil then: they go nowhere.
    var grab: Target?
    var focus: PointerFocus?
    var scroll: Sequence?
    var gesture: Sequence?

    /// The keys that the key window got and that are still down, in order.
    var keys: [UInt32] = []

    /// The time of the latest event, microseconds.
    var now: UInt64 = 0
    var serial: UInt64 = 0
}
