// HTTP over a Unix socket, with libcurl.

import CCurl
import FoundationEssentials
import Glibc

/// A client of a server's control socket.
struct ControlClient {
    let path: String

    /// The server's response; a status of 400 or above is a refusal.
    struct Answer {
        var status: Int
        var body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The body of a request.
    struct Body {
        var type: String
        var bytes: [UInt8]
    }

    /// Sends a request and waits for its response.
    /// - Throws: `refused` with the server's reason, or when the server cannot be reached.
    func send(_ method: String, _ path: String, _ body: JSON? = nil, accept: String? = nil) throws(CommandError)
        -> Answer
    {
        let body = body.map { Body(type: "application/json", bytes: Array($0.encoded.utf8)) }
        return try send(method, path, body, accept: accept)
    }

    /// Sends a request and returns its response, even a refusal.
    func exchange(_ method: String, _ path: String, _ json: JSON) throws(CommandError) -> Answer {
        let sink = Sink()
        let body = Body(type: "application/json", bytes: Array(json.encoded.utf8))
        let status = try perform(method, path, body, accept: nil, seconds: 660, sink)
        return Answer(status: status, body: sink.bytes)
    }

    /// Sends a request without a body; returns even a response of one of these statuses, which are no refusals.
    /// - Parameter seconds: the longest wait for it; 0: any.
    func exchange(
        _ method: String, _ path: String, accepting statuses: [Int], seconds: Int = 660
    ) throws(CommandError) -> Answer {
        let sink = Sink()
        let status = try perform(method, path, nil, accept: nil, seconds: seconds, sink)
        let answer = Answer(status: status, body: sink.bytes)
        if !statuses.contains(status) { try check(answer) }
        return answer
    }

    /// Sends a request with any body.
    func send(_ method: String, _ path: String, _ body: Body?, accept: String? = nil) throws(CommandError) -> Answer {
        let sink = Sink()
        let status = try perform(method, path, body, accept: accept, seconds: 660, sink)
        let answer = Answer(status: status, body: sink.bytes)
        try check(answer)
        return answer
    }

    /// Reads an endless response line by line, until `line` returns false.
    func stream(
        _ method: String, _ path: String, _ body: JSON? = nil, _ line: @escaping (String) -> Bool
    ) throws(CommandError) {
        try check(follow(method, path, body, line))
    }

    /// Like `stream`, but returns even a refusal.
    /// - Parameter companion: works beside the stream.
    func follow(
        _ method: String, _ path: String, _ body: JSON? = nil, beside companion: (any StreamCompanion)? = nil,
        _ line: @escaping (String) -> Bool
    ) throws(CommandError) -> Answer {
        let sink = Sink()
        sink.line = line
        sink.companion = companion
        let body = body.map { Body(type: "application/json", bytes: Array($0.encoded.utf8)) }
        let status = try perform(method, path, body, accept: "text/event-stream", seconds: 0, sink)
        return Answer(status: status, body: sink.bytes)
    }

