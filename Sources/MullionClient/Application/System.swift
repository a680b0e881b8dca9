// What the library needs of the system and the wire.

import Glibc

/// Waits until the descriptor is readable or a signal has been handled; -1 milliseconds means indefinitely.
/// - Returns: whether it is readable.
func waitReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, milliseconds) > 0
}

extension String {
    /// The text made valid for the wire: cut at the first NUL, and short enough for any message.
    var forWire: String {
        String(String.UnicodeScalarView(unicodeScalars.lazy.filter { $0.value != 0 }.prefix(900)))
    }
}
