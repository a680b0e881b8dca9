// HTTP: deferred and streamed replies.

import EventLoop
import Glibc
import Testing

@Suite struct HTTPLaterTests {
    private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test("A reply may be sent later, from a thread; the peer's descriptor is available until then")
    func deferred() throws {
        var credentials: [Int32] = [0, 0, 0]
        let fixture = try HTTPFixture()
        fixture.server.handler = { [loop = fixture.loop] request in
            var length = socklen_t(12)
            getsockopt(request.peerDescriptor ?? -1, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
            let done = loop.completion { request.reply(HTTPResponse(body: $0)) }
            onThread { done(Array("encoded".utf8)) }
        }
        let client = try fixture.client()
        try client.send(Self.get)
        try turn(fixture.loop) { client.text.hasSuffix("encoded") }
        #expect(credentials[0] == getpid())
    }

    @Test("A disconnection is noticed immediately while a reply is pending, and a late reply is harmless")
    func vanished() throws {
        var request: HTTPRequest?
        var closed = 0
        let fixture = try HTTPFixture()
        fixture.server.handler = { new in
            request = new
            new.onClose = { closed += 1 }
        }
        do {
            let client = try fixture.client()
            try client.send("POST /x HTTP/1.1\r\nContent-Length: 2\r\n\r\nab")
            try turn(fixture.loop) { request != nil }
        }
        try turn(fixture.loop) { closed == 1 }
        #expect(request?.isOpen == false && request?.peerDescriptor == nil)
        #expect(request?.body == Array("ab".utf8))
        request?.reply(.text("too late"))
        #expect(request?.stream() == nil)
        #expect(
            try (0..<3).contains { _ in try !fixture.loop.runOnce(nonblocking: true) },
            "the loop is idle once the descriptor is closed")
        #expect(closed == 1)
    }

    @Test("A half-closed client still receives its reply, immediate or deferred")
    func halfClosed() throws {
        for later in [false, true] {
            var request: HTTPRequest?
            let fixture = try HTTPFixture { new in
                if later {
                    request = new
                } else {
                    new.reply(.text("answer"))
                }
            }
            let client = try fixture.client()
            try client.send(Self.get)
            client.finishSending()
            if later {
                try turn(fixture.loop) { request != nil }
                for _ in 0..<3 {
                    try fixture.loop.runOnce(nonblocking: true)
                }
                request?.reply(.text("answer"))
            }
            try turn(fixture.loop) { client.isClosed }
            #expect(client.text.hasSuffix("answer"))
        }
    }

    @Test("A client may send its next request while a reply is pending; replies are sent in order")
    func pipelined() throws {
        var requests: [HTTPRequest] = []
        let fixture = try HTTPFixture { requests.append($0) }
        let client = try fixture.client()
        try client.send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nConnection: close\r\n\r\n")
        try turn(fixture.loop) { requests.count == 1 }
        try fixture.loop.runOnce(nonblocking: true)
        #expect(requests.count == 1)
        requests[0].reply(.text("first"))
        try turn(fixture.loop) { requests.count == 2 }
        requests[1].reply(.text("second"))
        try turn(fixture.loop) { client.isClosed }
        #expect(requests.map(\.path) == [["1"], ["2"]])
        #expect(client.text.contains("first") && client.text.hasSuffix("second"))
    }

    @Test("A request stays open until its client has received the whole reply or disconnected; then the server is idle")
    func idle() throws {
        var idles = 0
        var requests: [HTTPRequest] = []
        let fixture = try HTTPFixture { requests.append($0) }
        fixture.server.onIdle = { idles += 1 }
        let slow = try fixture.client()
        try slow.send(Self.get)
        try turn(fixture.loop) { requests.count == 1 }
        slow.reads = false
        // More than a socket buffer holds, so part of it stays queued while the client does not read.
        requests[0].reply(HTTPResponse(body: [UInt8](repeating: 7, count: 2 << 20)))
        do {
            let brief = try fixture.client()
            try brief.send(Self.get)
            try turn(fixture.loop) { requests.count == 2 }
            requests[1].reply(HTTPResponse(body: [UInt8](repeating: 7, count: 2 << 20)))
            #expect(fixture.server.openRequests == 2)
        }
        try turn(fixture.loop) { fixture.server.openRequests == 1 }
        #expect(idles == 0)
        slow.reads = true
        try turn(fixture.loop) { slow.text.utf8.count > 2 << 20 }
        try turn(fixture.loop) { idles == 1 }
        #expect(fixture.server.openRequests == 0)
    }