    /// Percent-encodes a path segment.
    static func escape(_ segment: String) -> String {
        segment.utf8.map { byte in
            let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            if isPlain || byte == 45 || byte == 95 || byte == 126 { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    /// Throws the reason of a refusal.
    func check(_ answer: Answer) throws(CommandError) {
        guard answer.status >= 400 else { return }
        let problem = (try? JSON(parsing: answer.text)) ?? .null
        let detail = problem["detail"].text
        guard !detail.isEmpty else { throw .refused("the server answered \(answer.status)") }
        // Commands are no JSON: its lines and columns mean nothing to their users.
        let errors = problem["errors"].elements.map(\.["detail"].text)
        let index = problem["index"].number.map { "event \(Int($0) + 1): " } ?? ""
        throw .refused(problem.citation + index + (errors.isEmpty ? detail : errors.joined(separator: "\n")))
    }

    private func perform(
        _ method: String, _ path: String, _ body: Body?, accept: String?, seconds: Int, _ sink: Sink
    ) throws(CommandError) -> Int {
        guard let curl = unsafe curl_easy_init() else { throw .refused("libcurl cannot start") }
        defer { unsafe curl_easy_cleanup(curl) }
        var headers: UnsafeMutablePointer<curl_slist>?
        // Otherwise libcurl waits a second for "100 Continue" before sending the body.
        unsafe headers = unsafe curl_slist_append(headers, "Expect:")
        if let accept { unsafe headers = unsafe curl_slist_append(headers, "Accept: \(accept)") }
        if let body { unsafe headers = unsafe curl_slist_append(headers, "Content-Type: \(body.type)") }
        defer { unsafe curl_slist_free_all(headers) }
        // HTTP requires a host, but only the socket matters, whatever proxies are configured.
        unsafe curl_set_string(curl, CURLOPT_URL, "http://mullion/v1" + path)
        unsafe curl_set_string(curl, CURLOPT_UNIX_SOCKET_PATH, self.path)
        unsafe curl_set_string(curl, CURLOPT_NOPROXY, "*")
        unsafe curl_set_string(curl, CURLOPT_CUSTOMREQUEST, method)
        unsafe curl_set_long(curl, CURLOPT_NOSIGNAL, 1)
        unsafe curl_set_long(curl, CURLOPT_CONNECTTIMEOUT, 10)
        unsafe curl_set_long(curl, CURLOPT_TIMEOUT, seconds)
        unsafe curl_set_pointer(curl, CURLOPT_HTTPHEADER, headers)
        if var bytes = body?.bytes {
            // The size must be set first: the bytes are copied immediately and may contain NULs.
            unsafe curl_set_long(curl, CURLOPT_POSTFIELDSIZE, bytes.count)
            unsafe curl_set_pointer(curl, CURLOPT_COPYPOSTFIELDS, &bytes)
        }
        sink.isRefusal = {
            var status = 0
            unsafe curl_get_status(curl, &status)
            return status >= 400
        }
        defer { sink.isRefusal = { false } }
        unsafe curl_set_write(curl, takeBytes, Unmanaged.passUnretained(sink).toOpaque())
        let code = withExtendedLifetime(sink) {
            unsafe sink.line == nil ? curl_easy_perform(curl) : stream(curl, sink)
        }
        var status = 0
        unsafe curl_get_status(curl, &status)
        guard code == CURLE_OK || (code == CURLE_WRITE_ERROR && sink.isOver) else { throw unreachable(code) }
        return status
    }

    /// Transfers a stream. Ends the program when nobody reads its output any more, because it may be long until the next
    /// line fails.
    private func stream(_ curl: UnsafeMutableRawPointer, _ sink: Sink) -> CURLcode {
        guard let transfers = unsafe curl_multi_init() else { return CURLE_OUT_OF_MEMORY }
        defer { unsafe curl_multi_cleanup(transfers) }
        unsafe curl_multi_add_handle(transfers, curl)
        defer { unsafe curl_multi_remove_handle(transfers, curl) }
        var running: Int32 = 1
        while true {
            unsafe curl_multi_perform(transfers, &running)
            if running == 0 { break }
            var waiting = [curl_waitfd(fd: 1, events: 0, revents: 0)]
            if let companion = sink.companion {
                guard companion.turn() else {
                    sink.isOver = true
                    return CURLE_WRITE_ERROR
                }
                waiting.append(curl_waitfd(fd: companion.descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0))
            }
            unsafe curl_multi_poll(transfers, &waiting, UInt32(waiting.count), 3_600_000, nil)
            Terminal.checkReader()
        }
        var left: Int32 = 0
        return unsafe curl_multi_info_read(transfers, &left)?.pointee.data.result ?? CURLE_RECV_ERROR
    }

    private func unreachable(_ code: CURLcode) -> CommandError {
        if code == CURLE_COULDNT_CONNECT {
            var file = stat()
            guard unsafe stat(path, &file) == 0 else {
                let why = errno == EACCES ? "you may not access" : "no server at"
                return .refused("\(why) \(path); start mulliond, or use --control PATH")
            }
            guard unsafe access(path, W_OK) == 0 else {
                let group =
                    unsafe getgrgid(file.st_gid).map { unsafe String(cString: $0.pointee.gr_name) } ?? "\(file.st_gid)"
                let who = file.st_mode & S_IWGRP != 0 ? "the group \(group)" : "its owner"
                return .refused("you may not connect to \(path); root and \(who) may")
            }
            return .refused("the server at \(path) does not answer")
        }
        if code == CURLE_PARTIAL_FILE || code == CURLE_GOT_NOTHING || code == CURLE_RECV_ERROR {
            return .refused("the server at \(path) closed the connection")
        }
        return .refused(unsafe "\(path): \(String(cString: curl_easy_strerror(code)))")
    }
}

/// What else is done while a stream is read.
protocol StreamCompanion: AnyObject {
    /// When it is readable, there is something to do; -1: never.
    var descriptor: Int32 { get }
    /// Called after lines were read, and when the descriptor is readable; returns false to abort the stream.
    func turn() -> Bool
}

/// Receives a response, whole or line by line.
private final class Sink {
    var bytes: [UInt8] = []
    var line: ((String) -> Bool)?
    var companion: (any StreamCompanion)?
    /// Whether the response is a refusal, whose body is kept whole.
    var isRefusal: () -> Bool = { false }
    var isOver = false
    /// How many of the bytes are known to contain no newline; pictures make long lines.
    private var searched = 0

    /// Returns false to abort the transfer.
    func take(_ new: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.append(contentsOf: new)
        guard let line, !isRefusal() else { return true }
        while let end = bytes[searched...].firstIndex(of: 10) {
            let text = String(decoding: bytes[..<end], as: UTF8.self)
            bytes.removeSubrange(...end)
            searched = 0
            if !line(text) {
                isOver = true
                return false
            }
        }
        searched = bytes.count
        return true
    }
}

private func takeBytes(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let sink = unsafe Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
    let all = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe sink.take(all) ? all.count : 0
}

extension JSON {
    /// "K5 (key passes on): " of a problem that names a rule, else nothing.
    var citation: String {
        let number = self["rule"].text
        return number.isEmpty ? "" : "\(Rule(rawValue: number)?.description ?? number): "
    }
}
