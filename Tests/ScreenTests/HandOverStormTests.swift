// Restarts at random moments under real programs, while screens come and go.

import TestSupport
import Testing
import WindowModel

@testable import DisplayServer

@Suite struct HandOverStormTests {
    @Test("S8, S9: real programs survive plugs, unplugs and restarts, and every window returns to its place")
    func realPrograms() throws {
        let fixture = try ServerFixture.handingOver(screens: [])
        let storm = Storm(
            [
                "1280x800,kind=builtIn,name=MAIN", "monitor-1080p,external,name=HALL,serial=1",
                "monitor-1440p,external,name=DESK,serial=2,scale=1.5", "tv-1080p,external,name=TV,serial=3",
            ], on: fixture)
        try storm.plugAll()
        let guests = try Guest.Kind.allCases.map { try Guest($0, on: fixture) }
        for (index, guest) in guests.enumerated() {
            let screen = try #require(storm.screen(storm.displays[index % storm.displays.count].name))
            try fixture.model.move(guest.window, to: screen.id)
        }
        func catchUp() throws {
            try fixture.wait(for: "the programs to catch up, \(storm.seed)", seconds: 60) {
                guests.allSatisfy { $0.hasCaughtUp || $0.end != nil }
            }
        }
        try catchUp()
        let before = Places(fixture.model)
        let descriptions = storm.descriptions()
        let complaints = guests.map(\.complaints)
        while storm.pairs < 60 {
            try storm.flap()
            if Bool.random(using: &storm.random) { try storm.change() }
            // Some changes are sent before the restart, some after it.
            if Bool.random(using: &storm.random) { try fixture.pump() }
            if Int.random(in: 0..<3, using: &storm.random) == 0 { try fixture.handOver() }
            if storm.pairs % 20 == 0 { try catchUp() }
        }
        try storm.restore(descriptions)
        try catchUp()
        #expect(guests.compactMap(\.end) == [], "\(storm.seed)")
        #expect(guests.map(\.complaints) == complaints, "\(storm.seed)")
        #expect(Places(fixture.model).differences(from: before) == [], "\(storm.seed)")
        #expect(fixture.model.checkInvariants() == [])
    }
}
