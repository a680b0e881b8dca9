// Access to the control API: rights by user on its socket, by token over TCP.

import EventLoop
import Glibc
import TestSupport
import Testing

@testable import ControlAPI
@testable import DisplayServer

@Suite struct AdmissionTests {
    private let fixture: ServerFixture
    private let control: TestControl

    init() throws {
        fixture = try ServerFixture()
        control = try TestControl(fixture)
    }

    private func allow(_ rights: Rights) {
        fixture.server.peerPolicy = PeerPolicy(rules: [
            PeerRule(users: [54_321], rights: .all), PeerRule(rights: rights),
        ])
    }

    /// One route of each kind, with the rights it requires.
    private static let examples: [(method: String, target: String, body: String, needs: Rights)] = [
        ("GET", "/v1/status", "", .view), ("GET", "/v1/metrics", "", .view), ("GET", "/v1/tree", "", .view),
        ("GET", "/v1/screenshot.png", "", .capture), ("POST", "/v1/compare", "x", .capture),
        ("GET", "/v1/capture", "", [.view, .capture]), ("POST", "/v1/input", "[]", .inject),
        ("PATCH", "/v1/screens/1", "{}", .administer), ("PATCH", "/v1/keyboard", "{}", .administer),
        ("POST", "/v1/scenarios", "{}", [.view, .capture, .inject, .administer]),
        ("POST", "/v1/scenarios/continue", "{}", [.view, .capture, .inject, .administer]),
        ("GET", "/v1/openapi.json", "", []),
    ]

    @Test("each route requires exactly its rights; a refusal names the users who have them, and is logged in one line")
    func rights() throws {
        var lines: [String] = []
        fixture.server.onLog = { level, line in if level == .warning { lines.append(line) } }
        // Equal refusals have lines of their own.
        fixture.server.logBudget.window = 0
        for rights: Rights in [[], .view, .capture, .inject, .administer, [.view, .capture], .all] {
            allow(rights)
            for (method, target, body, needs) in Self.examples {
                lines = []
                let answer = try control.send(method, target, body)
                let missing = needs.subtracting(rights)
                guard !missing.isEmpty else {
                    #expect(answer.status != 403 && lines.isEmpty, "\(method) \(target) with \(rights.text)")
                    continue
                }
                #expect(answer.status == 403, "\(method) \(target) with \(rights.text)")
                #expect(answer.body.contains("needs the right \(missing.text), which user \(geteuid())"))
                #expect(answer.body.contains("user 54321 may") && lines.count == 1, "\(answer.body) \(lines)")
            }
        }
        #expect(fixture.server.counters.refusals[.control] == fixture.server.refusals)
    }

    @Test("every route but the API's description requires a right; the right to view suffices only for reading")
    func routes() throws {
        for route in control.control.router.routes where route.name != "GET /v1/openapi.json" {
            #expect(!route.rights.isEmpty, "\(route.name)")
            let reads = route.method == .get || ["POST /v1/settle", "POST /v1/convert"].contains(route.name)
            #expect(reads || route.rights != .view, "\(route.name)")
        }
    }

    // MARK: TCP

    /// Listens on a free port, which requests must name in their Host field.
    private func open(_ rights: Rights = [.view, .capture]) throws -> (token: ControlToken, port: UInt16) {
        let token = ControlToken(rights: rights)
        let address = try control.control.listen(at: LoopbackAddress(parsing: "127.0.0.1:0"), token: token)
        return (token, address.port)
    }

    private func ask(_ port: UInt16, _ head: String...) throws -> (status: Int, text: String) {
        let client = try TestWeb(fixture, port: port)
        try client.send(text: head.joined(separator: "\r\n") + "\r\nConnection: close\r\n\r\n")
        try fixture.wait(for: head[0]) {
            _ = client.text
            return client.isClosed
        }
        return (Int(client.text.split(separator: " ").dropFirst().first ?? "") ?? 0, client.text)
    }

    @Test(
        "over TCP the token decides: a missing or wrong one gets 401, one in the query 400, the right one its rights")
    func token() throws {
        let (token, port) = try open()
        let host = "Host: 127.0.0.1:\(port)"
        let bearer = "Authorization: Bearer \(token.text)"
        #expect(try ask(port, "GET /v1/status HTTP/1.1", host).status == 401)
        let wrong = String(token.text.dropLast()) + (token.text.hasSuffix("0") ? "1" : "0")
        for field in [
            "Bearer \(wrong)", "Bearer ", "Bearer", "Basic \(token.text)", token.text, "Bearer \(token.text)0",
        ] {
            let answer = try ask(port, "GET /v1/status HTTP/1.1", host, "Authorization: \(field)")
            #expect(answer.status == 401 && answer.text.contains("WWW-Authenticate: Bearer"), "\(field)")
            #expect(!answer.text.contains(token.text))
        }
        #expect(try ask(port, "GET /v1/status?token=\(token.text) HTTP/1.1", host).status == 400)
        let status = try ask(port, "GET /v1/status HTTP/1.1", host, bearer)
        #expect(status.status == 200 && status.text.contains(#""web":"http://127.0.0.1:\#(port)/v1""#), "\(status)")
        #expect(try ask(port, "GET /v1/screenshot.png HTTP/1.1", host, bearer).status == 200)
        let refused = try ask(port, "DELETE /v1/screens/1 HTTP/1.1", host, bearer)
        #expect(refused.status == 403 && refused.text.contains("right administer"), "\(refused.text)")
        #expect(fixture.model.screens.count == 1)
        // On the control socket the rights come from the policy, not from the token.
        #expect(try control.send("DELETE", "/v1/screens/1").status == 204)
    }

