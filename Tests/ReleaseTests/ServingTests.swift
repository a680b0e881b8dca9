// The shipped server works, which every other test here relies on.

import TestSupport
import Testing

@Suite struct ServingTests {
    @Test("a screenshot shows a client's window, and SIGTERM ends the server with status 0")
    func serving() throws {
        let server = try ServerProcess(options: ["--screen", "320x200"])
        let client = try WireClient(server)
        let file = try memoryFile(bytes: 64 * 64 * 4)
        let pool = try client.pool(file, bytes: 64 * 64 * 4)
        _ = try client.toplevel(showing: client.buffer(of: pool, width: 64, height: 64))
        try client.roundTrip()
        #expect(try server.request("GET", "/v1/windows").body.contains("\"visible\":true"))
        #expect(try server.request("GET", "/v1/screenshot.png").status == 200)
        try server.stop()
    }
}
