// POST /v1/scenarios, /v1/scenarios/continue

import ControlProtocol
import DisplayServer
import EventLoop
import JSON5

extension ControlServer {
    var scenarioRoutes: [Route] {
        [
            // Steps can use any part of the API.
            Route(
                .postScenarios,
                bodyBytes: Self.bodyBytes
            ) { [unowned self] request in
                guard !request.http.body.isEmpty else { throw Problem(.emptyBody, "the request needs a scenario") }
                let scenario = try Self.scenario(in: request.http.body, on: server)
                if try request.flag("check") { return .reply(.json(API.ScenarioSize(steps: scenario.steps.count))) }
                try run(scenario, for: request)
                return .later
            },
            Route(
                .postScenariosContinue
            ) { [unowned self] in try resume($0) },
        ]
    }

    /// - Throws: all mistakes that can be found before the first step.
    static func scenario(in body: [UInt8], on server: DisplayServer) throws(Problem) -> Scenario {
        var text = try ScenarioText(body)
        text.check(on: server)
        return try text.scenario()
    }

    private func resume(_ request: ControlRequest) throws -> Answer {
        let failure = try request.body(ScenarioContinuation.self).failure?.value
        guard let scenario, scenario.isPaused else {
            throw Problem(.notAllowed, "no scenario pauses; wait for the event \"pause\" of one")
        }
        scenario.resume(failure.map { Mismatch(place: $0.place, expected: $0.expected, seen: $0.seen) })
        return .reply(HTTPResponse(status: 204))
    }

    /// How many bytes of reports may be queued before the next step waits.
    private static var maximumScenarioBacklog: Int { 1 << 20 }

    /// Runs a scenario and reports each step as it is done, as server-sent events: `step`, `picture` and `pause`, then
    /// `failed` or `done`. Ends when the reader disconnects.
    private func run(_ scenario: Scenario, for asked: ControlRequest) throws(Problem) {
        guard self.scenario == nil else {
            throw Problem(.busy, "another scenario is running; wait for its end")
        }
        let headers: HTTPHeaders = ["Content-Type": "text/event-stream", "Cache-Control": "no-store"]
        let user = asked.user
        guard let stream = asked.http.stream(headers: headers) else { return }
        let count = scenario.steps.count
        func send(_ event: String, _ payload: some Encodable) {
            stream.write(Array(EventStreams.event(event, payload).utf8))
        }
        let runner = ScenarioRunner(
            scenario, on: server, worker: worker, waits: waits, patience: scenarioPatience
        ) { [unowned self] report in
            switch report {
            case .didStep(let index, let title):
                send("step", ScenarioProgress(index: index, steps: count, title: title))
            case .didPause(let index, let name):
                send("pause", ScenarioPause(index: index, steps: count, name: name))
            case .picture(let name, let png): send("picture", ScenarioPicture(name: name, png: Base64(png)))
            case .didFail(let index, let title, let mismatch):
                send(
                    "failed",
                    ScenarioFailure(
                        index: index, steps: count, title: title, place: mismatch.place, expected: mismatch.expected,
                        seen: mismatch.seen))
                self.scenario = nil
                stream.finish()
            case .didEnd:
                send("done", ScenarioEnd(steps: count, frame: server.frameNumber))
                self.scenario = nil
                stream.finish()
            }
        }
        stream.onClose = { [weak self, weak runner] in
            guard let self, let runner, self.scenario === runner else { return }
            self.scenario = nil
            runner.cancel()
        }
        runner.user = user
        // Pictures are large: wait for slow readers.
        runner.isReaderBehind = { [unowned stream] in stream.queuedBytes > Self.maximumScenarioBacklog }
        stream.onDrain = { [weak runner] in runner?.readerDidCatchUp() }
        self.scenario = runner
        scenarioReports = stream
        runner.start()
    }
}

private struct ScenarioProgress: Encodable {
    /// Counted from 0.
    var index: Int
    var steps: Int
    var title: String
}

/// A step that waits for `POST /v1/scenarios/continue`.
private struct ScenarioPause: Encodable {
    /// Counted from 0.
    var index: Int
    var steps: Int
    var name: String
}

/// How a scenario that pauses goes on.
struct ScenarioContinuation: StrictlyDecodable {
    /// The mismatch with which the paused step fails; nil continues.
    var failure: Strict<Failure>?

    typealias CodingKeys = API.Keys.ScenarioContinuation
    typealias Keys = CodingKeys

    struct Failure: StrictlyDecodable {
        var place: String
        var expected: String
        var seen: String

        typealias CodingKeys = API.Keys.ScenarioMismatch
        typealias Keys = CodingKeys
    }
}

private struct ScenarioPicture: Encodable {
    var name: String
    var png: Base64
}

/// The first expectation that was not met, or the step that was impossible.
private struct ScenarioFailure: Encodable {
    var index: Int
    var steps: Int
    var title: String
    var place: String
    var expected: String
    var seen: String
}

private struct ScenarioEnd: Encodable {
    var steps: Int
    /// `DisplayServer.frameNumber` at the end.
    var frame: UInt64
}