    @Test("over TCP requests from other origins or for other host names are refused, and no CORS header allows them")
    func origin() throws {
        let (token, port) = try open(.all)
        let bearer = "Authorization: Bearer \(token.text)"
        func status(_ fields: String...) throws -> Int {
            try ask(port, (["GET /v1/status HTTP/1.1", bearer] + fields).joined(separator: "\r\n")).status
        }
        #expect(try status("Host: 127.0.0.1:\(port)") == 200)
        #expect(try status("Host: LOCALHOST:\(port)") == 200)
        for host in ["evil.example:\(port)", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:\(port)", ""] {
            #expect(try status("Host: \(host)") == 403, "\(host)")
        }
        #expect(try status() == 403)
        let host = "Host: 127.0.0.1:\(port)"
        #expect(try status(host, "Origin: http://127.0.0.1:\(port)") == 200)
        for origin in ["http://evil.example", "null", "http://localhost:\(port)", "https://127.0.0.1:\(port)"] {
            #expect(try status(host, "Origin: \(origin)") == 403, "\(origin)")
        }
        // Not even a route that requires no right is served.
        #expect(try ask(port, "GET /v1/openapi.json HTTP/1.1", "Host: evil:\(port)").status == 403)
        let preflight = try ask(
            port, "OPTIONS /v1/status HTTP/1.1", host, "Origin: http://127.0.0.1:\(port)",
            "Access-Control-Request-Method: GET")
        #expect(preflight.status == 405 && !preflight.text.contains("Access-Control"), "\(preflight.text)")
    }

    @Test("an event reader that never reads is disconnected; an incomplete request may wait, and others are served")
    func bad() throws {
        let (token, port) = try open()
        let (host, bearer) = ("Host: 127.0.0.1:\(port)", "Authorization: Bearer \(token.text)")
        let silent = try TestWeb(fixture, port: port)
        var small: Int32 = 4096
        setsockopt(silent.descriptor, SOL_SOCKET, SO_RCVBUF, &small, socklen_t(MemoryLayout<Int32>.size))
        try silent.send("GET /v1/events HTTP/1.1", host, bearer)
        try fixture.wait(for: "the event reader") { control.control.events.count == 1 }
        let hanging = try TestWeb(fixture, port: port)
        try hanging.send(text: "POST /v1/compare HTTP/1.1\r\n\(host)\r\n\(bearer)\r\nContent-Length: 100\r\n\r\nhalf")
        try fixture.wait(for: "its disconnection", seconds: 60) {
            for _ in 0..<2000 { fixture.server.onEffect?(.screenPropertiesDidChange(fixture.mainScreen)) }
            return control.control.events.count == 0
        }
        #expect(try ask(port, "GET /v1/status HTTP/1.1", host, bearer).status == 200)
        #expect(!hanging.isClosed)
    }

    @Test("the number of event readers is limited; one too many gets 503, and may connect once another has gone")
    func readers() throws {
        let most = ControlLimits().eventReaders.total
        var readers = try (0..<most).map { _ in try control.start("GET", "/v1/events") }
        defer { for reader in readers { close(reader) } }
        try fixture.wait(for: "the readers") { control.control.events.count == readers.count }
        let refused = try control.send("GET", "/v1/events")
        #expect(refused.status == 503 && refused.body.contains("64 readers of events"), "\(refused.body)")
        if let last = readers.popLast() { close(last) }
        try fixture.wait(for: "room") { control.control.events.count < most }
        readers.append(try control.start("GET", "/v1/events"))
        try fixture.wait(for: "another") { control.control.events.count == most }
    }

    @Test("over TCP the number of connections and the sizes of heads and bodies are limited")
    func bounds() throws {
        let (token, port) = try open()
        let (host, bearer) = ("Host: 127.0.0.1:\(port)", "Authorization: Bearer \(token.text)")
        var idle = try (0..<ControlServer.webConnections).map { _ in try TestWeb(fixture, port: port) }
        // Connections without a token make way for those with one.
        #expect(try ask(port, "GET /v1/status HTTP/1.1", host, bearer).status == 200)
        try fixture.wait(for: "the oldest to go") {
            control.control.web?.connectionCount == ControlServer.webStrangers
        }
        #expect(idle[0].text.contains("503") && idle.last?.text == "")
        // Connections with a token stay, and their number is limited too.
        let known = try (0..<(ControlServer.webConnections - ControlServer.webStrangers)).map { _ in
            let web = try TestWeb(fixture, port: port)
            #expect(try web.ask("GET /v1/status HTTP/1.1", host, bearer).status == 200)
            return web
        }
        #expect(try ask(port, "GET /v1/status HTTP/1.1", host, bearer).status == 503)
        for web in known { #expect(try web.ask("GET /v1/status HTTP/1.1", host, bearer).status == 200) }
        // The control socket is not affected.
        #expect(try control.send("GET", "/v1/status").status == 200)
        _ = consume known
        idle = []
        try fixture.wait(for: "room") { control.control.web?.connectionCount == 0 }
        let long = "X-Long: " + String(repeating: "x", count: 20_000)
        #expect(try ask(port, "GET /v1/status HTTP/1.1", host, bearer, long).status == 400)
        let body = "Content-Length: \(ControlServer.webBodyBytes + 1)"
        #expect(try ask(port, "POST /v1/compare HTTP/1.1", host, bearer, body).status == 413)
    }
}
