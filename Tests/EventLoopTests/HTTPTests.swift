// HTTP: requests and complete responses.

import EventLoop
import Glibc
import Testing

/// A server on its own socket.
struct HTTPFixture {
    let loop: EventLoop
    let server: HTTPServer
    let folder: Folder

    init(limits: HTTPServer.Limits = .init(), handler: ((HTTPRequest) -> Void)? = nil) throws {
        loop = try EventLoop()
        folder = try Folder()
        server = try HTTPServer(loop, limits: limits, handler: handler)
        try server.listen(on: .unix(path: folder.path + "/s", mode: 0o600))
    }

    func client() throws -> RawClient {
        try RawClient(loop, folder.path + "/s")
    }

    /// Sends `text` on a new connection and returns the status line of the reply, once its head is complete.
    func exchange(_ text: String) throws -> String {
        let client = try client()
        try client.send(text)
        try turn(loop) { client.isClosed || client.text.contains("\r\n\r\n") }
        return String(client.text.prefix { $0 != "\r\n" })
    }
}

@Suite struct HTTPTests {
    @Test("GET: path segments and query items are decoded after they are split; a connection serves several requests")
    func get() throws {
        var seen: HTTPRequest?
        let fixture = try HTTPFixture { request in
            seen = request
            request.reply(.text("hello"))
        }
        let client = try fixture.client()
        try client.send("GET /v1/a%2Fb/%C3%A4?x=1+2&y=%26&z HTTP/1.1\r\nHost: h\r\nX-Thing: v\r\n\r\n")
        try turn(fixture.loop) { client.text.hasSuffix("\r\n\r\nhello") }
        let request = try #require(seen)
        #expect(request.method == .get)
        #expect(request.path == ["v1", "a/b", "ä"])
        #expect(request.query.map(\.name) == ["x", "y", "z"])
        #expect(request.query.map(\.value) == ["1 2", "&", ""])
        #expect(request.queryItem("y") == "&")
        #expect(request.headers["x-thing"] == "v" && request.headers["none"] == nil)
        #expect(!request.isOpen && request.peerDescriptor == nil)
        #expect(client.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(client.text.contains("Content-Type: text/plain; charset=utf-8\r\n"))
        try client.send("HEAD /again HTTP/1.1\r\nConnection: close\r\n\r\n")
        try turn(fixture.loop) { client.isClosed }
        #expect(seen?.method == .head && seen?.path == ["again"])
        #expect(client.text.contains("Content-Length: 5\r\n"))
        #expect(client.text.hasSuffix("\r\n\r\n"))
    }

    @Test("PATCH and other methods accept bodies up to the limit, also chunked and after 100 Continue")
    func bodies() throws {
        let fixture = try HTTPFixture { request in
            request.reply(.text("\(request.method.rawValue) \(request.body.count)", status: 202))
        }
        let big = String(repeating: "b", count: 1 << 20)
        for method in ["PATCH", "POST", "PUT", "DELETE", "OPTIONS"] {
            let client = try fixture.client()
            try client.send("\(method) /x HTTP/1.1\r\nContent-Length: 3\r\nConnection: close\r\n\r\n{ }")
            try turn(fixture.loop) { client.isClosed }
            #expect(client.text.hasSuffix("\(method) 3"))
        }
        let client = try fixture.client()
        try client.send("PATCH /x HTTP/1.1\r\nContent-Length: \(big.utf8.count)\r\nExpect: 100-continue\r\n\r\n")
        try turn(fixture.loop) { client.text.contains("100 Continue") }
        try client.send(big)
        try turn(fixture.loop) { client.text.hasSuffix("PATCH 1048576") }
        try client.send("PATCH /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n")
        try turn(fixture.loop) { client.text.hasSuffix("PATCH 5") }
    }

