// Waiting for clients that have settled, and for pixels.

import ControlProtocol
import DisplayServer
import Glibc
import MullionWayland
import TestSupport
import Testing

@testable import ControlAPI

@Suite struct PictureWaitTests {
    @Test("idle: no program yet is not idle; one that has settled is")
    func idle() throws {
        let setup = try WaitFixture()
        let unmet = try setup.unfulfilled("for=idle")
        #expect(unmet.first?.reason == "no program is connected")
        let wait = try setup.begin("for=idle")
        #expect(wait.answer == nil)
        _ = try setup.fixture.connect("app")
        #expect(try setup.report(wait).condition == "idle")
        #expect(try setup.fulfilled("for=idle&for=client").applications?.count == 1)
    }

    @Test("idle: a client that does not answer is named when the time is up")
    func notSettled() throws {
        let setup = try WaitFixture()
        let client = try setup.fixture.connect("app")
        client.application.send(.setName(name: "stuck"))
        try setup.fixture.pump()
        setup.fixture.detach(client)
        let unmet = try setup.unfulfilled("for=idle", timeout: "100ms")
        #expect(unmet.first?.reason == "clients have not settled")
        #expect(unmet.first?.instead.first?.text.contains("stuck (pid \(getpid()))") == true, "\(unmet)")
    }

    @Test("still: time begins again with every change of pixels, but not when the same is drawn")
    func still() throws {
        let setup = try WaitFixture(clock: .manual)
        let fixture = setup.fixture
        let client = try fixture.connect("app")
        let window = client.window("w").color(0xffff_0000)
        window.show()
        try fixture.pump()
        func step(_ milliseconds: Int) throws {
            #expect(try setup.control.send("PATCH", "/v1/clock", "{\"step\":\(milliseconds * 1000)}").status == 200)
        }
        /// Until the picture of what is shown now is known.
        func look() throws {
            try fixture.wait(for: "the picture") { setup.control.control.waits.hashes.isCurrent(fixture.mainScreen) }
        }
        let wait = try setup.begin("for=still&screen=A&duration=300")
        try look()
        for color: UInt32 in 1...3 {
            try step(299)
            #expect(wait.answer == nil)
            window.color(0xff00_0000 | color).commit()
            try fixture.pump()
            try look()
        }
        try step(150)
        let frames = fixture.server.frameNumber
        try client.attach(0xff00_0003, width: 20, height: 20, to: window.surface)
        window.commit()
        try fixture.pump()
        #expect(fixture.server.frameNumber > frames)
        try look()
        try step(149)
        #expect(wait.answer == nil)
        try step(1)
        let report = try setup.report(wait)
        #expect(report.screen?.name == "A" && report.condition == "still A for=300ms")
    }

    @Test("still: with the real clock, it takes at least that long")
    func realTime() throws {
        let report = try WaitFixture().fulfilled("for=still&duration=30")
        #expect((report.elapsed ?? 0) >= 30 && report.condition == "still for=30ms")
    }

    @Test("still: when the time is up, how often pixels have changed")
    func moving() throws {
        let setup = try WaitFixture()
        let (fixture, waits) = (setup.fixture, setup.control.control.waits)
        let client = try fixture.connect("app")
        let window = client.window("w").color(0xffff_0000)
        window.show()
        try fixture.pump()
        var unmet: [API.Unmet] = []
        let still = try Condition(.still, [("duration", "600s")])
        let wait = ConditionWait([still], in: waits, patience: 600_000_000, user: nil) {
            if case .unfulfilled(let reasons) = $0 { unmet = reasons }
        }
        var color: UInt32 = 0
        try fixture.wait(for: "three changes") {
            color += 1
            window.color(0xff00_0000 | color).commit()
            return (waits.hashes[fixture.mainScreen]?.changes ?? 0) >= 3
        }
        wait.timeIsUp()
        try fixture.wait(for: "the end") { !unmet.isEmpty }
        let reason = try #require(unmet.first?.reason)
        #expect(reason.contains("its pixels have changed") && reason.contains("times"), "\(reason)")
    }

    @Test("still: a screen is drawn when it may have changed, not when another one has, and ends in time meanwhile")
    func otherScreenChanges() throws {
        let setup = try WaitFixture(screens: ["800x600,name=A", "80x60,name=B"])
        let (fixture, waits) = (setup.fixture, setup.control.control.waits)
        let client = try fixture.connect("app")
        let small = try #require(client.screens.first { $0.name == "B" })
        let window = client.window("w", on: small).color(0xffff_0000)
        window.show()
        try fixture.pump()
        var unmet: [API.Unmet] = []
        let still = try Condition(.still, [("screen", "A"), ("duration", "600s")])
        let wait = ConditionWait([still], in: waits, patience: 600_000_000, user: nil) {
            if case .unfulfilled(let reasons) = $0 { unmet = reasons }
        }
        try fixture.wait(for: "the first picture") { waits.hashes.isCurrent(fixture.mainScreen) }
        let time = waits.hashes[fixture.mainScreen]?.time
        var color: UInt32 = 0
        func animate() {
            color += 1
            window.color(0xff00_0000 | color).commit()
        }
        let frames = fixture.server.frameNumber
        try fixture.wait(for: "50 frames") {
            animate()
            return fixture.server.frameNumber > frames + 50
        }
        #expect(time != nil && waits.hashes[fixture.mainScreen]?.time == time)
        wait.timeIsUp()
        try fixture.wait(for: "the end") {
            animate()
            return !unmet.isEmpty
        }
        #expect(unmet.first?.reason.hasPrefix("its pixels have stood still for") == true, "\(unmet)")
    }

