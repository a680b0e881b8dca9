// Measures a full-size client that animates at 60 Hz.

import Glibc

enum Frames {
    private static let period = 1.0 / 60
    /// Rounds of one window per party; together they last two seconds per party.
    private static let rounds = 4
    private static let window = 0.5

    /// The results of one party: intervals in seconds of all windows, CPU seconds per frame of each window.
    private struct Pace {
        var intervals: [Double] = []
        var cpu: [Double] = []

        /// Adds one window. The first frame comes immediately; the regular frames, and so the intervals, begin after
        /// it.
        mutating func add(_ times: [Double], cpuTime: Double) {
            intervals += zip(times.dropFirst(2), times.dropFirst()).map { $0 - $1 }
            cpu.append(cpuTime / Double(max(1, times.count)))
        }

        var framesPerSecond: Double { Double(intervals.count) / max(intervals.reduce(0, +), 1e-9) }
        var unevenness: Double { Statistics.percentile(0.99, intervals.map { abs($0 - Frames.period) }) }
    }

    static func measure() throws -> [Row] {
        let servers = [try PrivateServer(), try PrivateServer(["--compose"])]
        var animations: [(Double) throws -> [Double]] = []
        for server in servers {
            let client = try BenchClient(server)
            let buffers = try [0xff20_4060, 0xff60_4020].map {
                try client.buffer($0, width: BenchClient.screen.width, height: BenchClient.screen.height)
            }
            let surface = try client.window(buffers[0])
            animations.append { try client.animate(surface, buffers, seconds: $0) }
        }
        let echo = try EchoProcess()
        let exchange = Exchange(echo.socket, batch: 1)
        let copy = MemoryCopy()
        var paces = [Pace(), Pace(), Pace()]
        var copies: [Double] = []
        for round in 0...rounds {
            for party in 0..<3 {
                let process = party < 2 ? servers[party].process : echo.process
                let before = try process.cpuTime()
                let times = party < 2 ? try animations[party](window) : try bare(exchange)
                let used = try process.cpuTime() - before
                if round > 0 { paces[party].add(times, cpuTime: used) }
            }
            let used = try paced(copy)
            if round > 0 { copies.append(used) }
        }
        let timer = "bare timer and echo process"
        return [
            Row("frames, unobserved", paces[0].framesPerSecond, "/s", per: timer, paces[2].framesPerSecond),
            Row("frames, composed", paces[1].framesPerSecond, "/s", per: timer, paces[2].framesPerSecond),
            Row(
                "unevenness of frames (p99), unobserved", paces[0].unevenness * 1e3, "ms", per: timer,
                paces[2].unevenness * 1e3),
            Row(
                "unevenness of frames (p99), composed", paces[1].unevenness * 1e3, "ms", per: timer,
                paces[2].unevenness * 1e3),
            Row(
                "server CPU per full-size frame, unobserved", paces[0].cpu, "µs", scale: 1e6,
                per: "bare echo process at 60 Hz", paces[2].cpu),
            Row(
                "server CPU per full-size frame, composed", paces[1].cpu, "µs", scale: 1e6,
                per: "memcpy of the same bytes at 60 Hz", copies),
        ]
    }

    /// The echo process, woken at exactly 60 Hz for one window.
    private static func bare(_ exchange: Exchange) throws -> [Double] {
        var times: [Double] = []
        try everyPeriod {
            try exchange.run()
            times.append(Clock.now)
        }
        return times
    }

    /// CPU seconds for each memcpy of one window, at the same intervals as frames, so that caches are equally cold.
    static func paced(_ copy: MemoryCopy) throws -> Double {
        var used: [Double] = []
        try everyPeriod {
            let before = Clock.ownThread
            copy.run()
            used.append(Clock.ownThread - before)
        }
        return used.reduce(0, +) / Double(max(1, used.count))
    }

    private static func everyPeriod(_ body: () throws -> Void) throws {
        let start = Clock.now
        for frame in 1...Int(window / period) {
            try Clock.sleep(until: start + Double(frame) * period)
            try body()
        }
    }
}

/// memcpy of the pixels of a full-size picture, alternating between two sources as in an animation.
@safe final class MemoryCopy {
    static let bytes = BenchClient.screen.width * BenchClient.screen.height * 4
    private let target = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 4096)
    private let sources = unsafe (0..<2).map { _ in UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 4096)
    }
    private var count = 0

    init() {
        // Touch all pages, so that each is allocated.
        unsafe (sources + [target]).forEach { unsafe memset($0, 0x55, Self.bytes) }
    }

    deinit { unsafe (sources + [target]).forEach { unsafe $0.deallocate() } }

    func run() {
        unsafe memcpy(target, sources[count % 2], Self.bytes)
        count += 1
    }
}
