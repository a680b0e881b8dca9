// Measures the memory of a server, and what each object adds.

import Glibc
import MullionWayland

enum Memory {
    private static let rounds = 3
    /// The first clients fill the free memory of the start, and pay for what all share.
    private static let clients = (first: 100, more: 300)
    private static let subsurfaces = (first: 500, more: 5000)
    private static let screens = (first: 21, more: 43)

    static func measure() throws -> [Row] {
        // Series over the rounds: after the start, of the bare process, per client, per sub-surface, per screen.
        var resident: [Double] = [], anonymous: [Double] = []
        var bareResident: [Double] = [], bareAnonymous: [Double] = []
        var perClient: [Double] = [], perSubsurface: [Double] = [], perScreen: [Double] = []
        for _ in 0..<rounds {
            let server = try PrivateServer()
            // By then the code of the start is unmapped.
            try Clock.sleep(until: Clock.now + 0.5)
            let start = try server.process.memory()
            resident.append(start.resident)
            anonymous.append(start.anonymous)
            let echo = try EchoProcess()
            try Exchange(echo.socket, batch: 1).run()
            let bare = try echo.process.memory()
            bareResident.append(bare.resident)
            bareAnonymous.append(bare.anonymous)
            perScreen.append(try growthPerScreen())
            perClient.append(try growthPerClient(server))
            // A new server: otherwise memory freed by the clients would be reused first.
            perSubsurface.append(try growthPerSubsurface(PrivateServer()))
            try Interruption.check()
        }
        let picture = Double(MemoryCopy.bytes) / 1024
        let page = Double(sysconf(Int32(_SC_PAGESIZE))) / 1024
        func kibibytes(_ series: [Double]) -> Double { Statistics.median(series) / 1024 }
        return [
            Row(
                "memory of a started server, resident", resident, "KiB", scale: 1 / 1024, per: "bare echo process",
                bareResident),
            Row(
                "memory of a started server, anonymous", anonymous, "KiB", scale: 1 / 1024, per: "bare echo process",
                bareAnonymous),
            Row("memory per client, anonymous", kibibytes(perClient), "KiB", per: "a page", page),
            Row("memory per sub-surface, anonymous", kibibytes(perSubsurface), "KiB", per: "a page", page),
            Row("memory per further screen, anonymous", kibibytes(perScreen), "KiB", per: "its picture", picture),
        ]
    }

    /// Anonymous bytes per screen beyond the first ones of a started server.
    private static func growthPerScreen() throws -> Double {
        func anonymous(_ count: Int) throws -> Double {
            let options = (0..<count).flatMap { _ in ["--screen", "1920x1080@60"] }
            return try PrivateServer(options).process.memory().anonymous
        }
        return (try anonymous(screens.first + screens.more) - anonymous(screens.first)) / Double(screens.more)
    }

    /// Anonymous bytes per client that has bound the usual globals.
    private static func growthPerClient(_ server: PrivateServer) throws -> Double {
        var connected: [BenchClient] = []
        for _ in 0..<clients.first { connected.append(try BenchClient(server)) }
        let before = try server.process.memory().anonymous
        for _ in 0..<clients.more { connected.append(try BenchClient(server)) }
        let after = try server.process.memory().anonymous
        withExtendedLifetime(connected) {}
        return (after - before) / Double(clients.more)
    }

    /// Anonymous bytes per sub-surface of a visible window, with committed content.
    private static func growthPerSubsurface(_ server: PrivateServer) throws -> Double {
        let client = try BenchClient(server)
        let content = try client.buffer(0xff20_4060, width: 8, height: 8)
        let window = try client.window(content)
        func add(_ count: Int) throws {
            for index in 0..<Int32(count) {
                client.subsurface(of: window, content, x: index % 40 * 40, y: index / 40 * 8)
            }
            window.send(.commit)
            try client.connection.roundTrip()
        }
        try add(subsurfaces.first)
        let before = try server.process.memory().anonymous
        try add(subsurfaces.more)
        let after = try server.process.memory().anonymous
        return (after - before) / Double(subsurfaces.more)
    }
}
