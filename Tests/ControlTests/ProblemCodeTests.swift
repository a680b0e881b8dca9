// Refusals as data: the codes of problems, and what belongs to each.

import ControlProtocol
import DisplayServer
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import ControlAPI

@Suite("Refusals say what kind they are")
struct ProblemCodeTests {
    private struct Refusal: Decodable {
        struct Mistake: Decodable {
            var code: String
            var allowed: [String]?
        }

        struct Unfinished: Decodable {
            var kind: String
            var application: UInt32?
            var program: String?
        }

        struct Unmet: Decodable {
            var kind: String
            var pixel: [String: Double]?
        }

        var status: Int
        var code: String
        var errors: [Mistake]?
        var unfinished: [Unfinished]?
        var unmet: [Unmet]?
        var rights: [String]?
    }

    private let fixture: ServerFixture
    private let control: TestControl

    init() throws {
        fixture = try ServerFixture(screens: ["200x160"], clock: .manual)
        control = try TestControl(fixture)
    }

    private func refusal(_ method: String, _ target: String, _ body: String = "") throws -> Refusal {
        let answer = try control.send(method, target, body)
        let refusal = try JSONDecoder().decode(Refusal.self, from: Data(answer.body.utf8))
        #expect(refusal.status == answer.status)
        return refusal
    }

    @Test(
        "requests of each kind of error",
        arguments: [
            ("POST /v1/input", "", "emptyBody"), ("POST /v1/screens", "{", "malformed"),
            ("POST /v1/compare", "text", "malformed"), ("POST /v1/screens", "{\"modle\": \"a\"}", "unknownField"),
            ("POST /v1/convert", "{\"point\": {\"x\": 1}, \"from\": \"layout\", \"to\": \"layout\"}", "missingField"),
            ("PATCH /v1/screens/1", "{\"enabled\": 5}", "wrongType"),
            ("PATCH /v1/clock", "{\"step\": 1, \"limit\": 1}", "invalidField"),
            ("GET /v1/status?a=b", "", "unknownParameter"), ("GET /v1/wait", "", "missingParameter"),
            ("GET /v1/hit?x=1", "", "missingParameter"), ("GET /v1/hit?x=1&x=2&y=3", "", "repeatedParameter"),
            ("GET /v1/hit?x=a&y=3", "", "invalidParameter"), ("GET /v1/nothing", "", "noRoute"),
            ("GET /v1/screens/TV", "", "noScreen"), ("GET /v1/windows/9", "", "noWindow"),
            ("GET /v1/hit?window=9&x=1&y=1", "", "noWindow"), ("PUT /v1/status", "", "methodNotAllowed"),
            ("GET /v1/wait?for=window&timeout=0", "", "timedOut"),
            ("POST /v1/input?mustHit=true", "{\"type\": \"tap\", \"x\": 1, \"y\": 1}", "noReceiver"),
            ("GET /v1/clients/1/journal", "", "noJournal"), ("GET /v1/screenshot.png?crop=900,0,9,9", "", "noPicture"),
            ("DELETE /v1/lock", "", "notAllowed"), ("PATCH /v1/screens/1", "{\"scale\": 65}", "invalidValue"),
        ])
    func codes(request: String, body: String, code: String) throws {
        let words = request.split(separator: " ").map(String.init)
        #expect(try refusal(words[0], words[1], body).code == code)
    }

    @Test("an unknown field comes with those that there are")
    func fields() throws {
        let mistake = try #require(try refusal("PATCH", "/v1/clock", "{\"stpe\": 1}").errors?.first)
        #expect(mistake.code == "unknownField" && mistake.allowed == ["limit", "step", "until"])
    }

    @Test("a missing right is named")
    func rights() throws {
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: .view)])
        let refused = try refusal("GET", "/v1/capture")
        #expect(refused.code == "forbidden" && refused.rights == ["capture"])
    }

    @Test("who keeps the server from settling is told as data, to those who may view it")
    func unfinished() throws {
        let client = try fixture.connect("silent")
        client.onPing = { _ in }
        try fixture.pump()
        let problem = try refusal("POST", "/v1/settle?timeout=0.2")
        let work = try #require(problem.unfinished?.first)
        #expect(problem.code == "unsettled" && ["notReading", "notAnswering"].contains(work.kind))
        #expect(work.application != nil && work.program?.hasSuffix("(pid \(getpid()))") == true)
    }

    @Test("without the right to view, only how much is not finished is told")
    func undisclosed() throws {
        let client = try fixture.connect("silent")
        client.onPing = { _ in }
        try fixture.pump()
        fixture.server.peerPolicy = PeerPolicy(rules: [PeerRule(rights: .administer)])
        let problem = try refusal("PATCH", "/v1/clock", "{\"step\": 1}")
        #expect(problem.code == "unsettled" && problem.unfinished == nil)
    }

    @Test("a condition that does not hold says what it is about")
    func unmet() throws {
        let problem = try refusal("GET", "/v1/wait?for=pixel&x=3&y=4&color=123456&timeout=0")
        let unmet = try #require(problem.unmet?.first)
        #expect(unmet.kind == "pixel" && unmet.pixel == ["x": 3, "y": 4])
    }

    @Test("each code belongs to an error status, and the description names all")
    func description() throws {
        let codes = try #require(try APIDocument().schemas["Problem"]?["properties"]?["code"])
        guard case .string(let meanings)? = codes["description"] else {
            Issue.record("the codes are not described")
            return
        }
        for code in API.Code.all {
            #expect((400...599).contains(code.status))
            #expect(meanings.contains(code.rawValue), "\(code)")
        }
        #expect(API.Code(rawValue: "later").status == 0)
    }
}
