// Scenarios that wait for their client.

import DisplayServer
import EventLoop
import Glibc
import TestSupport
import Testing
import WindowModel

@testable import ControlAPI

@Suite struct ScenarioPauseTests {
    /// A scenario's stream of events.
    private final class Stream {
        private let fixture: ServerFixture
        private let descriptor: Int32
        private var bytes: [UInt8] = []
        private(set) var isClosed = false

        init(_ steps: String, _ fixture: ServerFixture, _ control: TestControl) throws {
            self.fixture = fixture
            descriptor = try control.start("POST", "/v1/scenarios", TestControl.scenario(steps))
        }

        deinit { close(descriptor) }

        func wait(for text: String) throws {
            try fixture.wait(for: text) {
                read()
                return self.text.contains(text)
            }
        }

        func waitForEnd() throws {
            try fixture.wait(for: "the end of the stream") {
                read()
                return isClosed
            }
        }

        private func read() {
            if TestControl.read(descriptor, into: &bytes) { isClosed = true }
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private static let resume = "/v1/scenarios/continue"

    @Test(
        "a pause is reported with its index and name, and lasts until its client continues",
        arguments: ClockMode.allCases)
    func pauses(clock: ClockMode) throws {
        let fixture = try ServerFixture(screens: ["64x48,name=A"], clock: clock)
        let control = try TestControl(fixture)
        let stream = try Stream(
            "{claim: {title: 'a', key: true}}, {pause: 'one \\\"1\\\"'}, {pause: ''}, {release: 'a'}, {pause: 'x'}",
            fixture,
            control)
        try stream.wait(for: "event: pause\ndata: {\"index\":1,\"name\":\"one \\\"1\\\"\",\"steps\":5}\n")
        #expect(control.control.scenario?.isPaused == true && fixture.model.windows.count == 1)
        // Others use the server meanwhile.
        #expect(try control.send("POST", "/v1/input", #"{"type": "tap", "x": 1, "y": 1}"#).status == 200)
        #expect(!stream.text.contains("pause one"))
        #expect(try control.send("POST", Self.resume, "{}") == (204, ""))
        try stream.wait(for: "data: {\"index\":2,\"name\":\"\",\"steps\":5}\n")
        #expect(stream.text.contains("\"title\":\"pause one \\\"1\\\"\"}") && fixture.model.windows.count == 1)
        #expect(try control.send("POST", Self.resume, "{}").status == 204)
        try stream.wait(for: "data: {\"index\":4,")
        #expect(fixture.model.windows.isEmpty)
        #expect(try control.send("POST", Self.resume, "{}").status == 204)
        try stream.wait(for: "event: done")
    }

    @Test("a client fails its step as an expectation would")
    func fails() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        let stream = try Stream(
            "{claim: {title: 'a'}}, {input: {type: 'touch', phase: 'began', id: 1, x: 5, y: 5}}, {pause: 'p'}, {wait: '1ms'}",
            fixture, control)
        try stream.wait(for: "event: pause")
        let failure = #"{"failure": {"place": "the \"program\"", "expected": "to run", "seen": "signal 11"}}"#
        #expect(try control.send("POST", Self.resume, failure).status == 204)
        try stream.wait(for: "event: failed")
        try stream.wait(for: "\n\n")
        #expect(
            stream.text.contains(
                #"{"expected":"to run","index":2,"place":"the \"program\"","seen":"signal 11","steps":4,"title":"pause p"}"#
            ),
            "\(stream.text)")
        #expect(fixture.model.windows.isEmpty && fixture.model.touchCount == 0 && control.control.scenario == nil)
        #expect(try control.run("{wait: '1ms'}").isDone)
    }

    @Test("continuing what does not pause is refused: without a scenario, twice, and while another step waits")
    func refused() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        func resume(_ body: String = "{}") throws -> Int { try control.send("POST", Self.resume, body).status }
        #expect(try resume() == 409)
        let stream = try Stream("{pause: 'p'}, {claim: {title: 'w'}}, {wait: '3600s'}", fixture, control)
        try stream.wait(for: "event: pause")
        for body in [
            "", "[]", "null", "{", #"{"more": 1}"#, #"{"failure": {}}"#, #"{"failure": null}"#,
            #"{"failure": {"place": "a", "expected": "b"}}"#,
            #"{"failure": {"place": 1, "expected": "b", "seen": "c"}}"#,
            #"{"failure": {"place": "a", "expected": "b", "seen": "c", "more": 1}}"#,
        ] {
            #expect(try resume(body) == 400, "\(body)")
        }
        #expect(control.control.scenario?.isPaused == true)
        #expect(try resume() == 204)
        #expect(try resume() == 409)
        try fixture.wait(for: "the next step") { fixture.model.windows.count == 1 }
        #expect(try resume(#"{"failure": {"place": "a", "expected": "b", "seen": "c"}}"#) == 409)
        #expect(control.control.scenario != nil && fixture.model.windows.count == 1)
        let answer = try control.send("POST", Self.resume, "{}").body
        #expect(answer.contains("no scenario pauses; wait for the event \\\"pause\\\" of one"), "\(answer)")
    }

    @Test(
        "without the rights of scenarios, a pause cannot be continued", arguments: [Rights.view, .inject, .administer])
    func rights(right: Rights) throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        let stream = try Stream("{pause: 'p'}, {wait: '1ms'}", fixture, control)
        try stream.wait(for: "event: pause")
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: right)])
        #expect(try control.send("POST", Self.resume, "{}").status == 403)
        #expect(control.control.scenario?.isPaused == true)
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: .all)])
        #expect(try control.send("POST", Self.resume, "{}").status == 204)
        try stream.wait(for: "event: done")
    }

    @Test("a scenario that pauses ends with its client, or with the server")
    func ends() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        let steps = "{claim: {title: 'a', key: true}}, {input: {type: 'key', key: 'a', action: 'down'}}, {pause: 'p'}"
        for _ in 0..<3 {
            do {
                let stream = try Stream(steps, fixture, control)
                try stream.wait(for: "event: pause")
                #expect(fixture.model.windows.count == 1)
            }
            try fixture.wait(for: "its end") { control.control.scenario == nil }
            #expect(fixture.model.windows.isEmpty)
            #expect(try control.send("POST", Self.resume, "{}").status == 409)
        }
        let last = try Stream(steps, fixture, control)
        try last.wait(for: "event: pause")
        control.control.stop()
        #expect(fixture.model.windows.isEmpty && control.control.scenario == nil)
        try last.waitForEnd()
        #expect(!last.text.contains("event: done"))
    }

    @Test("nothing wakes the server while a scenario pauses")
    func idle() throws {
        let fixture = try ServerFixture(screens: [], clock: .real)
        let control = try TestControl(fixture)
        let stream = try Stream("{wait: '1ms'}, {pause: 'p'}", fixture, control)
        try stream.wait(for: "event: pause")
        while try fixture.loop.runOnce(nonblocking: true) {}
        // A timer that is due later would be the loop's next one.
        var rang = false
        let timer = Timer(fixture.loop) { _, _ in rang = true }
        timer.arm(at: fixture.loop.now + 200_000)
        var turns = 0
        while !rang {
            _ = try fixture.loop.runOnce(nonblocking: false)
            turns += 1
        }
        #expect(turns <= 2, "\(turns)")
        #expect(control.control.scenario?.isPaused == true)
    }
}
