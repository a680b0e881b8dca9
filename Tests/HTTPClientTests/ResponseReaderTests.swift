// Responses, read in pieces.

import HTTPClient
import Testing

@Suite struct ResponseReaderTests {
    /// What is read of a response.
    private struct Read: Equatable {
        var status: Int?
        var body = ""
        var isComplete = false
    }

    /// Reads pieces, and the end of the connection.
    private func read(_ pieces: [[UInt8]]) throws -> Read {
        var (reader, read) = (ResponseReader(), Read())
        var body: [UInt8] = []
        for piece in pieces {
            _ = try reader.take(piece[...]) { status, piece in
                read.status = status
                body += piece
                return true
            }
        }
        reader.close()
        read.body = String(decoding: body, as: UTF8.self)
        (read.status, read.isComplete) = (reader.status, reader.isComplete)
        return read
    }

    private static let responses: [(text: String, read: Read)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", Read(status: 200, body: "hello", isComplete: true)),
        ("HTTP/1.1 200 OK\nCONTENT-LENGTH:5\n\nhello", Read(status: 200, body: "hello", isComplete: true)),
        ("HTTP/1.1 204 No Content\r\n\r\n", Read(status: 204, isComplete: true)),
        (
            "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", Read(status: 304, isComplete: true)
        ),
        ("HTTP/1.1 409\r\nContent-Length: 0\r\n\r\n", Read(status: 409, isComplete: true)),
        ("HTTP/1.0 200 OK\r\n\r\nuntil the end", Read(status: 200, body: "until the end", isComplete: true)),
        (
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}",
            Read(status: 201, body: "{}", isComplete: true)
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "5\r\nhello\r\n00a ; name=value\r\n, world\r\n!\r\n0\r\nTrailer: x\r\n\r\n",
            Read(status: 200, body: "hello, world\r\n!", isComplete: true)
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", Read(status: 200, body: "hell")),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", Read(status: 200, body: "hello")),
        ("HTTP/1.1 200 OK\r\nContent-Le", Read()),
        ("", Read()),
    ]

    @Test("a response is the same in pieces of any size", arguments: responses.indices)
    func pieces(_ index: Int) throws {
        let (text, expected) = Self.responses[index]
        let bytes = Array(text.utf8)
        for size in 1...max(1, bytes.count) {
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            #expect(try read(pieces) == expected, "in pieces of \(size)")
        }
    }

    private static let malformed = [
        "SSH-2.0-OpenSSH\r\n", "HTTP/2 200\r\n", "HTTP/1.1 99 Low\r\n", "HTTP/1.1 six\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: +1\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: ResponseReader.maximumText),
    ]

    @Test("what is no response of HTTP/1.1 is refused", arguments: malformed)
    func refusals(_ text: String) throws {
        #expect(throws: MalformedResponse.self) { _ = try read([Array(text.utf8)]) }
        #expect(throws: MalformedResponse.self) { _ = try read(text.utf8.map { [$0] }) }
    }

    @Test("reading stops when the body's reader wants no more")
    func stop() throws {
        var reader = ResponseReader()
        var pieces = 0
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n"
        let goesOn = try reader.take(Array(text.utf8)[...]) { _, _ in
            pieces += 1
            return false
        }
        #expect(!goesOn && pieces == 1 && !reader.isComplete)
    }

    @Test("damaged responses are read or refused")
    func damage() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var bytes = Array(Self.responses[Int.random(in: 0..<7, using: &random)].text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let whole = try? read([bytes])
            #expect(whole == (try? read(bytes.map { [$0] })), "\(bytes)")
        }
    }
}
