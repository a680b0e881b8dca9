// When free memory goes back to the system.

import EventLoop
import TestSupport
import Testing

@testable import DisplayServer

@Suite struct MemoryTrimTests {
    @Test("pictures with long lists are followed by one trim, and by the next one much later")
    func pictures() throws {
        let fixture = try ServerFixture()
        var trims = 0
        let trim = MemoryTrim(fixture.loop) { trims += 1 }
        trim.pictureEnds(layers: 255)
        #expect(trim.deadline == nil)
        for _ in 0..<3 { trim.pictureEnds(layers: 256) }
        let first = try #require(trim.deadline)
        try fixture.wait(for: "a trim") { trims > 0 }
        #expect(trims == 1)
        #expect(trim.deadline == nil, "nothing wakes an idle server")
        trim.pictureEnds(layers: 10_000)
        #expect(try #require(trim.deadline) >= first + 10_000_000)
    }

    @Test("a client that used much memory is followed by a trim, whatever is being drawn")
    func clients() throws {
        let fixture = try ServerFixture()
        var trims = 0
        let trim = MemoryTrim(fixture.loop) { trims += 1 }
        trim.clientEnds(with: 4 << 20 - 1)
        #expect(trim.deadline == nil)
        trim.clientEnds(with: 4 << 20)
        try fixture.wait(for: "a trim") {
            trim.pictureEnds(layers: 10_000)
            return trims > 0
        }
    }
}
