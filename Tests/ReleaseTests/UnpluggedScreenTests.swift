// Screens that are unplugged while clients wait for their frames.

import MullionWayland
import TestSupport
import Testing

@Suite struct UnpluggedScreenTests {
    @Test("with manual time, a screen is unplugged after clients that waited for its next frame have gone")
    func waitingClients() throws {
        let server = try ServerProcess(options: [
            "--clock", "manual", "--screen", "320x200,external,name=A", "--screen", "320x200,external,name=B",
        ])
        let witness = try WireClient(server)
        _ = try waitingWindow(of: witness)
        for _ in 0..<3 {
            let client = try WireClient(server)
            for _ in 0..<3 { _ = try waitingWindow(of: client) }
            try client.roundTrip()
            client.connection.disconnect()
        }
        try server.fixture.wait(for: "the end of the others' windows") {
            try server.request("GET", "/v1/windows").body.ranges(of: "\"visible\"").count == 1
        }
        for name in ["A", "B"] {
            #expect(try server.request("DELETE", "/v1/screens/\(name)").status == 204)
            try witness.roundTrip()
        }
        #expect(try server.request("POST", "/v1/screens", #"{"model":"320x200","name":"C"}"#).status == 201)
        #expect(try server.request("GET", "/v1/screenshot.png").status == 200)
        try witness.roundTrip()
        try server.stop()
    }

    /// A window that waits for a frame that never comes.
    private func waitingWindow(of client: WireClient) throws -> WireToplevel {
        let bytes: Int32 = 8 * 8 * 4
        let pool = try client.pool(memoryFile(bytes: Int(bytes)), bytes: bytes)
        let window = try client.toplevel(showing: client.buffer(of: pool, width: 8, height: 8))
        window.surface.send(.frame(callback: Proxy<WlCallback>(client.connection, version: 1).id))
        window.surface.send(.commit)
        return window
    }
}