    @Test("A stream is chunked, ends properly, and the connection serves further requests")
    func stream() throws {
        var stream: HTTPStream?
        let fixture = try HTTPFixture { request in
            stream = request.stream(headers: ["Content-Type": "text/event-stream"])
        }
        let client = try fixture.client()
        try client.send(Self.get)
        try turn(fixture.loop) { client.text.contains("\r\n\r\n") }
        #expect(client.text.contains("Transfer-Encoding: chunked\r\n"))
        stream?.write(Array("data: 1\n\n".utf8))
        try turn(fixture.loop) { client.text.hasSuffix("9\r\ndata: 1\n\n\r\n") }
        stream?.finish()
        #expect(stream?.isOpen == false)
        try turn(fixture.loop) { client.text.hasSuffix("0\r\n\r\n") }
        stream = nil
        try client.send("GET / HTTP/1.0\r\n\r\n")
        try turn(fixture.loop) { stream != nil }
        stream?.write(Array("plain".utf8))
        stream = nil
        try turn(fixture.loop) { client.isClosed }
        #expect(client.text.hasSuffix("\r\n\r\nplain"))
    }

    @Test("Back-pressure: queued bytes are counted, onDrain is called once they are sent, a slow client can be aborted")
    func pressure() throws {
        var stream: HTTPStream?
        var drains = 0
        let fixture = try HTTPFixture { stream = $0.stream() }
        let client = try fixture.client()
        client.reads = false
        try client.send(Self.get)
        try turn(fixture.loop) { stream != nil }
        stream?.onDrain = { drains += 1 }
        let chunk = [UInt8](repeating: 7, count: 100_000)
        for _ in 0..<50 {
            stream?.write(chunk)
            try fixture.loop.runOnce(nonblocking: true)
        }
        #expect(stream.map { $0.queuedBytes > 1_000_000 } == true)
        #expect(drains == 0)
        client.reads = true
        try turn(fixture.loop) { drains > 0 && stream?.queuedBytes == 0 }
        stream?.abort()
        #expect(stream?.isOpen == false)
        try turn(fixture.loop) { client.isClosed }
    }

    @Test("An idle stream outlives the timeout, unless its client stops reading")
    func quiet() throws {
        var limits = HTTPServer.Limits()
        limits.timeout = 20_000
        var stream: HTTPStream?
        var closed = false
        let fixture = try HTTPFixture(limits: limits) { stream = $0.stream() }
        let client = try fixture.client()
        try client.send(Self.get)
        try turn(fixture.loop) { stream != nil }
        stream?.onClose = { closed = true }
        let until = fixture.loop.now + 100_000
        let timer = Timer(fixture.loop)
        timer.arm(at: until)
        try turn(fixture.loop) { !timer.isArmed }
        #expect(stream?.isOpen == true && !closed)
        client.reads = false
        stream?.write([UInt8](repeating: 7, count: 4_000_000))
        try turn(fixture.loop) { closed }
        #expect(stream?.isOpen == false)
    }

    @Test("The disconnection of a stream's client is reported once; further writes are harmless")
    func gone() throws {
        var stream: HTTPStream?
        var closed = 0
        let fixture = try HTTPFixture { stream = $0.stream() }
        do {
            let client = try fixture.client()
            try client.send(Self.get)
            try turn(fixture.loop) { client.text.contains("\r\n\r\n") }
            stream?.onClose = { closed += 1 }
        }
        stream?.write(Array("x".utf8))
        try turn(fixture.loop) { closed == 1 }
        stream?.write(Array("x".utf8))
        stream?.finish()
        #expect(closed == 1)
    }

