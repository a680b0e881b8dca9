// The control API, over a server's Unix socket.

import ControlProtocol
import Glibc
import HTTPClient
import JSON5
import MullionSystem

/// A client of a server's control socket.
package struct ControlClient: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The statuses of all refusals, for `answer(to:accepting:)`.
    package static let refusals = Array(400...599)

    /// The server's response; a status of 400 or above is a refusal.
    package struct Answer {
        package var status: Int
        package var body: [UInt8]
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The body of a request.
    package struct Body {
        package var type: String
        package var bytes: [UInt8]

        package init(type: String, bytes: [UInt8]) { (self.type, self.bytes) = (type, bytes) }
    }

    /// Sends a request and reads its answer.
    /// - Throws: `refused` with the server's reason, or when the server cannot be reached.
    package func send<Value>(_ request: ControlRequest<Value>) throws(CommandError) -> Value {
        try request.value(of: answer(to: request))
    }

    /// Sends a request and returns its answer as it is.
    /// - Parameters:
    ///   - statuses: refusals that are returned, too.
    ///   - seconds: the longest wait for the answer; 0: any.
    /// - Throws: `refused` with the server's reason, or when the server cannot be reached.
    package func answer<Value>(
        to request: ControlRequest<Value>, accepting statuses: [Int] = [], accept: String? = nil, seconds: Int = 660
    ) throws(CommandError) -> Answer {
        let sink = Sink()
        let status = try perform(
            request.method, request.target, request.body, accept: accept, seconds: seconds, sink)
        let answer = Answer(status: status, body: sink.bytes)
        if !statuses.contains(status) { try check(answer) }
        return answer
    }

    /// What keeps the server from being settled; nothing if it settles within some seconds.
    package func unfinished(within seconds: Double) throws(CommandError) -> [API.Unfinished] {
        let answer = try answer(to: .postSettle(timeout: seconds), accepting: [503])
        guard let problem = answer.problem else { return [] }
        guard let unfinished = problem.unfinished else { throw .refused(problem.sentence) }
        return unfinished
    }

    /// Reads an endless response line by line, until `line` returns false.
    /// - Parameter companion: works beside the stream.
    package func stream(
        _ operation: API.Operation, _ query: [(name: String, value: String)] = [],
        beside companion: (any StreamCompanion)? = nil, _ line: @escaping (String) -> Bool
    ) throws(CommandError) {
        try check(follow(operation, query, beside: companion, line))
    }

    /// Like `stream`, with a body; returns even a refusal.
    package func follow(
        _ operation: API.Operation, _ query: [(name: String, value: String)] = [], _ body: JSON? = nil,
        beside companion: (any StreamCompanion)? = nil, _ line: @escaping (String) -> Bool
    ) throws(CommandError) -> Answer {
        let sink = Sink()
        sink.line = line
        sink.companion = companion
        let body = body.map { Body(type: "application/json", bytes: Array($0.encoded.utf8)) }
        let target = operation.path + ControlTarget.text(query)
        let status = try perform(operation.method, target, body, accept: "text/event-stream", seconds: 0, sink)
        return Answer(status: status, body: sink.bytes)
    }

    /// Throws the reason of a refusal.
    package func check(_ answer: Answer) throws(CommandError) {
        if let problem = answer.problem { throw .refused(problem.sentence) }
    }

    private func perform(
        _ method: String, _ target: String, _ body: Body?, accept: String?, seconds: Int, _ sink: Sink
    ) throws(CommandError) -> Int {
        var fields = [(name: "Accept", value: accept ?? "*/*")]
        if let body { fields.append((name: "Content-Type", value: body.type)) }
        do throws(HTTPFailure) {
            var exchange = try HTTPExchange(method, target, fields, body: body?.bytes, to: self.path)
            if sink.line == nil {
                try exchange.perform(seconds: seconds, body: sink.take)
            } else {
                try exchange.perform(
                    seconds: seconds, others: sink.companion?.waits ?? [], turn: sink.turn, body: sink.take)
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
package protocol StreamCompanion: AnyObject {
    /// The descriptors whose events it waits for.
    var waits: [pollfd] { get }
    /// Called before each wait for the server or a descriptor; returns false to abort the stream.
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
    func turn() -> Bool { companion?.turn() ?? true }

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

extension ControlClient.Answer {
    /// The reason of a refusal; nil for other answers. Of one that this version does not understand, only what people read.
    package var problem: API.Problem? {
        guard status >= 400 else { return nil }
        if let problem = try? JSON5Document(body, .json).decode(API.Problem.self) { return problem }
        let json = (try? JSON(body)) ?? .null
        let detail = json["detail"].string ?? ""
        return API.Problem(
            type: "about:blank", title: "", status: status, code: API.Code(rawValue: json["code"].string ?? ""),
            detail: detail.isEmpty ? "the server answered \(status)" : detail, rule: json["rule"].string)
    }
}

extension API.Problem {
    /// The reason for people, with the rule: "K5 (key passes on): …".
    package var sentence: String {
        // Commands are no JSON: its lines and columns mean nothing to their users.
        let reasons = errors.map { $0.map(\.detail) } ?? []
        // Programs decide about a part of it.
        let text = (reasons.isEmpty ? [detail] : reasons).map { $0.printable() }.joined(separator: "\n")
        return citation + (index.map { "event \($0 + 1): " } ?? "") + text
    }

    /// "K5 (key passes on): " of a problem that names a rule, else nothing.
    package var citation: String { rule.map { "\(Rule(rawValue: $0)?.description ?? $0): " } ?? "" }
}
