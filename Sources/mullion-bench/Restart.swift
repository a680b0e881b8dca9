// Measures handing over from one server to the next.

import Glibc
import MullionWayland

/// How long 100 clients wait for the server when it is restarted.
enum Restart {
    private static let clients = 100
    private static let rounds = 5

    static func measure() throws -> [Row] {
        // Per round: the time until the old server has ended, and until the last client has an answer from the new one;
        // with clients and without.
        var ends: [Double] = [], answers: [Double] = []
        var bare: [Double] = []
        for _ in 0..<rounds {
            let manager = try ServiceManagerRole()
            bare.append(try restart(manager, []).answer)
            let attached = try (0..<clients).map { index in
                let client = try BenchClient(manager.socket)
                let content = try client.buffer(0xff20_4060, width: 100, height: 100)
                _ = try client.window(content, at: (x: index % 10 * 100, y: index / 10 * 100, width: 100, height: 100))
                return client
            }
            let (end, answer) = try restart(manager, attached)
            ends.append(end)
            answers.append(answer)
            try Interruption.check()
        }
        return [
            Row(
                "a restart with \(clients) clients: until the old server has ended", Statistics.median(ends) * 1e3,
                "ms"),
            Row(
                "a restart with \(clients) clients: until the last has an answer of the new server", answers, "ms",
                scale: 1e3, per: "a restart without clients, until one can attach", bare),
        ]
    }

    /// Stops the server, starts the next, and sends it a request from each client.
    /// - Returns: seconds until the first one has ended, and until the last answer.
    private static func restart(
        _ manager: ServiceManagerRole, _ clients: [BenchClient]
    ) throws -> (end: Double, answer: Double) {
        let start = Clock.now
        try manager.stop()
        let end = Clock.now - start
        try manager.start()
        if clients.isEmpty { _ = try BenchClient(manager.socket) }
        for client in clients { try client.connection.roundTrip() }
        return (end, Clock.now - start)
    }
}
