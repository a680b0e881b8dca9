// GET /v1/waits: what is waited for, while it is.

import FoundationEssentials
import TestSupport
import Testing

@testable import ControlAPI

@Suite struct OpenWaitTests {
    private struct List: Decodable {
        struct Wait: Decodable { var condition: String, waited: Double, unmet: [WaitReport.Unmet]? }
        var waits: [Wait]
    }

    private let setup: WaitFixture

    init() throws { setup = try WaitFixture() }

    private func list() throws -> [List.Wait] {
        let answer = try setup.control.send("GET", "/v1/waits")
        #expect(answer.status == 200, "\(answer)")
        return try JSONDecoder().decode(List.self, from: Data(answer.body.utf8)).waits
    }

    @Test("each open wait is listed with what does not hold and what there is instead, until it ends")
    func waits() throws {
        #expect(try list().isEmpty)
        let client = try setup.fixture.connect("app")
        client.window("Hello").color(0xffff_0000).show()
        try setup.fixture.pump()
        let window = try setup.begin("for=window&title=Helo&visible&for=idle")
        var pixel: OpenRequest? = try setup.begin("for=pixel&x=0&y=0&color=123456")
        try setup.fixture.wait(for: "the pixel to be seen") {
            try list().last?.unmet?.first?.reason == "the pixel is #ff0000"
        }
        let waits = try list()
        try #require(waits.count == 2, "\(waits)")
        #expect(waits[0].condition == "window title=Helo visible and idle")
        #expect(waits[0].waited >= waits[1].waited)
        let unmet = try #require(waits[0].unmet?.first)
        #expect(unmet.condition == "window title=Helo visible" && unmet.reason == "no window has this title")
        #expect(unmet.instead.first?.title == "Hello")
        client.window("Helo").show()
        _ = try setup.report(window)
        #expect(try list().map(\.condition) == [waits[1].condition])
        #expect(pixel?.answer == nil)
        pixel = nil
        try setup.fixture.wait(for: "the end of the other one") { try list().isEmpty }
    }

    /// Nanoseconds: each reading is later by more than a list may take.
    private static func hurriedClock() -> () -> UInt64 {
        var now: UInt64 = 0
        return {
            now += 1_000_000_000
            return now
        }
    }

    @Test("a wait whose reason takes too long to find out is listed without it")
    func slow() throws {
        let waits = setup.control.control.waits
        let request = try setup.begin("for=window&title=x")
        waits.work = Self.hurriedClock()
        let open = waits.list(for: .all)
        #expect(open.map(\.condition) == ["window title=x"] && open[0].unmet == nil)
        #expect(request.answer == nil)
    }

    @Test("a wait is listed with its reason however long other programs keep the processor")
    func busyMachine() throws {
        let waits = setup.control.control.waits
        let request = try setup.begin("for=window&title=x")
        waits.time = Self.hurriedClock()
        #expect(waits.list(for: .all).first?.unmet?.first?.reason == "no program is connected")
        #expect(request.answer == nil)
    }

    @Test("what a wait sees in pixels is left out without the right to capture")
    func rights() throws {
        let request = try setup.begin("for=pixel&x=0&y=0&color=123456")
        let waits = setup.control.control.waits
        #expect(waits.list(for: Disclosure(.view)).map { $0.unmet == nil } == [true])
        #expect(waits.list(for: .all).map { $0.unmet == nil } == [false])
        #expect(request.answer == nil)
    }
}
