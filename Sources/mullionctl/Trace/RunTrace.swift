// The trace of a run: what happened, what went wrong, and the files that say so.

import Glibc
import JSON5
import MullionSystem

/// Records a run and reports on it.
final class RunTrace {
    private let plan: RunPlan
    private let server: PrivateServer
    private let inquiries: ServerInquiries
    private let recorder: TraceRecorder
    /// Nil unless output is kept.
    private let copy: OutputCopy?
    private var findings: [Finding] = []
    private var commandEnd: Double?
    /// How processes have ended that this one has collected: the status, or 128 + the number of a signal.
    private var exits: [pid_t: Int32] = [:]
    /// The content of trace.json.
    private(set) var report: JSON = .null

    init(_ plan: RunPlan, _ server: PrivateServer, _ inquiries: ServerInquiries) throws(CommandError) {
        (self.plan, self.server, self.inquiries) = (plan, server, inquiries)
        recorder = try TraceRecorder(
            server.control, hasPictures: plan.artifacts != nil, isManual: plan.options.contains("manual"))
        copy = plan.artifacts != nil || plan.junit != nil ? try OutputCopy() : nil
        recorder.begin()
    }

    /// The command's descriptors.
    var descriptors: [Int32: Int32] { copy?.descriptors ?? [:] }

    /// Call it when the command was started.
    func commandDidStart() { copy?.begin() }

    /// Call it when the command could not be started.
    func commandDidNotStart(_ reason: String) {
        copy?.begin()
        findings.append(Finding(kind: .status, text: "the command could not be started: \(reason)"))
    }

    /// Call it when the time is up, before the command is ended.
    func didTimeOut(_ seconds: Double, waitingFor text: String) {
        let what = "the command did not end within \(JSON.text(seconds)) s"
        findings.append(
            Finding(kind: .timeout, text: text.isEmpty ? what : "\(what); \(text)", time: recorder.now))
    }

    /// Call it when a process of the run has ended.
    /// - Parameter status: its exit status, or 128 + the number of a signal.
    func didEnd(_ process: pid_t, _ status: Int32) { exits[process] = status }

    /// Call it when the server, or what X11 programs use, has ended before the command.
    /// - Parameter text: which one, and how.
    func helperDidEnd(_ text: String) {
        findings.append(Finding(kind: .server, text: text, time: recorder.now))
    }

    /// Call it when the command has ended, before what is left of it is ended.
    /// - Parameter status: its exit status, or 128 + the number of a signal; nil when `run` has ended it.
    func commandDidEnd(_ status: Int32?, _ tree: ProcessTree, reap: () -> Void) {
        commandEnd = recorder.now
        if let end = status.flatMap(Finding.ofCommand) { findings.append(end) }
        _ = inquiries.ask { [recorder] _ in recorder.takePicture() }
        // Others end early, and leave their programs to run.
        guard status == 0 else { return }
        // Some end by themselves a moment later.
        let deadline = ContinuousClock.now + .milliseconds(500)
        reap()
        // The accessibility bus and its registry are nobody's; programs need them until the end.
        var left: [(id: pid_t, name: String)] {
            tree.processes.filter { !ProcessTree.isService($0.id, ofBusIn: server.folder) }
        }
        while !left.isEmpty, ContinuousClock.now < deadline {
            BlockedSignals.waitForChild(milliseconds: 20)
            reap()
        }
        findings += left.map {
            Finding(
                kind: .leak, text: "process \($0.id) (\($0.name)) was left behind by the command", time: commandEnd)
        }
    }

    /// Waits until all output was passed on, when everything the command started has ended.
    /// - Parameter isOver: whether to wait no longer.
    func passOutputOn(unless isOver: () -> Bool) { copy?.finish(unless: isOver) }

    /// Collects the rest.
    /// - Parameters:
    ///   - status: the exit status of run, so far.
    ///   - patience: how long the end of mullion-x11 may take, in milliseconds; it may become shorter.
    /// - Returns: the exit status of run.
    func finish(_ status: Int32, patience: @autoclosure () -> Int) -> Int32 {
        let recorded = recorder.finish(inquiries)
        let steps = RunSteps(in: PrivateServer.notes(server.folder))
        let every = recorder.json(of: recorded.events)
        let events = steps?.withoutPolling(every) ?? every
        let clients = self.clients
        let programs = clients + x11Programs(besides: clients, patience: patience())
        let (notes, noted) = self.notes
        findings +=
            programs.flatMap { Finding.of($0, before: commandEnd) }
            + Finding.of(notes: notes, events, end: commandEnd ?? recorder.now)
        findings += Finding.of(events, without: noted)
        if inquiries.isSilent { findings.append(Finding(kind: .silence, text: ServerInquiries.silence)) }
        let strict = findings.filter(\.isStrict)
        let isFailedByStrict = status == 0 && plan.isStrict && !strict.isEmpty
        let status = status != 0 ? status : isFailedByStrict || lostOutput() ? 1 : 0
        let pictures = recorded.pictures.json
        let findings = sorted
        let headline = status == 0 ? "" : findings.first?.text ?? ""
        report = .object([
            "version": .number(1), "mullion": .string(PackageVersion.current),
            "title": steps.map { JSON.string($0.title) } ?? .null,
            "command": .array(plan.command.map { .string($0) }), "status": .number(Double(status)),
            "strict": .bool(plan.isStrict), "steps": .array(steps?.all.map(timed) ?? []),
            "duration": .seconds(commandEnd ?? recorder.now),
            "headline": .string(headline), "findings": .array(findings.map(\.json)), "notes": .array(notes),
            "clients": .array(programs), "events": .array(events),
            "omittedEvents": .number(Double(recorded.events.omitted)), "moments": .array(pictures.moments),
            "pictures": .array(pictures.pictures), "thinned": .bool(recorded.pictures.isThinned),
            "logs": .array(logs),
        ])
        if plan.isStrict, !strict.isEmpty {
            Terminal.error(strict.map { "mullionctl: \($0.text)" }.joined(separator: "\n"))
        }
        return status
    }

