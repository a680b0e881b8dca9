// A running scenario.

import Glibc
import JSON5
import MullionControl

/// Reads the server's reports of a scenario, and performs the steps for which it pauses.
final class ScenarioRun: StreamCompanion {
    private let file: ScenarioFile
    private let client: ControlClient
    private let json: Bool
    /// The folder for pictures.
    private let output: String
    private let updates: Bool
    private let terminal: ScenarioOutput
    /// Nil when it starts none.
    private var programs: ScenarioPrograms?

    private var event = ""
    /// The step that is performed, counted from 0.
    private var progress = 0
    /// The step to be performed here.
    private var pausedAt: Int?
    private var failure: CommandError?
    private var isDone = false
    private var saved: [String] = []
    /// What failed, as a sentence without a full stop.
    private var unexpected: String?
    /// The side-by-side picture of the last comparison.
    private var sideBySide: String?

    init(
        _ file: ScenarioFile, _ client: ControlClient, json: Bool, _ output: String, updates: Bool,
        _ terminal: ScenarioOutput
    ) {
        (self.file, self.client, self.json, self.output) = (file, client, json, output)
        (self.updates, self.terminal) = (updates, terminal)
    }

    /// Runs the scenario to its end.
    func run(programs: ScenarioPrograms?) throws(CommandError) {
        self.programs = programs
        do throws(CommandError) {
            let answer = try client.follow(.postScenarios, [], file.contents, beside: self) { self.take($0) }
            try file.check(answer, client)
            if let failure { throw failure }
            guard isDone else { throw .refused("the server exited") }
            try check()
        } catch {
            note()
            guard case .refused(let reason) = error, !reason.hasPrefix(file.path) else { throw error }
            throw .refused("\(file.path): \(reason)")
        }
        RunNote.removeEarlier()
        if !json {
            let places = saved.isEmpty ? "" : "; saved \(saved.joined(separator: ", "))"
            terminal.out("\(file.name): as expected\(places)\n")
        }
    }

    // MARK: Reports

    /// Notes the failed step for the report of the run that this is part of.
    private func note() {
        guard let unexpected, RunNote.isWanted else { return }
        var note = RunNote(unexpected)
        note.add(picture: sideBySide)
        note.addWidgets(client)
        note.save()
    }

    private func take(_ line: String) -> Bool {
        if line.hasPrefix("event: ") { event = String(line.dropFirst(7)) }
        guard line.hasPrefix("data: "), var data = try? JSON(parsing: String(line.dropFirst(6))) else { return true }
        if let action = data["index"].number.flatMap({ file.actions[Int($0)] }), data["title"] != .null {
            data = data.with("title", .string(action.title))
        }
        do throws(CommandError) {
            try take(data)
        } catch {
            failure = error
            return false
        }
        return true
    }

    private func take(_ data: JSON) throws(CommandError) {
        let isOwnPause = event == "pause" && data["index"].number.map { file.actions[Int($0)] != nil } == true
        if json, event != "picture", !isOwnPause { terminal.out(data.encoded + "\n") }
        switch event {
        case "step":
            if let index = data["index"].number { progress = min(Int(index) + 1, max(0, file.stepCount - 1)) }
            if !json { report(data) }
        case "pause":
            if isOwnPause {
                pausedAt = data["index"].number.map { Int($0) }
            } else if !json {
                terminal.out("pausing at \(data["name"].text), until POST /v1/scenarios/continue\n")
            }
        case "picture":
            if data["name"].text.hasSuffix(".side-by-side") { sideBySide = data["png"].string }
            saved.append(try save(data))
        case "failed":
            let pictures = saved.isEmpty ? "" : "; see \(saved.joined(separator: ", "))"
            unexpected = reason(data)
            throw .refused(reason(data) + (programs?.endings ?? "") + pictures)
        default: isDone = event == "done"
        }
    }

    private func report(_ step: JSON) {
        let number = Int(step["index"].number ?? 0) + 1
        terminal.out("\(number)/\(step["steps"].text) \(step["title"].text)\n")
    }

    private func reason(_ failure: JSON) -> String {
        let number = Int(failure["index"].number ?? 0) + 1
        return "\(file.path): step \(number) of \(failure["steps"].text) (\(failure["title"].text)): "
            + "\(failure["place"].text): expected \(failure["expected"].text), seen \(failure["seen"].text)"
    }

    // MARK: Own steps

    var waits: [pollfd] {
        Terminal.Reader.waits + [pollfd(fd: programs?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)]
    }

    func turn() -> Bool {
        Terminal.checkReader()
        do throws(CommandError) {
            try check()
            if let index = pausedAt {
                pausedAt = nil
                try perform(index)
            }
        } catch {
            failure = error
            return false
        }
        return true
    }