    @Test("Requests that are too big, malformed or use an unknown method are refused before the handler sees them")
    func refused() throws {
        var limits = HTTPServer.Limits()
        limits.bodyBytes = 1000
        limits.headerBytes = 2000
        let fixture = try HTTPFixture(limits: limits) { _ in Issue.record("handled") }
        let long = String(repeating: "a", count: 3000)
        let end = " HTTP/1.1\r\nConnection: close\r\n\r\n"
        let cases = [
            ("POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n" + long.prefix(1001), "413"),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nbb8\r\n" + long + "\r\n0\r\n\r\n", "413"),
            ("GET / HTTP/1.1\r\nX: \(long)\r\n\r\n", "400"),
            ("GET /\(long) HTTP/1.1\r\n\r\n", "400"),
            ("POST / HTTP/1.1\r\nContent-Length: -4\r\n\r\n", "400"),
            ("GET / HTTP/1.1\r\nnonsense\r\n\r\n", "400"),
            ("utter nonsense of some length\r\n\r\n", "400"),
            ("GET /%zz\(end)", "400"), ("GET /%00\(end)", "400"), ("GET /%ff\(end)", "400"),
            ("GET /?a=%4\(end)", "400"),
            ("BREW /\(end)", "405"), ("TRACE /\(end)", "405"), ("CONNECT h:1\(end)", "405"),
        ]
        for (text, status) in cases {
            let line = try fixture.exchange(text)
            #expect(line.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(60))")
        }
    }

