// Clocks, medians, and interleaved sampling.

import Glibc

/// Clocks in seconds.
enum Clock {
    /// The monotonic clock.
    static var now: Double { read(CLOCK_MONOTONIC) }

    /// CPU time of the calling thread.
    static var ownThread: Double { read(CLOCK_THREAD_CPUTIME_ID) }

    /// Reads a clock that exists.
    static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Waits until the monotonic clock reaches `deadline`.
    static func sleep(until deadline: Double) throws {
        let whole = deadline.rounded(.down)
        var time = timespec(tv_sec: Int(whole), tv_nsec: Int((deadline - whole) * 1e9))
        while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR { try Interruption.check() }
    }
}

enum Statistics {
    /// 0 for no samples.
    static func median(_ samples: [Double]) -> Double {
        let sorted = samples.sorted()
        guard !sorted.isEmpty else { return 0 }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The smallest sample that is not exceeded by at least this share of all samples; 0 for no samples.
    static func percentile(_ share: Double, _ samples: [Double]) -> Double {
        let sorted = samples.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[max(0, min(sorted.count - 1, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
    }
}

/// Runs one window of each body in turn, `rounds` times, after a warm-up round.
/// - Returns: the samples of each body.
func interleaved(_ rounds: Int, _ bodies: [() throws -> Double]) throws -> [[Double]] {
    var samples = [[Double]](repeating: [], count: bodies.count)
    for round in 0...rounds {
        for (index, body) in bodies.enumerated() {
            let sample = try body()
            if round > 0 { samples[index].append(sample) }
            try Interruption.check()
        }
    }
    return samples
}

/// The mean time per run of `count` runs of `body`, in seconds.
func timed(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
    let start = Clock.now
    for _ in 0..<count { try body() }
    return (Clock.now - start) / Double(count)
}

/// Lets Ctrl-C end the run between two windows, so that servers and folders are cleaned up.
enum Interruption {
    /// The signal received, or 0. A single word, written only by the handler.
    nonisolated(unsafe) private(set) static var signal: Int32 = 0

    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            _ = Glibc.signal(number) { unsafe Interruption.signal = $0 }
        }
        _ = Glibc.signal(SIGPIPE, SIG_IGN)
    }

    static func check() throws {
        if unsafe signal != 0 { throw MeasurementError("interrupted") }
    }
}

/// SplitMix64: the same positions in every run.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