    @Test("Reading from a client that floods the connection of a stream is bounded")
    func flood() throws {
        var stream: HTTPStream?
        let fixture = try HTTPFixture { stream = $0.stream() }
        let client = try fixture.client()
        try client.send(Self.get)
        try turn(fixture.loop) { stream != nil }
        let bytes = [UInt8](repeating: 65, count: 4096)
        var sent = 0
        var refused = 0
        while refused < 10, sent < 2 << 20 {
            let count = send(client.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            sent += max(0, count)
            refused = count < 0 ? refused + 1 : 0
            try fixture.loop.runOnce(nonblocking: true)
        }
        #expect(sent < 2 << 20)
        #expect(stream?.isOpen == true)
    }

    @Test(
        "A connection reset is noticed in every state, and the loop is idle afterwards",
        arguments: [
            "a stream, bytes ahead", "a later answer", "half-closed before",
        ])
    func reset(how: String) throws {
        var requests: [HTTPRequest] = []
        var stream: HTTPStream?
        var closed = 0
        let fixture = try HTTPFixture { request in
            if how.hasPrefix("a stream") {
                stream = request.stream()
                stream?.onClose = { closed += 1 }
            } else if how == "a later answer", requests.isEmpty {
                request.reply(.text("left unread"))
            } else {
                request.onClose = { closed += 1 }
            }
            requests.append(request)
        }
        do {
            let client = try fixture.client()
            client.reads = false
            try client.send(Self.get)
            try turn(fixture.loop) { requests.count == 1 }
            switch how {
            case "a later answer":
                try client.send(Self.get)
                try turn(fixture.loop) { requests.count == 2 }
            case "half-closed before":
                client.finishSending()
                for _ in 0..<3 { try fixture.loop.runOnce(nonblocking: true) }
                #expect(closed == 0)
            default:
                // More than is read ahead, so that evhttp is not reading when the client disconnects.
                try client.send(String(repeating: "A", count: 100_000))
                for _ in 0..<3 { try fixture.loop.runOnce(nonblocking: true) }
            }
        }
        try turn(fixture.loop) { closed == 1 }
        for _ in 0..<3 { try fixture.loop.runOnce(nonblocking: true) }
        let before = processorTime()
        let timer = Timer(fixture.loop)
        timer.arm(at: fixture.loop.now + 50_000)
        var turns = 0
        while timer.isArmed {
            try fixture.loop.runOnce()
            turns += 1
        }
        #expect(turns < 10 && processorTime() - before < 0.04, "\(turns) turns")
        stream?.finish()
        requests.last?.reply(.text("too late"))
        #expect(closed == 1)
    }

    @Test(
        "A client that half-closes in the middle of a request is disconnected, even without other clients",
        arguments: [
            "", "GET", "GET / HTTP/1.1\r\nHo", "POST / HTTP/1.1\r\nContent-Length: 99999\r\n\r\n{",
            "POST / HTTP/1.1\r\nContent-Length: 999999\r\n\r\n" + String(repeating: "A", count: 60_000),
        ])
    func cutShort(beginning: String) throws {
        let fixture = try HTTPFixture { $0.reply(.text("answer")) }
        let client = try fixture.client()
        try turn(fixture.loop) { fixture.server.connectionCount == 1 }
        if !beginning.isEmpty { try client.send(beginning) }
        client.finishSending()
        try turn(fixture.loop) { client.isClosed }
        #expect(client.text.isEmpty || client.text.hasPrefix("HTTP/1.1 400 "))
    }

    /// CPU time of this thread, in seconds.
    private func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("A server that is deallocated, even by its own handler, notifies pending requests")
    func serverDropped() throws {
        let (loop, folder) = (try EventLoop(), try Folder())
        var server: HTTPServer? = try HTTPServer(loop)
        try server?.listen(on: .unix(path: folder.path + "/s", mode: 0o600))
        var waiting: [HTTPRequest] = []
        var closed = 0
        server?.handler = { request in
            waiting.append(request)
            request.onClose = { closed += 1 }
            if waiting.count == 2 {
                server = nil
            }
        }
        let clients = try (0..<2).map { _ in try RawClient(loop, folder.path + "/s") }
        try clients.forEach { try $0.send(Self.get) }
        try turn(loop) { clients.allSatisfy(\.isClosed) }
        #expect(closed == 2)
        waiting.forEach { $0.reply(.text("late")) }
        #expect(!folder.exists("s"))
    }
}