    @Test("Chunk sizes, which evhttp does not limit, are limited, also in pipelined requests")
    func endlessChunkSize() throws {
        var limits = HTTPServer.Limits()
        limits.headerBytes = 2000
        limits.chunkedBytes = 10_000
        let fixture = try HTTPFixture(limits: limits) { $0.reply(.text("hello")) }
        let heads = [
            ["POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"],
            ["POST / HTTP/1.1\r\nTRANSFER-enc", "oding: chunked\r\n\r\n"],
            ["GET / HTTP/1.1\r\n\r\nPOST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"],
        ]
        for head in heads {
            let client = try fixture.client()
            for part in head {
                try client.send(part)
                for _ in 0..<20 { try fixture.loop.runOnce(nonblocking: true) }
            }
            try client.send(String(repeating: "0", count: 1 << 20))
            try turn(fixture.loop) { client.isClosed }
            #expect(client.text.contains("HTTP/1.1 413 ") && client.text.contains("10000 bytes"), "\(head)")
        }
        // A body with a length may be longer, and may contain chunked-encoding text.
        let text = String(repeating: "b", count: 100_000) + "Transfer-Encoding"
        let status = try fixture.exchange("POST / HTTP/1.1\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
        #expect(status.hasPrefix("HTTP/1.1 200 "))
    }

    @Test("The total size of incomplete requests is limited; the largest is refused, others are served")
    func incomplete() throws {
        var limits = HTTPServer.Limits()
        limits.incompleteBytes = 100_000
        let fixture = try HTTPFixture(limits: limits) { $0.reply(.text("hello")) }
        let (large, small) = (try fixture.client(), try fixture.client())
        let head = "POST / HTTP/1.1\r\nContent-Length: 80000\r\n\r\n"
        try small.send(head + String(repeating: "s", count: 20_000))
        try large.send(head + String(repeating: "l", count: 79_990))
        try turn(fixture.loop) { large.isClosed }
        #expect(large.text.hasPrefix("HTTP/1.1 503 ") && large.text.contains("100000 bytes") && !small.isClosed)
        try small.send(String(repeating: "s", count: 60_000))
        try turn(fixture.loop) { small.text.hasSuffix("hello") }
        // Complete requests are no longer counted, nor the bytes of closed connections.
        for _ in 0..<3 {
            let gone = try fixture.client()
            try gone.send(head + String(repeating: "g", count: 60_000))
            for _ in 0..<20 { try fixture.loop.runOnce(nonblocking: true) }
        }
        for _ in 0..<3 {
            #expect(try fixture.exchange(head + String(repeating: "n", count: 80_000)).hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("The descriptor number of a connection that evhttp closed can be reused", arguments: [true, false])
    func reuse(isStream: Bool) throws {
        var arrived: HTTPRequest?
        let fixture = try HTTPFixture { arrived = $0 }
        for _ in 0..<3 {
            let client = try fixture.client()
            try client.send("GET / HTTP/1.1\r\n\(isStream ? "Connection: close" : "nonsense")\r\n\r\n")
            if isStream {
                try turn(fixture.loop) { arrived != nil }
                let stream = try #require(arrived?.stream())
                stream.write(Array("hello".utf8))
                stream.finish()
                arrived = nil
            }
            try turn(fixture.loop) { client.isClosed }
            // Any descriptor may reuse the number, not only the HTTP server's.
            let pairs = try (0..<4).map { _ in try Pair() }
            var heard: Set<Int32> = []
            let sources = try pairs.map { pair in
                try IOSource(fixture.loop, descriptor: pair.left) { heard.insert(pair.left) }
            }
            for pair in pairs { #expect(write(pair.right, "x", 1) == 1) }
            for _ in 0..<20 { try fixture.loop.runOnce(nonblocking: true) }
            #expect(heard.count == pairs.count)
            for source in sources { source.cancel() }
        }
    }

    @Test("A stalled client is disconnected, whether it sent nothing or half a request")
    func hanging() throws {
        var limits = HTTPServer.Limits()
        limits.timeout = 20_000
        let fixture = try HTTPFixture(limits: limits) { _ in Issue.record("handled") }
        let (silent, half) = (try fixture.client(), try fixture.client())
        try half.send("GET / HTTP/1.1\r\nHos")
        try turn(fixture.loop) { silent.isClosed && half.isClosed }
        #expect(silent.received.isEmpty)
    }

    @Test("A client that sends a byte now and then gets 408 once its request has taken too long; others are unaffected")
    func slow() throws {
        var limits = HTTPServer.Limits()
        limits.requestTime = 200_000
        let fixture = try HTTPFixture(limits: limits) { $0.reply(.text("hello")) }
        let (slow, quick) = (try fixture.client(), try fixture.client())
        // Each byte counts as progress; only the total time of the request is limited.
        let drip = Timer(fixture.loop)
        var sent = 0
        drip.handler = { deadline, _ in
            try? slow.send(sent == 0 ? "GET / HTTP/1.1\r\nX: " : "x")
            sent += 1
            drip.arm(at: deadline + 20_000)
        }
        drip.arm(at: fixture.loop.now)
        try turn(fixture.loop) { slow.isClosed }
        #expect(slow.text.hasPrefix("HTTP/1.1 408 ") && sent > 5)
        try quick.send("GET / HTTP/1.1\r\n\r\n")
        try turn(fixture.loop) { quick.text.hasSuffix("hello") }
        #expect(fixture.server.connectionCount == 1)
    }

    @Test("Slow replies and streams do not count as slow requests")
    func patience() throws {
        var limits = HTTPServer.Limits()
        limits.requestTime = 50_000
        var waiting: HTTPRequest?
        let fixture = try HTTPFixture(limits: limits) { waiting = $0 }
        let client = try fixture.client()
        try client.send("GET / HTTP/1.1\r\n\r\n")
        try turn(fixture.loop) { waiting != nil }
        let stream = try #require(waiting?.stream())
        try client.send("GET /half")
        var isLater = false
        let later = Timer(fixture.loop) { _, _ in isLater = true }
        later.arm(at: fixture.loop.now + 150_000)
        try turn(fixture.loop) { isLater }
        stream.write(Array("more".utf8))
        try turn(fixture.loop) { client.text.contains("more") }
        #expect(!client.isClosed && stream.isOpen)
    }

    @Test("A burst of connections is accepted in several turns, so that it does not delay what else there is to do")
    func burst() throws {
        let fixture = try HTTPFixture { $0.reply(.text("hello")) }
        let clients = try (0..<50).map { _ in try fixture.client() }
        var counts: [Int] = []
        try turn(fixture.loop) {
            counts.append(fixture.server.connectionCount)
            return counts.last == clients.count
        }
        #expect(zip([0] + counts, counts).allSatisfy { $1 - $0 <= 16 }, "\(counts)")
        for client in clients { try client.send("GET / HTTP/1.1\r\n\r\n") }
        try turn(fixture.loop) { clients.allSatisfy { $0.text.hasSuffix("hello") } }
    }

    @Test("A connection beyond the limit gets 503; closing one makes room")
    func connections() throws {
        var limits = HTTPServer.Limits()
        limits.connections = 2
        let fixture = try HTTPFixture(limits: limits) { $0.reply(.text("hello")) }
        var (first, second) = (Optional(try fixture.client()), try fixture.client())
        try turn(fixture.loop) { fixture.server.connectionCount == 2 }
        let third = try fixture.client()
        try turn(fixture.loop) { third.isClosed }
        #expect(third.text.hasPrefix("HTTP/1.1 503 "))
        #expect(first?.isClosed == false && !second.isClosed)
        first = nil
        try turn(fixture.loop) { fixture.server.connectionCount == 1 }
        #expect(try fixture.exchange("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        second = try fixture.client()
        try second.send("GET / HTTP/1.1\r\n\r\n")
        try turn(fixture.loop) { second.text.hasSuffix("hello") }
    }

    @Test(
        "A body that evhttp leaves unread is not parsed as the next request: the connection closes after the reply",
        arguments: ["HEAD", "TRACE"], ["Content-Length: 43", "Transfer-Encoding: chunked"])
    func smuggled(method: String, length: String) throws {
        var paths: [[String]] = []
        let fixture = try HTTPFixture { request in
            paths.append(request.path)
            request.reply(.text("hello"))
        }
        let client = try fixture.client()
        try client.send("\(method) /one HTTP/1.1\r\n\(length)\r\n\r\nDELETE /two HTTP/1.1\r\nConnection: close\r\n\r\n")
        try turn(fixture.loop) { client.isClosed }
        #expect(client.text.hasPrefix("HTTP/1.1 ") && !client.text.contains("hello"))
        #expect(paths == [["one"]] || (paths == [] && method == "TRACE"))
    }

    @Test("A connection serves the next request after a body that evhttp reads", arguments: ["GET", "DELETE", "POST"])
    func bodies(method: String) throws {
        var bodies: [[UInt8]] = []
        let fixture = try HTTPFixture { request in
            bodies.append(request.body)
            request.reply(.text("hello"))
        }
        let client = try fixture.client()
        try client.send("\(method) /one HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /two HTTP/1.1\r\n\r\n")
        try turn(fixture.loop) { bodies.count == 2 }
        #expect(bodies == [Array("abc".utf8), []] && !client.isClosed)
    }

    @Test("A request that is released without a reply gets 500")
    func dropped() throws {
        let fixture = try HTTPFixture { _ in }
        #expect(try fixture.exchange("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").hasPrefix("HTTP/1.1 500 "))
    }

    @Test("A header that contains a line break is omitted")
    func injection() throws {
        let fixture = try HTTPFixture { $0.reply(HTTPResponse(headers: ["A": "b\r\nEvil: yes", "C": "d"])) }
        let client = try fixture.client()
        try client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        try turn(fixture.loop) { client.isClosed }
        #expect(client.text.contains("C: d\r\n") && !client.text.contains("Evil"))
    }

    @Test("Closing refuses new clients and removes the socket; connected clients are still served")
    func closing() throws {
        let fixture = try HTTPFixture { $0.reply(.text("still here")) }
        let client = try fixture.client()
        try client.send("GET / HTTP/1.1\r\n\r\n")
        try turn(fixture.loop) { client.text.hasSuffix("still here") }
        fixture.server.stopListening()
        #expect(connectUnix(fixture.folder.path + "/s") < 0)
        try client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        try turn(fixture.loop) { client.isClosed }
        #expect(client.text.hasSuffix("still here"))
    }

    @Test("HTTP on TCP")
    func tcp() throws {
        #expect(throws: EventLoopError("bind", "nowhere", code: EINVAL)) { _ = try ListeningSocket.tcp("nowhere") }
        #expect(throws: EventLoopError("bind", "127.0.0.1", code: EINVAL)) { _ = try ListeningSocket.tcp("127.0.0.1") }
        let loop = try EventLoop()
        let socket = try ListeningSocket.tcp("127.0.0.1:0")
        let server = try HTTPServer(loop) { $0.reply(.text("over TCP")) }
        try server.listen(on: socket)
        let client = try RawClient(loop, port: #require(socket.port))
        try client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        try turn(loop) { client.isClosed }
        #expect(client.text.hasSuffix("over TCP"))
    }
}
