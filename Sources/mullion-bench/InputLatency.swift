// Measures the time from injecting an event until a client has read it.
//
// All processes share one processor, as in RoundTrip.

import MullionWayland

enum InputLatency {
    /// wl_pointer.motion and wl_pointer.frame.
    private static let motionBytes = 28
    private static let count = 50
    private static let rounds = 60

    static func measure() throws -> [Row] {
        let processors = try OneProcessor()
        defer { processors.restore() }
        let server = try PrivateServer()
        let client = try BenchClient(server)
        _ = try client.window(client.buffer(0xff20_4060, width: 8, height: 8))
        let injector = try BenchClient(server)
        let device = try injector.virtualPointer()
        let motions = [0, 1].map { InjectedMotion(device.id, to: [0], offsets: [$0]) }
        let hovers = [40, 41].map { "{\"type\":\"hover\",\"x\":\($0),\"y\":40}" }
        // Moves into the window; the client itself reads that event.
        try motions[1].send(to: injector.connection.transport.socket)
        try injector.connection.roundTrip()
        try client.connection.roundTrip()
        let reader = try ReaderProcess(client.connection.descriptor)
        let control = try ControlConnection(server)
        let relay = try RelayProcess(readers: 1)
        let bareReader = try ReaderProcess(relay.readers[0].rawValue)

        /// The median latency of a window, and the CPU time of the server or relay per event.
        func window(
            _ process: Child, _ reader: ReaderProcess, _ inject: (Int) throws -> Void,
            _ finish: () throws -> Void = {}
        ) throws -> (latency: Double, cpu: Double) {
            var latencies: [Double] = []
            let before = try process.cpuTime()
            for index in 0..<count {
                let start = Clock.now
                try inject(index)
                latencies.append(try reader.wait(for: motionBytes) - start)
                try finish()
            }
            return (Statistics.median(latencies), (try process.cpuTime() - before) / Double(count))
        }
        var cpu: [[Double]] = [[], [], []]
        func body(_ party: Int, _ run: @escaping () throws -> (latency: Double, cpu: Double)) -> () throws -> Double {
            {
                let (latency, used) = try run()
                cpu[party].append(used)
                return latency
            }
        }
        let samples = try interleaved(
            rounds,
            [
                body(0) {
                    try window(server.process, reader) {
                        try motions[$0 % 2].send(to: injector.connection.transport.socket)
                    }
                },
                body(1) {
                    try window(
                        server.process, reader, { try control.begin("POST", "/v1/input", hovers[$0 % 2]) },
                        control.finish)
                },
                body(2) {
                    try window(relay.process, bareReader) { try motions[$0 % 2].send(to: relay.writer) }
                },
            ])
        withExtendedLifetime(client) {}
        let bare = "bare relay process"
        let names = ["zwlr_virtual_pointer_v1", "POST /v1/input"]
        return (0..<2).flatMap { party in
            [
                Row(
                    "injected by \(names[party]), until the client has read it", samples[party], "µs", scale: 1e6,
                    per: bare, samples[2]),
                Row(
                    "server CPU per event of \(names[party]), alone", cpu[party], "µs", scale: 1e6, per: bare, cpu[2]),
            ]
        }
    }
}
