// A clock that is never set, and the processor time of a thread.

import Glibc

/// CLOCK_MONOTONIC.
package enum MonotonicClock {
    /// Nanoseconds since an unspecified moment before the process started.
    package static var nanoseconds: UInt64 {
        nanosecondsOf(CLOCK_MONOTONIC)
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

/// CLOCK_THREAD_CPUTIME_ID: for limiting work by the processor time that it takes, however busy the machine is.
package enum ThreadClock {
    /// Nanoseconds of processor time of the calling thread.
    package static var nanoseconds: UInt64 { nanosecondsOf(CLOCK_THREAD_CPUTIME_ID) }
}

private func nanosecondsOf(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}
