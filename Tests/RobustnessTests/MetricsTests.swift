// The server seen from outside: metrics, health, and the subjects of log lines.

import EventLoop
import Glibc
import MullionWayland
import TestSupport
import Testing
import WindowModel

@testable import DisplayServer
@testable import Displays

@Suite struct MetricsTests {
    /// The samples of a response by name and labels.
    private func samples(_ control: TestControl) throws -> [String: Double] {
        let answer = try control.send("GET", "/v1/metrics")
        #expect(answer.status == 200)
        var samples: [String: Double] = [:]
        var families: Set<String> = []
        for line in answer.body.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# TYPE ") {
                #expect(families.insert(words[2]).inserted, "\(line) twice")
                #expect(["counter", "gauge", "histogram"].contains(words[3]))
            } else if !line.hasPrefix("#") {
                #expect(words.count == 2 && samples[words[0]] == nil, "\(line)")
                samples[words[0]] = Double(words[1])
                let family = words[0].prefix { $0 != "{" }
                #expect(families.contains { family.hasPrefix($0) }, "\(line) has no type")
            }
        }
        return samples
    }

    @Test("metrics count clients, windows, frames, input and its recipients, refusals, responses and bytes")
    func counts() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        let before = try samples(control)
        #expect(before["mullion_clients"] == 0 && before["mullion_screens"] == 1)
        #expect(before["process_open_fds"].map { $0 > 3 } == true && before["process_cpu_seconds_total"] != nil)
        #expect(before["process_resident_memory_bytes"].map { $0 > 1_000_000 } == true)
        let client = try fixture.connect()
        try fixture.pump()
        #expect(try control.send("POST", "/v1/input", #"{"type":"tap","x":5,"y":5}"#).status == 200)
        #expect(try control.send("POST", "/v1/input", #"{"type":"key","key":"a"}"#).status == 200)
        #expect(try control.send("GET", "/v1/nothing").status == 404)
        #expect(try control.send("GET", "/v1/screenshot.png").status == 200)
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: .view)])
        #expect(try control.send("PATCH", "/v1/screens/1", "{}").status == 403)
        let after = try samples(control)
        func grew(_ name: String, by count: Double) {
            #expect((after[name] ?? 0) - (before[name] ?? 0) == count, "\(name)")
        }
        grew("mullion_clients", by: 1)
        grew("mullion_connections_total", by: 1)
        grew("mullion_frames_drawn_total", by: 1)
        grew("mullion_injected_steps_total", by: 4)
        grew(#"mullion_events_dropped_total{reason="noKeyWindow"}"#, by: 2)
        grew(#"mullion_refusals_total{kind="control"}"#, by: 1)
        grew(#"mullion_control_requests_total{status="403"}"#, by: 1)
        grew(#"mullion_control_requests_total{status="404"}"#, by: 1)
        let bytes = #"mullion_client_bytes_total{direction="in"}"#
        let read = try #require(after[bytes])
        #expect(read > 0)
        let count = try #require(after["mullion_loop_lag_seconds_count"])
        #expect(after[#"mullion_loop_lag_seconds_bucket{le="+Inf"}"#] == count)
        // What a disconnected client did is still counted.
        client.connection.disconnect()
        try fixture.wait(for: "its end") { fixture.server.clientCount == 0 }
        let last = try samples(control)
        #expect(last[bytes] ?? 0 >= read && last[#"mullion_clients_ended_total{cause="closed"}"#] == 1)
    }

    @Test("health is one sentence: problems, if any, then clients, screens and windows")
    func health() throws {
        let fixture = try ServerFixture(screens: [])
        let control = try TestControl(fixture)
        func health() throws -> String { try control.send("GET", "/v1/status").body }
        #expect(
            try health().contains(
                "0 clients, no screen, so windows wait: S2 (the list of screens), 0 visible windows"))
        try fixture.server.plug(ScreenSpecification(parsing: "800x600"))
        _ = try fixture.connect()
        #expect(try health().contains("1 client, 1 screen, 0 visible windows"))
        // The loop is blocked, so that a timer fires late.
        var fired = false
        let timer = Timer(fixture.loop) { _, _ in fired = true }
        timer.arm(at: fixture.loop.now - 60_000)
        try fixture.wait(for: "the timer") { fired }
        let text = try health()
        let late = text.split(separator: "struggling: loop ").last?.prefix { $0.isWholeNumber }
        #expect(late.flatMap { Int($0) }.map { $0 >= 60 } == true, "\(text)")
        #expect(text.contains(" ms late; 1 client, 1 screen"), "\(text)")
    }

    @Test("log lines name the client and the rule, and never contain typed text")
    func log() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        var entries: [LogEntry] = []
        fixture.server.onLogEntry = { entries.append($0) }
        #expect(try control.send("POST", "/v1/input", #"{"type":"key","key":"hunter2"}"#).status >= 400)
        #expect(try control.send("POST", "/v1/input", #"{"type":"type","text":"hunter2","hunter2":1}"#).status == 400)
        #expect(try control.send("POST", "/v1/input", #"{"type":"type","text":"hunter2"}"#).status == 200)
        #expect(entries.count >= 1 && !entries.contains { $0.message.contains("hunter2") }, "\(entries)")
        entries = []
        let client = try fixture.connect("worker")
        // W5: a toplevel cannot become a window too.
        let toplevel = client.toplevel("plain")
        let window = Proxy<MullionWindowV1>(client.connection, version: client.application.version)
        client.application.send(.createWindow(id: window.id, surface: toplevel.surface.id, screen: nil))
        try fixture.pump()
        let entry = try #require(entries.first { $0.subject.client != nil })
        #expect(entry.subject.rule == .w5, "\(entry)")
        #expect(entry.level == .info && entry.subject.pid == getpid() && entry.subject.uid == getuid())
        entries = []
        fixture.server.peerPolicy = PeerPolicy(rules: [])
        #expect(try control.send("GET", "/v1/status").status == 403)
        #expect(entries.map(\.subject.refusal) == [.control])
        #expect(entries.map(\.subject.uid) == [getuid()] && entries.map(\.subject.pid) == [getpid()])
        entries = []
        #expect(try control.send("GET", "/v1/" + String(repeating: "x", count: 10_000)).status == 404)
        #expect(entries.count == 1 && entries.allSatisfy { $0.message.utf8.count < 300 })
    }

    @Test("a message below the lowest level is not even composed")
    func lowestLevel() throws {
        let fixture = try ServerFixture()
        var (written, composed) = (0, 0)
        func message() -> String {
            composed += 1
            return "message"
        }
        fixture.server.onLogEntry = { _ in written += 1 }
        fixture.server.log(.debug, message())
        #expect(written == 1 && composed == 1)
        fixture.server.lowestLogLevel = .warning
        fixture.server.log(.debug, message())
        fixture.server.log(.info, message())
        #expect(written == 1 && composed == 1)
        fixture.server.log(.warning, message())
        #expect(written == 2 && composed == 2)
    }

    @Test("repeated refusals do not fill the log: suppressed lines are counted and reported in one line")
    func flood() throws {
        let fixture = try ServerFixture()
        let control = try TestControl(fixture)
        var entries: [LogEntry] = []
        fixture.server.onLogEntry = { if $0.level != .debug { entries.append($0) } }
        fixture.server.peerPolicy = PeerPolicy(rules: [])
        fixture.server.logBudget.window = 2_000_000
        let subject = LogSubject(uid: getuid())
        #expect(try control.send("GET", "/v1/status").status == 403)
        for number in 0..<4096 { fixture.server.logRefusal(.control, "request \(number)", "no", about: subject) }
        #expect(entries.count == 2 && entries.last?.message == "refused: request 0: no")
        for number in 0..<LogBudget.lines + 20 { fixture.server.logRefusal(.policy, "it", "\(number)", about: subject) }
        #expect(entries.count == LogBudget.lines)
        #expect(fixture.server.counters.refusals[.control] == 4097)
        // Others, and the server itself, have budgets of their own.
        var stranger = LogSubject()
        stranger.isUnidentified = true
        for number in 0..<LogBudget.lines {
            fixture.server.logRefusal(.control, "others", "\(number)", about: stranger)
        }
        fixture.server.log(.info, "own")
        #expect(entries.suffix(2).map(\.message) == ["refused: others: \(LogBudget.lines - 1)", "own"])
        entries = []
        try fixture.wait(for: "the window's end", seconds: 60) { entries.count == 2 }
        #expect(
            entries.map(\.message) == [
                "user \(getuid()): 4095 more like it within 2 s: no",
                "user \(getuid()): 22 other lines within 2 s suppressed",
            ])
        entries = []
        fixture.server.logRefusal(.policy, "again", "no", about: subject)
        #expect(entries.map(\.message) == ["refused: again: no"])
    }

    @Test("a line that is no refusal is written again; what is suppressed of such lines is told at their level")
    func repeated() throws {
        let fixture = try ServerFixture()
        var entries: [LogEntry] = []
        fixture.server.onLogEntry = { entries.append($0) }
        fixture.server.logBudget = LogBudget()
        fixture.server.logBudget.window = 3_000_000
        for _ in 0..<3 { fixture.server.log(.info, "again") }
        #expect(entries.map(\.message) == ["again", "again", "again"])
        var composed = 0
        func message() -> String {
            composed += 1
            return "again"
        }
        for _ in 0..<LogBudget.lines { fixture.server.log(.info, message()) }
        #expect(composed == LogBudget.lines - 3, "what is not written is not composed")
        entries = []
        try fixture.wait(for: "the window's end", seconds: 60) { !entries.isEmpty }
        #expect(entries.map(\.message) == ["the server: 3 other lines within 3 s suppressed"])
        #expect(entries.first?.level == .info)
        // One of them is worse.
        for _ in 0..<LogBudget.lines + 1 { fixture.server.log(.info, "again") }
        fixture.server.log(.error, "worse")
        entries = []
        try fixture.wait(for: "the window's end", seconds: 60) { !entries.isEmpty }
        #expect(entries.first?.level == .error)
    }

    @Test("log lines about users are counted per user and time window; equal refusals are written once")
    func budget() {
        var budget = LogBudget()
        let different = (0..<150).map { budget.admits("\($0)", from: .user(1), at: 5) }
        #expect(different.count { $0 } == LogBudget.lines && budget.end == 5 + budget.window)
        let equal = (0..<50).map { _ in budget.admits("same", from: .user(2), at: 6) }
        #expect(equal == [true] + Array(repeating: false, count: 49))
        #expect(budget.admits("same", from: .unidentified, at: 7) && budget.admits("same", from: .server, at: 7))
        // Ends are written even if they are equal, and others do not use up their budget.
        let ends = (0..<150).map { _ in budget.admits("same", .end, .info, from: .user(1), at: 8) }
        #expect(ends.count { $0 } == LogBudget.lines)
        #expect(
            budget.takeExcess() == [
                .init(source: .user(1), level: .info, reason: "same", lines: 50),
                .init(source: .user(1), level: .warning, reason: nil, lines: 50),
                .init(source: .user(2), level: .warning, reason: "same", lines: 49),
            ])
        #expect(budget.admits("same", from: .user(2), at: 100) && budget.end == 100 + budget.window)
        #expect(budget.takeExcess() == [])
    }

    @Test("why a client is disconnected is logged, whatever else its user has filled the log with")
    func ends() throws {
        let fixture = try ServerFixture()
        var lines: [String] = []
        fixture.server.onLog = { if $0 != .debug { lines.append($1) } }
        fixture.server.logBudget.window = 1 << 50
        let old = try fixture.connect("old")
        let subject = LogSubject(uid: getuid())
        for number in 0..<1000 { fixture.server.logRefusal(.policy, "them", "\(number)", about: subject) }
        #expect(lines.count == LogBudget.lines)
        func end(_ client: TestClient) throws {
            client.connection.display.send(.sync(callback: client.connection.display.id))
            try fixture.pump()
            #expect(!client.isOpen)
        }
        lines = []
        for _ in 0..<LogBudget.lines + 10 { try end(fixture.connect("young")) }
        #expect(lines.count == LogBudget.lines && lines.allSatisfy { $0.hasPrefix("client ") }, "\(lines.prefix(3))")
        // One that was connected for longer than the window.
        fixture.server.logBudget.window = 0
        try end(old)
        #expect(lines.count == LogBudget.lines + 1)
    }

    @Test("a message that begins with a rule is attributed to it")
    func rules() {
        #expect(LogSubject.rule(in: "W5 (one role per surface): surface 3 has a role") == .w5)
        #expect(LogSubject.rule(in: "S10 (stable identity): x") == .s10)
        for message in ["no: x", "W5: x", "W5 (levels): x", "\(Rule.w5)", "policy: \(Rule.w5): x", ""] {
            #expect(LogSubject.rule(in: message) == nil, "\(message)")
        }
    }
}
