// What is held down, and which serials name it.

import Geometry
import Wayland
import WindowModel

/// A finger, or the pointer from the first button down to the last one up: all its events go to one client.
struct ImplicitGrab {
    let application: Application.ID
    /// Where it is, in the screen's points.
    private(set) var screen: Screen.ID?
    private(set) var point: Point
    /// The buttons that are down, with the serials of their presses; of a finger its own.
    private var presses: [(code: UInt32, serial: UInt32)]

    init(_ event: Event, of application: Application.ID? = nil, code: UInt32, serial: UInt32) {
        self.application = application ?? event.application
        screen = event.screen
        point = event.screenLocation
        presses = [(code, serial)]
    }

    /// Whether the press that the serial names is still held.
    func has(_ serial: UInt32) -> Bool { presses.contains { $0.serial == serial } }

    mutating func move(_ event: Event) {
        screen = event.screen
        point = event.screenLocation
    }

    mutating func press(_ code: UInt32, _ serial: UInt32) { presses.append((code, serial)) }

    /// - Returns: whether it was the last one.
    mutating func release(_ code: UInt32) -> Bool {
        presses.removeAll { $0.code == code }
        return presses.isEmpty
    }
}
