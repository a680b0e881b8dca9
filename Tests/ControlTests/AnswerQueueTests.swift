// Answers that take much time and memory: which begin, which wait, and which are refused.

import EventLoop
import Glibc
import MullionSystem
import TestSupport
import Testing

@testable import ControlAPI

@Suite struct AnswerQueueTests {
    private let fixture: ServerFixture
    private let http: HTTPServer
    private let path: String
    private let requests: Requests

    private final class Requests { var all: [HTTPRequest] = [] }

    init() throws {
        fixture = try ServerFixture(screens: [])
        path = try fixture.runtimeDirectory() + "/http"
        let requests = Requests()
        http = try HTTPServer(fixture.loop) { requests.all.append($0) }
        try http.listen(on: .unix(path: path, mode: 0o600))
        self.requests = requests
    }

    /// Requests whose clients wait for their answers.
    private func requests(_ count: Int) throws -> (sockets: [OwnedDescriptor], requests: [HTTPRequest]) {
        let sockets = try (0..<count).map { _ in
            let socket = try UnixSocket.connect(to: path)
            let text = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
            try #require(write(socket.rawValue, text, text.utf8.count) == text.utf8.count)
            return socket
        }
        let known = requests.all.count
        try fixture.wait(for: "the requests") { requests.all.count == known + count }
        return (sockets, Array(requests.all[known...]))
    }

    @Test("answers of a user that are not read leave room for other users, and never keep the owner's waiting")
    func shares() throws {
        let (sockets, open) = try requests(9)
        defer { withExtendedLifetime(sockets) {} }
        let queue = AnswerQueue(SharedLimit(80), ControlLimits())
        var begun: [Int] = []
        func add(_ index: Int, _ user: UInt32?, bytes: Int) throws -> AnswerQueue.Job {
            let job = AnswerQueue.Job(open[index], of: user, bytes: bytes)
            try queue.add(job) { begun.append(index) }
            return job
        }
        // A share is 20, and strangers have 70 together.
        let first = try add(0, 7, bytes: 20)
        _ = try add(1, 7, bytes: 5)
        _ = try add(2, 8, bytes: 20)
        _ = try add(3, nil, bytes: 20)
        #expect(begun == [0, 2, 3])
        // More than its share, but its only one; there is no room for it.
        _ = try add(4, 9, bytes: 30)
        #expect(begun == [0, 2, 3])
        // The owner passes, once.
        let own = try add(5, geteuid(), bytes: 500)
        _ = try add(6, geteuid(), bytes: 500)
        #expect(begun == [0, 2, 3, 5])
        queue.answer(own, with: HTTPResponse())
        #expect(begun == [0, 2, 3, 5, 6])
        // What others wait for comes before another answer of a user who has one.
        queue.answer(first, with: HTTPResponse())
        #expect(begun == [0, 2, 3, 5, 6])
        for index in [6, 2] { open[index].reply(HTTPResponse()) }
        try fixture.wait(for: "the next ones") { begun.count == 7 }
        #expect(begun == [0, 2, 3, 5, 6, 1, 4], "\(begun)")
    }

    @Test("an answer that has to be made alone waits for one that is not read; users without an answer do not")
    func overtaking() throws {
        let (sockets, open) = try requests(4)
        defer { withExtendedLifetime(sockets) {} }
        let queue = AnswerQueue(SharedLimit(80), ControlLimits())
        var begun: [Int] = []
        for (index, (user, bytes)) in [(8, 10), (9, 90), (10, 10), (11, 20)].enumerated() {
            try queue.add(AnswerQueue.Job(open[index], of: uid_t(user), bytes: bytes)) { begun.append(index) }
        }
        #expect(begun == [0, 2, 3])
        // With one after the other, a user could keep the large one waiting for ever.
        do {
            let (second, request) = try requests(1)
            try queue.add(AnswerQueue.Job(request[0], of: 8, bytes: 5)) { begun.append(4) }
            #expect(begun == [0, 2, 3])
            withExtendedLifetime(second) {}
        }
        try fixture.wait(for: "the end of that") { !requests.all[4].isOpen }
        for index in [3, 2, 0] { open[index].reply(HTTPResponse()) }
        try fixture.wait(for: "the large one") { begun.count == 4 }
        #expect(begun == [0, 2, 3, 1])
    }

    @Test("requests beyond a user's share of those that wait are refused; others still wait")
    func waiting() throws {
        let (sockets, open) = try requests(8)
        defer { withExtendedLifetime(sockets) {} }
        var limits = ControlLimits()
        limits.waitingAnswers = SharedLimit(5, share: 2)
        let queue = AnswerQueue(SharedLimit(10), limits)
        func refusal(_ index: Int, _ user: UInt32?) -> String? {
            do throws(Problem) {
                try queue.add(AnswerQueue.Job(open[index], of: user, bytes: 10)) {}
                return nil
            } catch {
                return error.detail
            }
        }
        #expect([refusal(0, 7), refusal(1, 7), refusal(2, 7)] == [nil, nil, nil])
        let share = "limit reached: a user has at most 2 requests that wait for their answers; try again later"
        #expect(refusal(3, 7) == share)
        #expect([refusal(3, 8), refusal(4, 8)] == [nil, nil])
        #expect(refusal(5, nil)?.contains("the other 1 are reserved") == true)
        // The owner's first one begins, the second one waits.
        #expect([refusal(5, geteuid()), refusal(6, geteuid())] == [nil, nil])
        #expect(refusal(7, geteuid()) == "limit reached: 5 requests that wait for their answers; try again later")
    }
}
