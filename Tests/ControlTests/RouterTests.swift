// Finding routes by method, path and query, and the refusals.

import EventLoop
import FoundationEssentials
import Testing

@testable import ControlAPI
@testable import DisplayServer

@Suite struct RouterTests {
    private let router = Router(routes: [
        Route(.getWindows) { _ in .later }, Route(.getWindowsId) { _ in .later },
        Route(.patchWindowsId) { _ in .later },
        Route(.deleteWindowsId) { _ in .later },
    ])

    @Test("a placeholder matches any one segment")
    func placeholders() throws {
        let found = try router.find(.patch, ["v1", "windows", "a/b"], query: [])
        #expect(found.route.method == .patch)
        #expect(found.parameters == ["id": "a/b"])
    }

    @Test("404 lists the existing routes")
    func unknownPath() throws {
        let problem = #expect(throws: Problem.self) { try router.find(.get, ["v1", "windos"], query: []) }
        #expect(problem?.status == 404)
        #expect(problem?.routes?.contains("DELETE /v1/windows/{id}") == true)
    }

    @Test("405 lists the path's methods in Allow; HEAD is allowed with GET")
    func unknownMethod() throws {
        let problem = #expect(throws: Problem.self) { try router.find(.post, ["v1", "windows", "1"], query: []) }
        #expect(problem?.response.status == 405)
        #expect(problem?.response.headers["Allow"] == "GET, PATCH, DELETE, HEAD")
        #expect(try router.find(.head, ["v1", "windows"], query: []).route.method == .get)
    }

    @Test("unknown and repeated query items are errors")
    func query() throws {
        #expect(try router.find(.delete, ["v1", "windows", "1"], query: ["force"]).route.query == ["force"])
        for query in [["forced"], ["force", "force"]] {
            let problem = #expect(throws: Problem.self) {
                try router.find(.delete, ["v1", "windows", "1"], query: query)
            }
            #expect(problem?.status == 400)
        }
    }

    @Test("a refusal is a problem document that names the rule")
    func problems() throws {
        let response = Problem(.invalidValue, "no level", rule: .w2).response
        #expect(response.headers["Content-Type"] == "application/problem+json")
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(
            text == """
                {"code":"invalidValue","detail":"no level","rule":"W2","status":422,"title":"Unprocessable Content",\
                "type":"urn:mullion:rule:W2"}

                """)
    }

    @Test("Accept: text/plain asks for text unless JSON comes first")
    func accept() {
        #expect(HTTPHeaders(dictionaryLiteral: ("Accept", "text/plain;q=0.9, */*")).prefersText)
        #expect(!HTTPHeaders(dictionaryLiteral: ("Accept", "application/json, text/plain")).prefersText)
        #expect(!HTTPHeaders(dictionaryLiteral: ("Accept", "*/*")).prefersText)
    }
}
