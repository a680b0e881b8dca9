// Simulates a day of a busy machine in a minute, to find leaks.

import Glibc
import MullionWayland

/// 24 hours of a manual clock. Every hour, programs start, are shown, touched and photographed, and end, some by
/// crashing; screens are plugged in, rotated and unplugged.
enum Day {
    private static let hours = 24
    private static let programs = 60
    private static let pictures = 10
    private static let plugs = 10
    /// The time between two frames, in microseconds.
    private static let frame = 16_667

    static func measure() throws -> [Row] {
        let server = try PrivateServer(["--clock", "manual"])
        let control = try ControlConnection(server)
        var memory: [Double] = []
        var descriptors: [Int] = []
        for _ in 0..<hours {
            try pass(server, control)
            memory.append(try server.process.memory().anonymous)
            descriptors.append(try server.process.descriptors())
            try Interruption.check()
        }
        // Memory that is filled once and kept is filled in the first third. The allocator returns memory in large
        // steps, so compare the medians of many hours.
        let third = hours / 3
        let before = Statistics.median(Array(memory[third..<(2 * third)]))
        let after = Statistics.median(Array(memory[(2 * third)...]))
        let day = "a day, \(programs * hours) programs and \(plugs * hours) screens"
        return [
            Row(
                "\(day): memory after its last third", after / 1024, "KiB", per: "after the third before",
                before / 1024),
            Row(
                "\(day): open descriptors at its end", Double(descriptors[hours - 1]), "", per: "after an hour",
                Double(descriptors[0])),
            Row("\(day): server CPU", try server.process.cpuTime(), "s"),
        ]
    }

    private static let turns = ["landscapeLeft", "portraitUpsideDown", "landscapeRight"]

    /// Runs one hour.
    private static func pass(_ server: PrivateServer, _ control: ControlConnection) throws {
        var clients: [(client: BenchClient, surface: Proxy<WlSurface>, buffers: [Proxy<WlBuffer>])] = []
        for index in 0..<programs {
            let client = try BenchClient(server)
            let buffers = try [0xff20_4060, 0xff60_4020].map { try client.buffer($0, width: 200, height: 100) }
            let place = (x: index % 9 * 200, y: index / 9 * 100, width: 200, height: 100)
            clients.append((client, try client.window(buffers[0], at: place), buffers))
        }
        /// Advances the clock once all clients have answered.
        func step(_ microseconds: Int) throws {
            try control.begin("PATCH", "/v1/clock", "{\"step\": \(microseconds)}")
            while try !control.hasAnswer() {
                for client in clients { try client.client.connection.dispatch(timeout: 0) }
            }
            try control.finish()
        }
        for picture in 1...pictures {
            for client in clients { client.client.show(client.buffers[picture % 2], on: client.surface) {} }
            try control.send("POST", "/v1/input", "{\"type\": \"tap\", \"x\": \(picture * 90), \"y\": 50}")
            try control.send("POST", "/v1/input", "{\"type\": \"type\", \"text\": \"hour é\"}")
            try step(frame)
        }
        try control.send("GET", "/v1/screens/BUILTIN-1/screenshot.png")
        try control.send("GET", "/v1/tree")
        for plug in 0..<plugs {
            try control.send("POST", "/v1/screens", "{\"model\": \"800x600@60\", \"name\": \"DAY\"}")
            try control.send("PATCH", "/v1/screens/DAY", "{\"orientation\": \"\(turns[plug % turns.count])\"}")
            try step(frame)
            try control.send("DELETE", "/v1/screens/DAY")
        }
        // Every second client crashes; the others disconnect properly.
        for (index, client) in clients.enumerated() where index % 2 == 0 {
            client.surface.send(.destroy)
            try client.client.connection.roundTrip()
        }
        clients.removeAll()
        try step(3_600_000_000)
    }
}
