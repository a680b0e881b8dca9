// Measures how the cost of a request grows with what else exists.
//
// The server's CPU time, as in SyncCost; all servers share one processor and are asked in turn.

import Glibc
import MullionSystem
import MullionWayland

enum Growth {
    private static let rounds = 40
    /// The number of requests in one window.
    private static let count = 100

    static func measure() throws -> [Row] {
        DescriptorLimit.raise()
        let processors = try OneProcessor()
        defer { processors.restore() }
        return try series("clients", [10, 100, 1000, 4000]) { try Populace(clients: $0) }
            + series("screens", [1, 8, 64]) { try Populace(screens: $0) }
            + series("windows", [10, 1000, 10_000]) { try Populace(windows: $0) }
            + series("sub-surfaces", [10, 1000, 16_000]) { try Populace(subsurfaces: $0) } + watched([10, 1000, 4000])
    }

    /// A small animation among this many windows, while somebody watches.
    private static func watched(_ counts: [Int]) throws -> [Row] {
        let populaces = try counts.map { try Populace(windows: $0, isWatched: true) }
        let samples = try interleaved(
            10,
            populaces.map { populace in
                {
                    let before = try populace.server.process.cpuTime()
                    let frames = try populace.animate(seconds: 0.3)
                    return (try populace.server.process.cpuTime() - before) / Double(max(1, frames))
                }
            })
        return zip(counts, samples).dropFirst().map { number, series in
            Row(
                "server CPU per frame of 8×8 pixels, watched, \(Report.text(Double(number))) windows", series, "µs",
                scale: 1e6, per: "\(counts[0])", samples[0])
        }
    }

    /// Makes the same requests among each number of things.
    private static func series(_ what: String, _ counts: [Int], _ make: (Int) throws -> Populace) throws -> [Row] {
        let populaces = try counts.map(make)
        return try Populace.Request.allCases.flatMap { request in
            let samples = try interleaved(
                rounds,
                populaces.map { populace in
                    {
                        let before = try populace.server.process.cpuTime()
                        for _ in 0..<count { try populace.send(request) }
                        return (try populace.server.process.cpuTime() - before) / Double(count)
                    }
                })
            return zip(counts, samples).dropFirst().map { number, series in
                Row(
                    "server CPU per \(request.rawValue), \(Report.text(Double(number))) \(what)", series, "µs",
                    scale: 1e6, per: "\(counts[0])", samples[0])
            }
        }
    }
}

/// A server with many of something, and a client that makes requests.
private final class Populace {
    /// What is asked for, followed by a round trip.
    enum Request: String, CaseIterable {
        case sync = "wl_display.sync"
        case motion = "pointer motion over a window"
        case restack = "change of a window's level"
        case picture = "commit of 8×8 pixels"
    }

    let server: PrivateServer
    private let client: BenchClient
    private let surface: Proxy<WlSurface>
    private let window: Proxy<MullionWindowV1>
    private let buffers: [Proxy<WlBuffer>]
    private let device: ObjectID
    private let motions: [InjectedMotion]
    private var others: [BenchClient] = []
    private var turn = 0

    init(
        clients: Int = 0, screens: Int = 1, windows: Int = 0, subsurfaces: Int = 0, isWatched: Bool = false
    ) throws {
        server = try PrivateServer(
            (0..<screens).flatMap { _ in ["--screen", "1920x1080@60"] } + (isWatched ? ["--compose"] : []))
        // Further screens mirror the first one otherwise, and change with it.
        if screens > 1 {
            let control = try ControlConnection(server)
            for id in 2...screens { try control.send("PATCH", "/v1/screens/\(id)", "{\"mirroring\":\"off\"}") }
        }
        for _ in 0..<clients { others.append(try BenchClient(server)) }
        /// The most windows of one client here.
        let share = 1000
        for first in stride(from: 0, to: windows, by: share) {
            let other = try BenchClient(server)
            let content = try other.buffer(0xff20_4060, width: 8, height: 8)
            for index in first..<min(first + share, windows) {
                let place = (x: index * 37 % 900, y: index * 53 % 1000, width: 80, height: 60)
                other.show(content, at: place, level: Double(index % 7))
            }
            try other.connection.roundTrip()
            others.append(other)
        }
        client = try BenchClient(server)
        let colors: [UInt32] = [0xff60_4020, 0xff20_6040]
        buffers = try colors.map { [client] in try client.buffer($0, width: 8, height: 8) }
        (surface, window) = client.show(buffers[0], at: (x: 960, y: 0, width: 960, height: 1080), level: 3)
        if subsurfaces > 0 {
            for index in 0..<Int32(subsurfaces) {
                client.subsurface(of: surface, buffers[0], x: index % 100 * 8, y: index / 100 * 8)
                // The server accepts a thousand new ones with a commit.
                if index % 500 == 499 { surface.send(.commit) }
            }
            surface.send(.commit)
        }
        let device = try client.virtualPointer()
        self.device = device.id
        motions = [0, 1].map { InjectedMotion(device.id, to: [55], offsets: [$0]) }
        try client.connection.roundTrip()
    }

    /// - Returns: the number of frames.
    func animate(seconds: Double) throws -> Int { try client.animate(surface, buffers, seconds: seconds).count }

    func send(_ request: Request) throws {
        turn += 1
        switch request {
        case .sync: break
        case .motion: try motions[turn % 2].send(to: client.connection.transport.socket)
        case .restack:
            window.send(.setLevel(level: Fixed(rounding: Double(turn % 7))))
            surface.send(.commit)
        case .picture:
            surface.send(.attach(buffer: buffers[turn % 2].id, x: 0, y: 0))
            surface.send(.damageBuffer(x: 0, y: 0, width: 8, height: 8))
            surface.send(.commit)
        }
        try client.connection.roundTrip()
    }
}
