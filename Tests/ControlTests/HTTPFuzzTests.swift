// Nearly valid requests, over a socket, to a server with the whole API.

import EventLoop
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct HTTPFuzzTests {
    private static let corpus = [
        ("GET", "/v1/status", ""), ("GET", "/v1/screens", ""), ("GET", "/v1/screens/1", ""), ("GET", "/v1/tree", ""),
        ("POST", "/v1/screens", #"{"model": "640x480", "name": "B"}"#), ("DELETE", "/v1/screens/2", ""),
        ("PATCH", "/v1/screens/1", #"{"orientation": "portrait", "brightness": 0.5}"#), ("GET", "/v1/windows", ""),
        ("PATCH", "/v1/windows/1", #"{"level": "alert", "alpha": 0.5, "hidden": false}"#),
        ("POST", "/v1/input", #"[{"type": "tap", "x": 1, "y": 2}, {"type": "key", "key": "a"}]"#),
        ("POST", "/v1/input", #"{"type": "touch", "id": 1, "phase": "began", "x": 5, "y": 6}"#),
        ("GET", "/v1/clock", ""), ("POST", "/v1/settle", "{}"), ("GET", "/v1/events", ""), ("GET", "/v1/seats", ""),
        ("POST", "/v1/scenarios", "{name: 'x', steps: [{plug: '640x480'}, {claim: {title: 'a'}}, {wait: '1ms'}]}"),
    ].map { method, target, body in
        Array("\(method) \(target) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    /// A server in use.
    private final class Fixture {
        let fixture: ServerFixture
        let control: TestControl

        init() throws {
            fixture = try ServerFixture()
            control = try TestControl(fixture)
            try fixture.connect("w").window("w").color(0xff00_ff00).makeKeyAndVisible()
            try fixture.pump()
        }

        /// Sends bytes, hangs up, and returns the response.
        func send(_ bytes: [UInt8]) throws -> [UInt8] {
            let descriptor = try control.open()
            defer { close(descriptor) }
            // A client that was refused early cannot write the rest.
            _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            shutdown(descriptor, Int32(SHUT_WR))
            while try fixture.loop.runOnce(nonblocking: true) {}
            fixture.server.deliverAndFlush()
            var answer = [UInt8](repeating: 0, count: 65_536)
            answer.removeLast(answer.count - max(0, read(descriptor, &answer, answer.count)))
            return answer
        }
    }

    @Test("15,000 mutated requests are answered or aborted, and the server continues")
    func requests() throws {
        var setup = try Fixture()
        var number = 0
        let words = [
            "GET", "OPTIONS", "TRACE", "HTTP/1.0", "HTTP/9.9", "\r\n", "Content-Length: -1\r\n",
            "Expect: 100-continue\r\n",
            "Transfer-Encoding: chunked\r\n", "\r\n\r\n5\r\nabc", "Connection: close\r\n", "?x=1", "/v1/", "http://h/",
        ]
        let report = try fuzz("HTTP", count: 15_000, corpus: Self.corpus, words: words) { bytes in
            number += 1
            let answer = try setup.send(bytes)
            // evhttp responds with the version of the request, whatever that is.
            guard answer.isEmpty || answer.starts(with: "HTTP/".utf8) else {
                throw FixtureError("it answered \(String(decoding: answer.prefix(200), as: UTF8.self))")
            }
            let status = String(decoding: answer.drop { $0 != 32 }.dropFirst().prefix(3), as: UTF8.self)
            guard !status.hasPrefix("5") || status == "501" || status == "503" else {
                throw FixtureError("it answered \(String(decoding: answer.prefix(2000), as: UTF8.self))")
            }
            if number % 500 == 0 {
                let problems = setup.fixture.model.checkInvariants()
                guard problems.isEmpty else { throw FixtureError("\(problems)") }
                let alive = try setup.control.send("GET", "/v1/status")
                guard alive.status == 200 else { throw FixtureError("\(alive)") }
                setup = try Fixture()
            }
            return status.hasPrefix("2")
        }
        #expect(report.accepted > 200 && report.refused > 1000, "\(report)")
    }
}
