// Measures how many events per second reach the windows of 100 clients.
//
// All processes share one processor, as in RoundTrip: a second is shared by all of them, including writers and readers.
// This process is all the clients: it waits while the server routes events, then reads them in a few large pieces per
// client.

import Glibc
import MullionSystem
import MullionWayland

enum InputRate {
    private static let rounds = 30
    private static let perClient = 40
    private static let cells = Array(0..<InjectedMotion.cells)

    static func measure() throws -> [Row] {
        let processors = try OneProcessor()
        defer { processors.restore() }
        let server = try PrivateServer()
        let clients = try cells.map { cell in
            let client = try BenchClient(server)
            let content = try client.buffer(0xff20_4060, width: 8, height: 8)
            _ = try client.window(content, at: InjectedMotion.place(of: cell))
            return client
        }
        let injector = try BenchClient(server)
        let device = try injector.virtualPointer()
        let control = try ControlConnection(server)
        try control.send("POST", "/v1/input", touches("began", 50))
        for client in clients { try client.connection.roundTrip() }
        let relay = try RelayProcess(readers: cells.count)

        let pointers = clients.map {
            // wl_pointer.enter and wl_pointer.motion: a motion into another window is reported by enter.
            EventReader($0.connection.transport.socket, object: $0.pointer.id, events: [0, 2])
        }
        // wl_touch.motion
        let fingers = clients.map { EventReader($0.connection.transport.socket, object: $0.touch.id, events: [2]) }
        let bare = relay.readers.map { EventReader($0, object: device.id, events: [1]) }
        let inTurn = InjectedMotion(device.id, to: (0..<perClient).flatMap { _ in cells })
        let within = InjectedMotion(
            device.id, to: cells.flatMap { [Int](repeating: $0, count: perClient) }, offsets: [0, 1])
        let moves = (0..<perClient).map { touches("moved", 51 + $0) }

        var cpu: [[Double]] = [[], [], [], []]
        func body(
            _ party: Int, _ process: Child, _ readers: [EventReader], _ inject: @escaping () throws -> Void
        ) -> () throws -> Double {
            {
                let before = try process.cpuTime()
                let time = try timed(1) {
                    try inject()
                    for reader in readers { try reader.read(perClient) }
                }
                let events = Double(cells.count * perClient)
                cpu[party].append((try process.cpuTime() - before) / events)
                return time / events
            }
        }
        let samples = try interleaved(
            rounds,
            [
                body(0, server.process, pointers) { try inTurn.send(to: injector.connection.transport.socket) },
                body(1, server.process, pointers) { try within.send(to: injector.connection.transport.socket) },
                body(2, server.process, fingers) { for move in moves { try control.send("POST", "/v1/input", move) } },
                body(3, relay.process, bare) { try inTurn.send(to: relay.writer) },
            ])
        withExtendedLifetime(clients) {}
        let names = [
            "pointer motions, each into another window", "pointer motions, 40 in each window",
            "touches moved, lists of 100 by POST /v1/input",
        ]
        return names.enumerated().flatMap { party, name in
            [
                Row(rate: "\(name), read by 100 clients", samples[party], per: "bare relay process", samples[3]),
                Row(
                    "server CPU per event, \(name)", cpu[party], "µs", scale: 1e6, per: "bare relay process", cpu[3]),
            ]
        }
    }

    /// A list of steps of 100 touches, one in each window, at this offset in points from its corner.
    private static func touches(_ phase: String, _ offset: Int) -> String {
        let steps = cells.map { cell in
            let place = InjectedMotion.place(of: cell)
            return "{\"type\":\"touch\",\"id\":\(cell),\"phase\":\"\(phase)\",\"x\":\(place.x + offset),"
                + "\"y\":\(place.y + 50)}"
        }
        return "[" + steps.joined(separator: ",") + "]"
    }
}

extension Row {
    /// A rate computed from the seconds per event; the ratio is that of the times.
    fileprivate init(rate what: String, _ samples: [Double], per reference: String, _ bare: [Double]) {
        self.init(what, samples, "/s", per: reference, bare)
        let ratio = ratio
        self.init(
            what, 1 / Statistics.median(samples), "/s", per: reference, 1 / Statistics.median(bare))
        self.ratio = ratio
    }
}

/// Reads a client's events from its socket, and counts some of them.
private final class EventReader {
    private static let size = 64 * 1024
    nonisolated(unsafe) private static let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: size, alignment: 8)
    private let socket: OwnedDescriptor
    private let object: UInt32
    private let events: [UInt32]

    init(_ socket: OwnedDescriptor, object: ObjectID, events: [UInt32]) {
        self.socket = socket
        self.object = object.rawValue
        self.events = events
    }

    /// Reads until this many of the events have arrived.
    func read(_ count: Int) throws {
        var (kept, found) = (0, 0)
        while found < count || kept > 0 {
            var waiting = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&waiting, 1, 10_000) == 1 else {
                throw MeasurementError("only \(found) of \(count) events arrived")
            }
            let free = unsafe UnsafeMutableRawBufferPointer(rebasing: Self.buffer[kept...])
            let got = unsafe recv(socket.rawValue, free.baseAddress, free.count, Int32(MSG_DONTWAIT))
            guard got > 0 else {
                try Interruption.check()
                throw got < 0 ? MeasurementError.system("recv") : MeasurementError("the connection was closed")
            }
            let end = kept + got
            var position = 0
            while end - position >= 8 {
                let words = unsafe Self.buffer.baseAddress?.advanced(by: position).assumingMemoryBound(to: UInt32.self)
                guard let words = unsafe words, unsafe words[1] >> 16 >= 8 else {
                    throw MeasurementError("the data is not a sequence of events")
                }
                let size = unsafe Int(words[1] >> 16)
                guard end - position >= size else { break }
                if unsafe words[0] == object, unsafe events.contains(words[1] & 0xffff) { found += 1 }
                position += size
            }
            kept = end - position
            unsafe Self.buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: Self.buffer[position..<end]))
        }
    }
}
