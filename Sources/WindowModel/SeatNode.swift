// The model's own record of a seat: its key window, and what it remembers between events (K1, E1, E3, E5).

import Geometry

final class SeatNode {
    /// Where a sequence of events goes.
    struct Target {
        let window: WindowNode
        var surface: Surface.ID?
    }

    struct Touch {
        let id: Int32
        let screen: Screen.ID
        /// E2: nil once cancelled, or when nothing was hit: the rest goes nowhere.
        var target: Target?
        /// In the screen's points.
        var point: Point
        var attributes: Event.TouchAttributes
    }

    /// A sequence that began and has not ended: a scroll, a gesture, a shake.
    struct Sequence {
        /// E2: nil once cancelled, or when nobody took the beginning: the rest goes nowhere.
        var target: Target?
        /// The latest step without its movement, for the case that it is cancelled.
        var rest: Event.Detail
    }

    let value: Seat

    /// K1.
    var key: WindowNode?
    /// K2: the count of key requests when a window was last made key here by request.
    var lastKeyRequest: UInt64 = 0

    /// E1: the touches that are down.
    var touches: [Touch] = []

    /// Nil until the pointer has been anywhere, and after its screen was unplugged.
    var pointerScreen: Screen.ID?
    /// In the screen's points.
    var pointer = Point.zero
    /// The buttons that are down, in order.
    var buttons: [UInt32] = []
    /// While a button is down: who gets all pointer events. Nil then: they go nowhere.
    var grab: Target?
    /// The surface under the pointer.
    var focus: PointerFocus?
    /// E5: the window that was told that the pointer entered it, and the surface that was told last.
    var hover: Target?
    var scroll: Sequence?
    var gesture: Sequence?

    /// The keys that the key window got and that are still down, in order.
    var keys: [UInt32] = []
    var shake: Sequence?

    init(_ value: Seat) { self.value = value }

    var id: Seat.ID { value.id }
}
