// Waits by hostile users.

import DisplayServer
import Glibc
import MullionWayland
import TestSupport
import Testing

@testable import ControlAPI

@Suite struct WaitHostileTests {
    @Test("10,000 waits: a user has at most 64 at once, closed connections end theirs, and others are served meanwhile")
    func many() throws {
        let setup = try WaitFixture(isStranger: true)
        let most = ControlLimits().waits.share
        var open: [OpenRequest] = []
        for _ in 0..<most { open.append(try setup.begin("for=window&title=/(a|a)*b/")) }
        let waits = setup.control.control.waits
        #expect(waits.count(of: geteuid()) == most)
        let refused = try setup.control.send("GET", "/v1/wait?for=idle")
        #expect(
            refused.status == 503 && refused.body.contains("limit reached: a user has at most 64 waits"), "\(refused)")
        open = []
        try setup.fixture.wait(for: "the end of all") { !waits.isOpen }
        #expect(setup.fixture.server.onEffect == nil)
        for _ in 0..<10_000 / 50 {
            for _ in 0..<50 { open.append(try setup.control.open("GET", "/v1/wait?for=window&title=x")) }
            try setup.fixture.pump()
            open = []
        }
        #expect(try setup.control.send("GET", "/v1/status").status == 200)
        try setup.fixture.wait(for: "the end of all") { !waits.isOpen }
    }

    @Test("long titles that keep changing are matched with the slowest patterns, and noticed")
    func slowPatterns() throws {
        let setup = try WaitFixture()
        let client = try setup.fixture.connect("app")
        let windows = (0..<8).map { client.window("w\($0)") }
        var open: [OpenRequest] = []
        for _ in 0..<20 { open.append(try setup.begin("for=window&title=/(.*.*.*.*.*)*z/&visible=false")) }
        let title = String(repeating: "a", count: 4000)
        for round in 0..<3 {
            for window in windows {
                window.window.send(.setTitle(title: title + "\(round)"))
                window.commit()
            }
            try setup.fixture.pump()
        }
        #expect(open.allSatisfy { $0.answer == nil })
        windows[3].window.send(.setTitle(title: "z"))
        windows[3].commit()
        for wait in open { #expect(try setup.report(wait).windows?.count == 1) }
    }

    @Test("waits that are open when the server exits are answered")
    func exit() throws {
        let setup = try WaitFixture()
        let wait = try setup.begin("for=window&title=never")
        var isDone = false
        setup.control.control.stop { isDone = true }
        try setup.fixture.wait(for: "the answer") { wait.answer != nil && isDone }
        #expect(wait.answer?.status == 503 && wait.answer?.body.contains("the server is shutting down") == true)
    }

    @Test("requests for the next picture: a user has at most 16 at once, and closed connections end theirs")
    func nextPictures() throws {
        let setup = try WaitFixture(isStranger: true)
        let after = "/v1/capture?after=\(setup.fixture.server.frameNumber + 1_000_000)"
        var open: [OpenRequest] = []
        for _ in 0..<ControlLimits().frameWaits.share { open.append(try setup.control.open("GET", after)) }
        try setup.fixture.pump()
        let refused = try setup.control.send("GET", after)
        #expect(
            refused.status == 503 && refused.body.contains("limit reached: a user has at most 16 requests that wait"),
            "\(refused)")
        #expect(open.allSatisfy { $0.answer == nil })
        open = []
        try setup.fixture.pump()
        let next = try setup.control.open("GET", after)
        try setup.fixture.pump()
        #expect(next.answer == nil)
    }

    @Test("pixel and still need the right to capture; the others need only the right to view")
    func rights() throws {
        let setup = try WaitFixture()
        setup.fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: .view)])
        for query in ["for=pixel&x=0&y=0&color=000000", "for=still", "for=idle&for=still"] {
            let answer = try setup.control.send("GET", "/v1/wait?timeout=0&" + query)
            #expect(answer.status == 403 && answer.body.contains("needs the right capture"), "\(answer)")
        }
        #expect(try setup.control.send("GET", "/v1/wait?for=window&timeout=0").status == 408)
    }
}