    /// Looks for programs that have crashed.
    private func check() throws(CommandError) {
        do throws(CommandError) {
            try programs?.check()
        } catch {
            guard let crash = programs?.crash, case .refused = error else { throw error }
            let title = file.actions[progress]?.title ?? ""
            let report = crash.json.with("index", .number(Double(progress)))
                .with("steps", .number(Double(file.stepCount))).with("title", .string(title))
            if json { terminal.out(report.encoded + "\n") }
            let pictures = saved.isEmpty ? "" : "; see \(saved.joined(separator: ", "))"
            let reason =
                "\(file.path): step \(progress + 1) of \(file.stepCount)\(title.isEmpty ? "" : " (\(title))"): "
                + "\(crash.place): expected \(crash.expected), seen \(crash.seen)"
            unexpected = reason
            throw .refused(reason + pictures)
        }
    }

    /// Performs a step, and lets the server continue.
    private func perform(_ index: Int) throws(CommandError) {
        guard let action = file.actions[index] else { return }
        progress = index
        var failure: ScenarioFailure?
        do throws(CommandError) {
            failure = try result(of: action)
        } catch {
            // A crash may have been the reason.
            try check()
            guard case .refused(let reason) = error else { throw error }
            failure = ScenarioFailure(place: "the step", expected: "to be possible", seen: reason)
        }
        try client.send(.postScenariosContinue(failure?.body ?? .object([:])))
    }

    private func result(of action: ScenarioAction) throws(CommandError) -> ScenarioFailure? {
        switch action {
        case .start(let start):
            do throws(ScenarioFailure) {
                try programs?.start(start)
                return nil
            } catch {
                return error
            }
        case .stop(let stop): return try programs?.stop(stop)
        case .input(let input): return try inject(input)
        case .wait(let wait):
            let search = watched(try wait.search(client))
            return try expecting(
                "widget \(wait.query.text)", wait.isGone ? "to be gone" : "to be there", wait.seconds, search
            ) {
                () throws(CommandError) in _ = try wait.run(search)
            }
        case .expect(let widgets, let seconds):
            guard let first = widgets.first else { return nil }
            let search = watched(try WidgetSearch(client, first.query, seconds: seconds))
            let searches = [search] + widgets.dropFirst().map { WidgetSearch($0.query, with: search) }
            return try ScenarioWidgetExpectation.failure(of: widgets, searches)
        }
    }

    /// A search that ends when a program crashes.
    private func watched(_ search: WidgetSearch) -> WidgetSearch {
        search.check = { [unowned self] () throws(CommandError) in try check() }
        return search
    }

    private func expecting(
        _ place: String, _ expected: String, _ seconds: Double, _ search: WidgetSearch,
        _ body: () throws(CommandError) -> Void
    ) throws(CommandError) -> ScenarioFailure? {
        do throws(CommandError) {
            try body()
            return nil
        } catch {
            guard case .timedOut = error else { throw error }
            return ScenarioFailure(
                place: place, expected: "\(expected) within \(JSON.text(seconds)) s",
                seen: ([search.reason] + search.widgets.remarks).joined(separator: "; "))
        }
    }

    private func inject(_ input: ScenarioWidgetInput) throws(CommandError) -> ScenarioFailure? {
        let search = watched(try WidgetSearch(client, input.query, seconds: input.seconds))
        let place = "widget \(input.query.text)"
        return try expecting(place, "to be ready to \(input.verb)", input.seconds, search) { () throws(CommandError) in
            let target = try WidgetTarget.find(search, client)
            var event: [String: JSON]
            if input.verb == "type" {
                try target.focus(search, seat: input.event["seat"]) { (event) throws(CommandError) in
                    try Injection.send(event, client)
                }
                event = ["type": .string("type")]
            } else {
                event = target.event(input.verb)
            }
            event.merge(input.event) { $1 }
            let answer = try Injection.send(event, client)
            if input.verb != "type" { try target.check(answer) }
        }
    }

    // MARK: Pictures

    /// Saves a picture and returns its file.
    private func save(_ picture: JSON) throws(CommandError) -> String {
        let name = picture["name"].text
        guard let bytes = picture["png"].bytes else {
            throw .refused("\(name): the picture is missing")
        }
        if updates, let golden = file.goldens[name] {
            try Folder.make(golden.lastIndex(of: "/").map { String(golden[...$0]) } ?? ".")
            try Picture.save(bytes, as: golden)
            return golden
        }
        try Folder.make(output)
        let path = "\(output)/\(ScenarioFile.file(ofPicture: name))"
        try Picture.save(bytes, as: path)
        return path
    }
}
