// Measures a server while nothing happens.

enum Idle {
    private static let seconds = 3.0

    static func measure() throws -> [Row] {
        let server = try PrivateServer()
        let echo = try EchoProcess()
        try Exchange(echo.socket, batch: 1).run()
        let client = try BenchClient(server)
        let content = try client.buffer(0xff20_4060, width: 100, height: 100)
        for place in stride(from: 0, to: 200, by: 20) {
            _ = try client.window(content, at: (x: place, y: place, width: 100, height: 100))
        }
        // Exclude going to sleep after the last answer: the watch for stalls looks for a few seconds more.
        try Clock.sleep(until: Clock.now + 5)
        let before = (try server.process.voluntarySwitches(), try echo.process.voluntarySwitches())
        let start = Clock.now
        try Clock.sleep(until: start + seconds)
        let after = (try server.process.voluntarySwitches(), try echo.process.voluntarySwitches())
        let time = Clock.now - start
        withExtendedLifetime(client) {}
        return [
            Row(
                "wake-ups of an idle server, 10 windows", Double(after.0 - before.0) / time, "/s",
                per: "idle echo process", Double(after.1 - before.1) / time)
        ]
    }
}
