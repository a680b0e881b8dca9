// A clock that is never set.

import Glibc

/// CLOCK_MONOTONIC.
package enum MonotonicClock {
    /// Nanoseconds since an unspecified moment before the process started.
    package static var nanoseconds: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Seconds since the same moment.
    package static var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Sleeps until that time; signals do not interrupt it.
    package static func sleep(untilNanoseconds deadline: UInt64) {
        var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        // Unlike other calls, this one returns the error.
        while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}
