// The system calls of the library, wrapped once.

import CLinux
import Glibc

/// strerror(3)
func errorText(_ number: Int32) -> String { unsafe String(cString: strerror(number)) }

/// Seconds of the monotonic clock.
func monotonicSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Waits until the descriptor is readable; -1 milliseconds is for ever. False when it is not, or a signal came.
func waitReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, milliseconds) > 0
}

extension String {
    /// Fit for the wire: without NUL, which ends strings there, and short enough for any message.
    var forWire: String {
        String(String.UnicodeScalarView(unicodeScalars.lazy.filter { $0.value != 0 }.prefix(900)))
    }
}
