// A program that uses MullionClient, in the test itself, against a server process.

import Compositor
import FoundationEssentials
import MullionClient
import TestSupport
import Testing

/// An application connected to a server of its own. The test is the program; the server is seen from outside.
@MainActor final class ClientFixture {
    let server: ServerProcess
    let application: Application

    /// - Parameters:
    ///   - screens: as in `--screen`.
    ///   - configuration: the text of a configuration file.
    init(screens: [String] = ["800x600"], configuration: String = "{}", options: [String] = []) throws {
        server = try ServerProcess(
            "set -- \"$@\" --config $folder/mullion.json5",
            prepare: { try configuration.write(toFile: $0 + "/mullion.json5", atomically: true, encoding: .utf8) },
            options: screens.flatMap { ["--screen", $0] } + options, program: Programs.built + "/mulliond")
        application = try Application(name: "test", display: server.folder + "/socket")
    }

    isolated deinit { application.disconnect() }

    /// Another application of the same server.
    func connect(_ name: String = "other") throws -> Application {
        try Application(name: name, display: server.folder + "/socket")
    }

    /// Runs the application's loop until a condition holds.
    func wait(for what: String, until condition: () throws -> Bool) throws {
        let start = ContinuousClock.now
        while try !condition() {
            try application.dispatch(timeout: 10)
            guard ContinuousClock.now - start < .seconds(60) else {
                throw FixtureError("timed out waiting for \(what)")
            }
        }
    }

    /// Sends a request to the control API.
    @discardableResult
    func request(_ method: String, _ target: String, _ body: String = "") throws -> String {
        let answer = try server.request(method, "/v1" + target, body)
        guard (200..<300).contains(answer.status) else { throw FixtureError("\(method) \(target): \(answer.body)") }
        return answer.body
    }

    /// Commits, injects events, given as JSON objects, and waits until the application has handled them.
    @discardableResult
    func inject(_ events: String...) throws -> String {
        try application.roundTrip()
        let answer = try request("POST", "/input", "[" + events.joined(separator: ",") + "]")
        try application.roundTrip()
        return answer
    }

    /// A picture of a screen, once everything so far is shown.
    func screenshot(_ screen: String? = nil, withCursor: Bool = false) throws -> Bitmap {
        try application.roundTrip()
        let path = server.folder + "/shot.png"
        let control = try server.fixture.spawn(
            Programs.built + "/mullionctl",
            ["screenshot", "--control", server.folder + "/control"] + (screen.map { [$0] } ?? [])
                + (withCursor ? ["--cursor"] : []) + ["-o", path])
        try wait(for: "the screenshot") { !control.isRunning }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw FixtureError("no picture: \(control.readOutput())")
        }
        return try PNG.decode([UInt8](data))
    }
}