    @Test("still: with the manual clock, time counts that has passed before, once all clients have settled")
    func manual() throws {
        let setup = try WaitFixture(clock: .manual)
        let client = try setup.fixture.connect("app")
        let window = client.window("w").color(0xffff_0000)
        window.show()
        try setup.fixture.pump()
        let unmet = try setup.unfulfilled("for=still&duration=100ms")
        #expect(unmet.first?.reason == "its pixels have stood still for 0s; the clock is manual, step it", "\(unmet)")
        #expect(try setup.control.send("PATCH", "/v1/clock", "{\"step\":99000}").status == 200)
        #expect(try setup.unfulfilled("for=still&duration=100ms").count == 1)
        let wait = try setup.begin("for=still&duration=100ms")
        #expect(try setup.control.send("PATCH", "/v1/clock", "{\"step\":1000}").status == 200)
        #expect(try setup.report(wait).condition == "still for=100ms")
        #expect(try setup.fulfilled("for=still&duration=100ms&screen=A").screen?.name == "A")
        window.color(0xff00_ff00).commit()
        try setup.fixture.pump()
        #expect(try setup.unfulfilled("for=still&duration=100ms").count == 1)
    }

    @Test("pixel: ends when the pixel has the colour, within the tolerance; otherwise the colour is reported")
    func pixel() throws {
        let setup = try WaitFixture(screens: ["200x100,name=A", "50x50,name=B"])
        let client = try setup.fixture.connect("app")
        let window = client.window("w").color(0xffff_0000).frame(10, 10, 20, 20)
        window.show()
        try setup.fixture.pump()
        let wait = try setup.begin("for=pixel&screen=A&x=12&y=12&color=%2300ff00")
        let near = try setup.begin("for=pixel&screen=A&x=12&y=12&color=00ff00&tolerance=5")
        window.color(0xff04_fb04).commit()
        let report = try setup.report(near)
        #expect(report.pixel == WaitReport.Pixel(x: 12, y: 12, color: "#04fb04") && report.screen?.name == "A")
        #expect(wait.answer == nil && report.condition == "pixel A 12,12=#00ff00 tolerance=5")
        window.color(0xff00_ff00).commit()
        #expect(try setup.report(wait).pixel?.color == "#00ff00")
        let other = try setup.unfulfilled("for=pixel&x=9&y=9&color=00ff00", timeout: "50ms")
        #expect(other.first?.reason == "the pixel is #000000" && other.first?.instead.first?.color == "#000000")
        let outside = try setup.unfulfilled("for=pixel&screen=B&x=50&y=0&color=00ff00")
        #expect(outside.first?.reason == "the pixel lies outside of the screen: the screen has 50x50 pixels")
        let missing = try setup.unfulfilled("for=pixel&screen=C&x=0&y=0&color=00ff00")
        #expect(missing.first?.reason == "it is not connected" && missing.first?.instead.count == 2)
        let both = "for=pixel&x=12&y=12&color=00ff00&for=window&title=w&for=idle&for=still&duration=20"
        #expect(try setup.fulfilled(both).windows?.count == 1)
    }

    @Test("still and pixel: a large screen is judged by its pictures, however often another one changes meanwhile")
    func otherScreens() throws {
        let setup = try WaitFixture(screens: ["4000x3000,name=A", "80x60,name=B"])
        let client = try setup.fixture.connect("app")
        let screen = try #require(client.screens.first { $0.name == "B" })
        let window = client.window("w", on: screen).color(0xffff_0000)
        window.show()
        try setup.fixture.pump()
        let waits = try ["still&screen=A&duration=50", "pixel&screen=A&x=0&y=0&color=000000"].map {
            try setup.begin("for=" + $0)
        }
        // It changes so often that no picture of the large screen is of the latest frame when it is finished.
        var color: UInt32 = 0
        try setup.fixture.wait(for: "the answers") {
            color += 1
            window.color(0xff00_0000 | color).commit()
            return waits.allSatisfy { $0.answer != nil }
        }
        #expect(waits.map { $0.answer?.status } == [200, 200])
    }
}
