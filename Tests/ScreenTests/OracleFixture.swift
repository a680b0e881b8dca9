// A server that a test drives and observes through its sockets only.

import FoundationEssentials
import TestSupport

/// Clients of the fixture's server, and requests to its control API with their answers.
struct OracleFixture {
    /// A window as `GET /v1/windows` lists it.
    struct ListedWindow: Decodable {
        struct Frame: Decodable, Equatable {
            var x: Double
            var y: Double
            var width: Double
            var height: Double
        }
        var id: Int
        var title: String
        var frame: Frame
        var level: Double
        var visible: Bool
        var key: Bool
    }

    /// A screen as `GET /v1/screens` lists it.
    struct ListedScreen: Decodable {
        struct Position: Decodable {
            var x: Double
            var y: Double
        }
        var name: String
        var main: Bool
        var position: Position
    }

    /// What `POST /v1/input` says of an event.
    struct Report: Decodable {
        struct Hit: Decodable { var title: String }
        struct Candidate: Decodable {
            var title: String
            var reason: String
        }
        var hit: Hit?
        var reason: String?
        var candidates: [Candidate]
        var steps: Int
        var delivered: Int

        /// The title of the window that took it, or why none did.
        var outcome: String { hit?.title ?? reason ?? "" }
    }

    let fixture: ServerFixture
    let control: TestControl

    /// - Parameter screens: as in `--screen`. Keys and clicks take no time (manual clock).
    init(_ screens: String...) throws {
        fixture = try ServerFixture(screens: screens, clock: .manual)
        control = try TestControl(fixture)
    }

    func connect(_ name: String) throws -> TestClient { try fixture.connect(name) }

    // MARK: The control API

    /// Sends a request that has to succeed; returns the answer.
    @discardableResult
    func send(_ method: String, _ target: String, _ body: String = "") throws -> String {
        let answer = try control.send(method, "/v1/\(target)", body)
        guard (200..<300).contains(answer.status) else { throw FixtureError("\(method) \(target): \(answer.body)") }
        try fixture.pump()
        return answer.body
    }

    /// Sends a request that has to fail; returns the status and what is wrong.
    func refusal(_ method: String, _ target: String, _ body: String) throws -> String {
        let answer = try control.send(method, "/v1/\(target)", body)
        struct Problem: Decodable { var detail: String }
        guard answer.status >= 400 else { throw FixtureError("\(method) \(target) succeeded: \(answer.body)") }
        return "\(answer.status) \(try decode(Problem.self, answer.body).detail)"
    }

    func plug(_ name: String, _ model: String = "640x480", _ more: String = "") throws {
        try send("POST", "screens", #"{"model": "\#(model)", "kind": "external", "name": "\#(name)"\#(more)}"#)
    }

    func unplug(_ name: String) throws { try send("DELETE", "screens/\(name)") }

    func screens() throws -> [ListedScreen] {
        struct List: Decodable { var screens: [ListedScreen] }
        return try decode(List.self, send("GET", "screens")).screens
    }

    func windows() throws -> [ListedWindow] {
        struct List: Decodable { var windows: [ListedWindow] }
        return try decode(List.self, send("GET", "windows")).windows
    }

    func window(_ title: String) throws -> ListedWindow {
        guard let found = try windows().first(where: { $0.title == title }) else {
            throw FixtureError("there is no window \(title)")
        }
        return found
    }

    /// Changes a window as `PATCH /v1/windows/{id}` does.
    func patch(_ title: String, _ body: String) throws { try send("PATCH", "windows/\(window(title).id)", body) }

    /// Injects one event; returns who took it.
    @discardableResult
    func inject(_ event: String) throws -> Report {
        try decode(Report.self, send("POST", "input", "{\(event)}"))
    }

    /// A number of `GET /v1/status`.
    func count(_ name: String) throws -> Int? {
        struct Status: Decodable {
            var droppedPresses: Int
            var ignoredEvents: Int
        }
        let status = try decode(Status.self, send("GET", "status"))
        return ["droppedPresses": status.droppedPresses, "ignoredEvents": status.ignoredEvents][name]
    }

    private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
