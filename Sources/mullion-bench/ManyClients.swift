// Measures a large number of clients: the cost of each, and the latency of the server.

import Glibc
import MullionWayland

/// 1,000 clients that each show a new picture ten times per second, and one more that measures round trips.
enum ManyClients {
    static let clients = 1000
    /// Pictures per second of one client.
    static let rate = 10
    private static let rounds = 5
    /// The length of one window, in seconds.
    private static let window = 1.0
    /// Seconds between two requests; not a multiple of a frame, so that they hit every moment of one.
    private static let pause = 0.0013

    static func measure() throws -> [Row] {
        let servers = [try PrivateServer(), try PrivateServer(["--compose"]), try PrivateServer()]
        let processes = [try ClientsProcess(servers[0]), try ClientsProcess(servers[1])]
        let questions = try servers.map { try Exchange($0, batch: 1) }
        // For each server: the slowest answers, CPU seconds per second, pictures per second.
        var late = [[Double]](repeating: [], count: 3)
        var used = late
        var pictures = late
        for round in 0...rounds {
            for index in 0..<3 {
                let process = index < 2 ? processes[index] : nil
                try process?.go()
                let start = (Clock.now, try servers[index].process.cpuTime())
                let waits = try questions[index].waits(for: window, pause: pause)
                let time = Clock.now - start.0
                let cpu = try servers[index].process.cpuTime() - start.1
                let count = try process?.stop() ?? 0
                try Interruption.check()
                guard round > 0 else { continue }
                late[index].append(Statistics.percentile(0.99, waits))
                used[index].append(cpu / time)
                pictures[index].append(Double(count) / time)
            }
        }
        let wanted = Double(clients * rate)
        let alone = "a server with no other client"
        return ["unobserved", "composed"].enumerated().flatMap { index, how in
            [
                Row(
                    "\(clients) clients at \(rate) Hz, \(how): an answer (p99)", late[index], "ms", scale: 1e3,
                    per: alone, late[2]),
                Row(
                    "\(clients) clients at \(rate) Hz, \(how): pictures", Statistics.median(pictures[index]), "/s",
                    per: "asked for", wanted),
                Row(
                    "\(clients) clients at \(rate) Hz, \(how): server CPU", Statistics.median(used[index]) * 100,
                    "% of one processor"),
            ]
        }
    }
}
