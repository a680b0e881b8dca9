// Measures one request and its answer: the latency, and the server's CPU time.
//
// All processes share one processor: on several, the scheduler's placement changes a round trip fivefold for a whole
// run, so that medians do not help.

/// The latency of wl_display.sync.
enum RoundTrip {
    static func measure() throws -> [Row] {
        let processors = try OneProcessor()
        defer { processors.restore() }
        let server = try PrivateServer()
        let echo = try EchoProcess()
        let asked = try Exchange(server, batch: 1)
        let bare = Exchange(echo.socket, batch: 1)
        let samples = try interleaved(
            100, [{ try timed(100, asked.run) }, { try timed(100, bare.run) }])
        return [
            Row("round trip, wl_display.sync", samples[0], "µs", scale: 1e6, per: "bare echo process", samples[1])
        ]
    }
}

/// The server's CPU time for wl_display.sync.
enum SyncCost {
    static func measure() throws -> [Row] {
        let processors = try OneProcessor()
        defer { processors.restore() }
        let server = try PrivateServer()
        let echo = try EchoProcess()
        return try [(1000, "sync, 1,000 in one write"), (1, "sync alone")].map { batch, what in
            let asked = try Exchange(server, batch: batch)
            let bare = Exchange(echo.socket, batch: batch)
            let count = batch == 1 ? 200 : 40
            func cost(_ process: Child, _ exchange: Exchange) throws -> Double {
                let before = try process.cpuTime()
                for _ in 0..<count { try exchange.run() }
                return (try process.cpuTime() - before) / Double(count * batch)
            }
            let samples = try interleaved(
                50, [{ try cost(server.process, asked) }, { try cost(echo.process, bare) }])
            return Row(
                "server CPU per \(what)", samples[0], "µs", scale: 1e6, per: "bare echo process", samples[1])
        }
    }
}
