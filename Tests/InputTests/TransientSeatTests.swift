// ext_transient_seat_v1: seats are configured with their screens, so that clients are denied further ones.

import DisplayServer
import MullionWayland
import TestSupport
import Testing

@Suite struct TransientSeatTests {
    @Test("K1: a seat that a client asks for is denied once and at once, and nothing else changes")
    func denied() throws {
        let fixture = try ServerFixture.handingOver()
        let client = try fixture.connect()
        let manager = try client.bind(ExtTransientSeatManagerV1.self)
        let globals = client.globals.count
        var events: [String] = []
        let seats = (0..<3).map { number in
            let seat = Proxy<ExtTransientSeatV1>(client.connection, version: 1)
            seat.onEvent = { event in
                switch event {
                case .denied: events.append("\(number) denied")
                case .ready: events.append("\(number) ready")
                }
            }
            manager.send(.create(seat: seat.id))
            return seat
        }
        try fixture.pump()
        #expect(events == ["0 denied", "1 denied", "2 denied"])
        seats[0].send(.destroy)
        manager.send(.destroy)
        try fixture.pump()
        try fixture.handOver()
        seats[2].send(.destroy)
        try fixture.pump()
        seats[1].send(.destroy)
        try fixture.pump()
        #expect(events.count == 3 && client.isOpen && client.globals.count == globals)
        #expect(fixture.server.seats.count == 1)
    }

    @Test("the manager exists for clients that may inject input")
    func rights() throws {
        for rights: Rights in [.inject, [.view, .capture, .administer]] {
            let fixture = try ServerFixture()
            fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: rights)])
            let client = try fixture.connect()
            let isThere = client.globals.contains { $0.interface == ExtTransientSeatManagerV1.name }
            #expect(isThere == rights.contains(.inject))
        }
    }
}
