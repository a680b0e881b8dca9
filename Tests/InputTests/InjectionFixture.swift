// What tests of injected input share.

import FoundationEssentials
import MullionGeometry
import MullionWayland
import TestSupport

@testable import ControlAPI
@testable import DisplayServer

/// A server with its control API and a client with a key window of 200×200 at 100,100.
final class InjectionFixture {
    let fixture: ServerFixture
    let control: TestControl
    let client: TestClient
    let window: TestWindow
    let events: TestEvents

    /// - Parameter receives: what the window's client asks for.
    init(
        clock: ClockMode = .real, screens: [String] = ["800x600"], receives: MullionEventsV1.EventTypes = TestEvents.all
    ) throws {
        fixture = try ServerFixture(screens: screens, clock: clock)
        control = try TestControl(fixture)
        client = try fixture.connect("client")
        window = client.window("w").color(0xffff0000).frame(100, 100, 200, 200)
        window.makeKeyAndVisible()
        events = TestEvents(client, window, types: receives)
        try fixture.pump()
    }

    func post(_ body: String, query: String = "") throws -> (status: Int, body: String) {
        try control.send("POST", "/v1/input" + query, body)
    }

    /// The answer to one event.
    func answer(_ body: String, query: String = "") throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(post(body, query: query).body.utf8))
    }

    struct Answer: Decodable {
        struct Hit: Decodable {
            var title: String
            var location: Point
        }
        struct Candidate: Decodable { var title, reason: String }
        struct Touch: Decodable {
            var id: Int32
            var hit: Hit?
            var reason: String?
        }
        struct Receiver: Decodable { var name: String }
        struct Receipt: Decodable {
            var name: String
            var read: Bool
            var microseconds: UInt64?
            var reason: String?
        }
        var type: String
        var hit: Hit?
        var reason: String?
        var candidates: [Candidate]
        var moreCandidates: Int?
        var touches: [Touch]?
        var receivers: [Receiver]?
        var receipts: [Receipt]?
        var steps: Int
        var delivered: Int
    }
}
