// Hot-plugging never kills a client (S9), and afterwards every window is where it belongs (S8).

import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct StormTests {
    /// Of different shapes and scales. The main screen is unplugged too, and now and then there is none at all (S2).
    private static let displays = [
        "1280x800,kind=builtIn,name=MAIN",
        "monitor-1080p,external,name=HALL,serial=1", "monitor-1440p,external,name=DESK,serial=2,scale=1.5",
        "monitor-4k,external,name=WALL,serial=3,scale=2", "kiosk-800x480,external,name=KIOSK,orientation=landscapeLeft",
        "tv-1080p,external,name=TV,serial=4",
    ]

    @Test("S8, S9, W3: 1,000 plugs and unplugs under real programs kill none, and every window is back in its place")
    func realPrograms() throws {
        let fixture = try ServerFixture(screens: [])
        let storm = Storm(Self.displays, on: fixture)
        try storm.plugAll()
        let guests = try [.gtk, .foot, .flower, .terminal, .simpleShm, .gtk].map { try Guest($0, on: fixture) }
        let witnesses = try StormWitnesses(fixture)
        // Each window has its own choice of screen, some share one.
        for (index, guest) in guests.enumerated() {
            let name = storm.displays[index % 5].name
            let screen = try #require(storm.screen(name))
            try fixture.model.move(guest.window, to: screen.id)
        }
        try fixture.wait(for: "the programs to catch up", seconds: 60) { guests.allSatisfy(\.hasCaughtUp) }
        let before = Places(fixture.model)
        let descriptions = storm.descriptions()
        let objects = guests.map(\.objectCount)
        let complaints = guests.map(\.complaints)
        let globals = try fixture.connect("before").globals.count

        while storm.pairs < 1000 {
            try storm.flap()
            if Int.random(in: 0..<3, using: &storm.random) == 0 { try storm.change() }
            // Some changes come in one turn of the loop, some are read one by one.
            if Bool.random(using: &storm.random) { try fixture.pump() }
            if storm.pairs % 25 == 0 {
                try fixture.wait(for: "the programs to catch up, \(storm.seed)", seconds: 60) {
                    guests.allSatisfy { $0.hasCaughtUp || $0.end != nil }
                }
            }
        }
        try storm.restore(descriptions)
        try fixture.wait(for: "the programs to catch up, \(storm.seed)", seconds: 60) {
            guests.allSatisfy { $0.hasCaughtUp || $0.end != nil }
        }

        #expect(guests.compactMap(\.end) == [], "\(storm.seed)")
        #expect(guests.map(\.complaints) == complaints, "\(storm.seed)")
        #expect(witnesses.failures == [], "\(storm.seed)")
        #expect(Places(fixture.model).differences(from: before) == [], "\(storm.seed)")
        #expect(fixture.model.checkInvariants() == [])
        // Nothing is left of the unplugged screens.
        let server = fixture.server
        #expect(server.outputs.count == fixture.model.screens.count)
        #expect(try fixture.connect("after").globals.count == globals)
        for (guest, count) in zip(guests, objects) {
            #expect(guest.objectCount <= count + 16, "\(guest.kind.rawValue) had \(count) objects")
        }
    }

    @Test("S8, S9: clients that bind in time survive hostile plugs; afterwards every window is back in its place")
    func hostile() throws {
        let fixture = try ServerFixture(screens: [])
        let storm = Storm(Self.displays, on: fixture) { $0 != "DESK" }
        try storm.plugAll()
        let clients = try (0..<4).map { try fixture.connect("\($0)") }
        for (index, client) in clients.enumerated() {
            let window = client.window("w\(index)", on: client.screens[index]).color(0xff00_ff00)
            window.level(Double(index % 2)).frame(0, Double(index), 50, 50).show()
            let toplevel = try TestToplevel.map(client, fixture, width: 60, height: 40)
            withExtendedLifetime(toplevel) {}
        }
        for (index, window) in fixture.model.windows.enumerated() {
            let screen = try #require(storm.screen(storm.displays[index % 3].name))
            try fixture.model.move(window, to: screen.id)
        }
        try fixture.pump()
        let before = Places(fixture.model)
        let descriptions = storm.descriptions()
        var bound: [Proxy<WlOutput>] = []
        while storm.pairs < 1000 {
            try storm.flap()
            if Int.random(in: 0..<3, using: &storm.random) == 0 { try storm.change() }
            try fixture.pump()
            if let client = clients.randomElement(using: &storm.random), let screen = client.screens.last,
                screen.isConnected
            {
                bound.append(try client.bind(WlOutput.self, name: screen.globalName))
                try fixture.pump()
            }
            if bound.count > 50, let output = bound.first {
                output.send(.release)
                bound.removeFirst()
            }
        }
        try storm.restore(descriptions)
        try fixture.pump()
        #expect(clients.compactMap(\.error).isEmpty, "\(storm.seed)")
        #expect(Places(fixture.model).differences(from: before) == [], "\(storm.seed)")
        #expect(fixture.model.checkInvariants() == [])
        let names = try fixture.connect("after").globals.map(\.name)
        // About a sixth of the plugs are those of DESK, which is not hostile.
        #expect(Set(names).count == names.count && (names.max() ?? 0) < 64 + 1000 / 4, "hostile names are reused")
    }

    @Test("S9: the server survives hostile plugs under real programs, even where a program does not")
    func hostileToPrograms() throws {
        let fixture = try ServerFixture(screens: ["1280x800"])
        let storm = Storm(Self.displays.filter { !$0.contains("MAIN") }, on: fixture) { _ in true }
        let guests = try [.gtk, .foot, .flower, .terminal].map { try Guest($0, on: fixture) }
        let witness = try fixture.connect("witness")
        witness.window("w").color(0xff00_ff00).frame(0, 0, 10, 10).level(1).show()
        while storm.pairs < 200 {
            try storm.flap()
            if Bool.random(using: &storm.random) { try fixture.pump() }
        }
        try storm.plugAll()
        try fixture.wait(for: "the surviving programs to catch up, \(storm.seed)", seconds: 60) {
            guests.allSatisfy { $0.end != nil || $0.hasCaughtUp }
        }
        let ends = guests.compactMap(\.end)
        print("hostile plugs, \(storm.seed): \(guests.count - ends.count) of \(guests.count) programs survived")
        for end in ends { print("  \(end)") }
        #expect(witness.isOpen && fixture.server.clientCount == 1 + guests.count - ends.count)
        #expect(try fixture.color(x: 5, y: 5) == 0x00ff00)
        #expect(fixture.model.checkInvariants() == [])
    }
}