    /// Writes the result as a test case, if that is wanted; `finish` must have been called.
    func saveResult() throws(CommandError) {
        if let file = plan.junit { try Picture.save(Array(JUnitReport(report).text.utf8), as: file) }
    }

    /// Writes the artifacts, if they are wanted; `finish` must have been called.
    /// - Parameter others: more files for the folder, by name.
    func saveArtifacts(_ others: [String: [UInt8]], isFailed: Bool) throws(CommandError) {
        guard let folder = plan.artifacts, isFailed || !plan.isOnFailure else { return }
        if plan.isOnFailure {
            try Folder.makePrivate(folder)
            for helper in server.helpers {
                let name = helper.log.split(separator: "/").last.map(String.init) ?? ""
                try Picture.save(Array(helper.output.utf8), as: "\(folder)/\(name)")
            }
        }
        for (index, note) in report["notes"].elements.enumerated() {
            guard let text = RunNote.widgetText(note) else { continue }
            try Picture.save(Array(text.utf8), as: "\(folder)/widgets-\(index + 1).txt")
        }
        for (name, bytes) in others { try Picture.save(bytes, as: "\(folder)/\(name)") }
        try ReportPage.save(report, plan.command, in: folder)
        if copy != nil, let output = report["logs"].elements.first?["text"].string {
            try Picture.save(Array(output.utf8), as: folder + "/output.log")
        }
    }

    /// Call it when the server has ended.
    func join() { recorder.join() }

    /// Causes before consequences.
    private var sorted: [Finding] {
        let order: [Finding.Kind] = [
            .timeout, .server, .silence, .crash, .protocolError, .expectation, .missedInput, .refusal, .status, .leak,
        ]
        func rank(_ finding: Finding) -> Int { order.firstIndex(of: finding.kind) ?? 0 }
        return findings.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }

    /// What commands of the run have noted, with times since the beginning, and the processes that did.
    private var notes: (notes: [JSON], processes: [Double]) {
        let (notes, processes) = RunNote.all(in: PrivateServer.notes(server.folder))
        let timed = notes.map { note in
            let time = UInt64(max(0, min(note["time"].number ?? 0, 1e18)))
            return note.without("time").with("at", .seconds(recorder.seconds(time)))
        }
        return (timed, processes)
    }

    /// A step with times in seconds, since the beginning.
    private func timed(_ step: JSON) -> JSON {
        let time = UInt64(max(0, min(step["time"].number ?? 0, 1e18)))
        return step.without("time").with("at", .seconds(recorder.seconds(time)))
            .with("duration", .seconds((step["duration"].number ?? 0) / 1e6))
    }

    /// All clients of the run, with their last messages.
    private var clients: [JSON] {
        guard let list = ask("/clients") else { return [] }
        return list["clients"].elements.map { client in
            let client = ended(client)
            guard let journal = ask("/clients/\(client["application"].text)/journal") else { return client }
            let messages = journal["messages"].elements.map { message in
                message.without("time").with(
                    "at", .seconds(recorder.seconds(UInt64(message["time"].number ?? 0))))
            }
            return client.with("omitted", journal["omitted"]).with("journal", .array(messages))
        }
    }

    /// The X11 programs that have ended, which are clients of the X server. Those that were clients of the server, too,
    /// are among its clients.
    private func x11Programs(besides clients: [JSON], patience: @autoclosure () -> Int) -> [JSON] {
        let known = Set(clients.filter { $0["signal"] != .null || $0["status"] != .null }.map { $0["pid"].number })
        return server.endedX11Programs(patience: patience()).filter { !known.contains($0["pid"].number) }
            .map { ended($0).with("x11", .bool(true)) }
    }

    /// A client with times since the beginning, and with how its process has ended, if only this one knows.
    private func ended(_ client: JSON) -> JSON {
        var client = client
        for (name, new) in [("since", "began"), ("until", "ended")] {
            guard let time = client[name].number else { continue }
            client = client.without(name).with(new, .seconds(recorder.seconds(UInt64(max(0, min(time, 1e18))))))
        }
        let isOpen = client["signal"] == .null && client["status"] == .null && !client["connected"].isTrue
        if isOpen, let code = client["pid"].number.flatMap({ pid_t(exactly: $0) }).flatMap({ exits[$0] }) {
            client = client.with(code > 128 ? "signal" : "status", .number(Double(code > 128 ? code - 128 : code)))
        }
        return client
    }

    private func ask(_ path: String) -> JSON? {
        let answer = inquiries.ask { client in try? JSON(parsing: client.send("GET", path).text) }
        return answer ?? nil
    }

    /// Whether output was lost, after which the command should have failed; reports that.
    private func lostOutput() -> Bool {
        guard let loss = copy?.loss else { return false }
        findings.append(Finding(kind: .status, text: loss))
        Terminal.error("mullionctl: \(loss)")
        return true
    }

    private var logs: [JSON] {
        func log(_ name: String, _ text: String) -> JSON { .object(["name": .string(name), "text": .string(text)]) }
        var logs: [JSON] = []
        if let copy {
            let output = log("output", copy.text)
            logs.append(copy.hasTerminal ? output.with("terminal", .bool(true)) : output)
        }
        for helper in server.helpers { logs.append(log(helper.what, String(helper.output.suffix(256 << 10)))) }
        return logs
    }
}
