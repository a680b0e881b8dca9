// The control API, over a server's Unix socket.

import Glibc
import HTTPClient
import JSON5
import MullionSystem

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
        try exchange(method, path, Body(type: "application/json", bytes: Array(json.encoded.utf8)))
    }

    /// The same with any body.
    func exchange(
        _ method: String, _ path: String, _ body: Body?, accept: String? = nil
    ) throws(CommandError) -> Answer {
        let sink = Sink()
        let status = try perform(method, path, body, accept: accept, seconds: 660, sink)
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

    /// What keeps the server from being settled; nothing if it settles within some seconds.
    func unfinished(within seconds: Double) throws(CommandError) -> [JSON] {
        let answer = try exchange("POST", "/settle?timeout=\(seconds)", accepting: [503])
        guard answer.status != 200 else { return [] }
        let problem = try JSON(parsing: answer.text)
        if problem["unfinished"] == .null { try check(answer) }
        return problem["unfinished"].elements
    }

    /// Sends a request with any body.
    func send(_ method: String, _ path: String, _ body: Body?, accept: String? = nil) throws(CommandError) -> Answer {
        let answer = try exchange(method, path, body, accept: accept)
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
        var fields = [(name: "Accept", value: accept ?? "*/*")]
        if let body { fields.append((name: "Content-Type", value: body.type)) }
        do throws(HTTPFailure) {
            var exchange = try HTTPExchange(method, "/v1" + path, fields, body: body?.bytes, to: self.path)
            if sink.line == nil {
                try exchange.perform(seconds: seconds, body: sink.take)
            } else {
                // It may be long until the next line shows that nobody reads the output any more.
                let others = [
                    pollfd(fd: 1, events: 0, revents: 0),
                    pollfd(fd: sink.companion?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                ]
                try exchange.perform(seconds: seconds, others: others, turn: sink.turn, body: sink.take)
            }
            return exchange.status ?? 0
        } catch { throw refusal(error) }
    }

    private func refusal(_ failure: HTTPFailure) -> CommandError {
        switch failure {
        case .cannotConnect(let error): unreachable(error)
        case .closed: .refused("the server at \(path) closed the connection")
        case .connection(let error): .refused("\(path): \(error)")
        case .malformed(let error): .refused("what \(path) answers is not HTTP: \(error.reason)")
        case .timeout(let seconds): .refused("\(path): no answer within \(seconds) s")
        }
    }

    private func unreachable(_ error: SystemError) -> CommandError {
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
        guard [EAGAIN, ECONNREFUSED].contains(error.code) else { return .refused("\(path): \(error)") }
        return .refused("the server at \(path) does not answer")
    }
}

/// What else is done while a stream is read.
protocol StreamCompanion: AnyObject {
    /// When it is readable, there is something to do; -1: never.
    var descriptor: Int32 { get }
    /// Called before each wait for the server or the descriptor; returns false to abort the stream.
    func turn() -> Bool
}

/// Receives a response, whole or line by line.
private final class Sink {
    var bytes: [UInt8] = []
    var line: ((String) -> Bool)?
    var companion: (any StreamCompanion)?
    /// How many of the bytes are known to contain no newline; pictures make long lines.
    private var searched = 0

    /// Returns false to stop reading.
    func turn() -> Bool {
        Terminal.checkReader()
        return companion?.turn() ?? true
    }

    /// Keeps the body of a refusal whole. Returns false to stop reading.
    func take(_ status: Int, _ piece: ArraySlice<UInt8>) -> Bool {
        bytes += piece
        guard let line, status < 400 else { return true }
        while let end = bytes[searched...].firstIndex(of: 10) {
            let text = String(decoding: bytes[..<end], as: UTF8.self)
            bytes.removeSubrange(...end)
            searched = 0
            if !line(text) { return false }
        }
        searched = bytes.count
        return true
    }
}

extension JSON {
    /// "K5 (key passes on): " of a problem that names a rule, else nothing.
    var citation: String {
        let number = self["rule"].text
        return number.isEmpty ? "" : "\(Rule(rawValue: number)?.description ?? number): "
    }
}
