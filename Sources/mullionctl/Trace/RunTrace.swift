// The trace of a run: what happened, what went wrong, and the files that say so.

import ControlProtocol
import Glibc
import JSON5
import MullionControl
import MullionSystem

/// Records a run and reports on it.
final class RunTrace {
    private let plan: RunPlan
    private let server: PrivateServer
    private let inquiries: ServerInquiries
    private let recorder: TraceRecorder
    /// Nil unless output is kept.
    private let copy: OutputCopy?
    private var findings: [API.Finding] = []
    private var commandEnd: Double?
    /// How processes have ended that this one has collected: the status, or 128 + the number of a signal.
    private var exits: [pid_t: Int32] = [:]
    /// The content of trace.json.
    private(set) var report: API.Trace?

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
        findings.append(API.Finding(kind: .status, text: "the command could not be started: \(reason)"))
    }

    /// Call it when the time is up, before the command is ended.
    func didTimeOut(_ seconds: Double, waitingFor text: String) {
        let what = "the command did not end within \(JSON.text(seconds)) s"
        findings.append(
            API.Finding(kind: .timeout, text: text.isEmpty ? what : "\(what); \(text)", at: recorder.now))
    }

    /// Call it when a process of the run has ended.
    /// - Parameter status: its exit status, or 128 + the number of a signal.
    func didEnd(_ process: pid_t, _ status: Int32) { exits[process] = status }

    /// Call it when the server, or what X11 programs use, has ended before the command.
    /// - Parameter text: which one, and how.
    func helperDidEnd(_ text: String) {
        findings.append(API.Finding(kind: .server, text: text, at: recorder.now))
    }

    /// Call it when the command has ended, before what is left of it is ended.
    /// - Parameter status: its exit status, or 128 + the number of a signal; nil when `run` has ended it.
    func commandDidEnd(_ status: Int32?, _ tree: ProcessTree, reap: () -> Void) {
        commandEnd = recorder.now
        if let end = status.flatMap(API.Finding.ofCommand) { findings.append(end) }
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
            API.Finding(
                kind: .leak, text: "process \($0.id) (\($0.name)) was left behind by the command", at: commandEnd)
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
            programs.flatMap { API.Finding.of($0, before: commandEnd) }
            + API.Finding.of(notes: notes, events, end: commandEnd ?? recorder.now)
        findings += API.Finding.of(events, without: noted)
        if inquiries.isSilent { findings.append(API.Finding(kind: .silence, text: ServerInquiries.silence)) }
        let strict = findings.filter(\.isStrict)
        let isFailedByStrict = status == 0 && plan.isStrict && !strict.isEmpty
        let status = status != 0 ? status : isFailedByStrict || lostOutput() ? 1 : 0
        let (moments, pictures) = recorded.pictures.all
        let findings = sorted
        report = API.Trace(
            version: 1, mullion: PackageVersion.current, title: steps?.title, command: plan.command,
            status: Int(status), strict: plan.isStrict, duration: (commandEnd ?? recorder.now).toMicroseconds,
            headline: status == 0 ? "" : findings.first?.text ?? "", findings: findings,
            steps: steps?.all.compactMap(timed) ?? [], notes: notes, clients: programs, events: events,
            omittedEvents: recorded.events.omitted, moments: moments, pictures: pictures,
            thinned: recorded.pictures.isThinned, logs: logs)
        if plan.isStrict, !strict.isEmpty {
            Terminal.error(strict.map { "mullionctl: \($0.text)" }.joined(separator: "\n"))
        }
        return status
    }

    /// Writes the result as a test case, if that is wanted; `finish` must have been called.
    func saveResult() throws(CommandError) {
        guard let report, let file = plan.junit else { return }
        try Picture.save(Array(JUnitReport(report).text.utf8), as: file)
    }

    /// Writes the artifacts, if they are wanted; `finish` must have been called.
    /// - Parameter others: more files for the folder, by name.
    func saveArtifacts(_ others: [String: [UInt8]], isFailed: Bool) throws(CommandError) {
        guard let report, let folder = plan.artifacts, isFailed || !plan.isOnFailure else { return }
        if plan.isOnFailure {
            try Folder.makePrivate(folder)
            for helper in server.helpers {
                let name = helper.log.split(separator: "/").last.map(String.init) ?? ""
                try Picture.save(Array(helper.output.utf8), as: "\(folder)/\(name)")
            }
        }
        for (index, note) in report.notes.enumerated() {
            guard let text = RunNote.widgetText(note) else { continue }
            try Picture.save(Array(text.utf8), as: "\(folder)/widgets-\(index + 1).txt")
        }
        for (name, bytes) in others { try Picture.save(bytes, as: "\(folder)/\(name)") }
        try ReportPage.save(report, plan.command, in: folder)
        if copy != nil, let output = report.logs.first?.text {
            try Picture.save(Array(output.utf8), as: folder + "/output.log")
        }
    }

    /// Call it when the server has ended.
    func join() { recorder.join() }

    /// Causes before consequences.
    private var sorted: [API.Finding] {
        let order: [API.FindingKind] = [
            .timeout, .server, .silence, .crash, .protocolError, .expectation, .missedInput, .refusal, .status, .leak,
        ]
        func rank(_ finding: API.Finding) -> Int { order.firstIndex(of: finding.kind) ?? 0 }
        return findings.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
            .map(\.element)
    }

    /// What commands of the run have noted, and the processes that did.
    private var notes: (notes: [API.TraceNote], processes: [Double]) {
        let (notes, processes) = RunNote.all(in: PrivateServer.notes(server.folder))
        let timed = notes.map { note in
            API.TraceNote(
                text: note.text ?? "", at: time(note.time), command: note.command ?? [], screen: note.screen,
                point: note.point, box: note.box, picture: note.picture, widgets: note.widgets)
        }
        return (timed, processes)
    }

    private func timed(_ step: API.NotedStep) -> API.TraceStep? {
        guard let text = step.text, let begin = step.time else { return nil }
        return API.TraceStep(
            text: text, at: time(begin), duration: ((step.duration ?? 0) / 1e6).toMicroseconds,
            failed: step.failed ?? false)
    }

    /// A moment of the monotonic clock, in microseconds, since the beginning, in seconds.
    private func time(_ microseconds: Double) -> Double {
        recorder.seconds(UInt64(max(0, min(microseconds, 1e18)))).toMicroseconds
    }

    /// All clients of the run, with their last messages.
    private var clients: [API.TraceClient] {
        guard let list = ask(.getClients()) else { return [] }
        return list.clients.map { client in
            var known = API.TraceClient(
                application: client.application, name: client.name, pid: client.pid, uid: client.uid,
                connected: client.connected, began: client.since.map { time(Double($0)) },
                ended: client.until.map { time(Double($0)) }, cause: client.cause, reason: client.reason,
                windows: client.windows, signal: client.signal, status: client.status, messages: client.messages)
            addExit(to: &known)
            guard let journal = ask(.getClientsApplicationJournal("\(client.application)")) else { return known }
            known.omitted = journal.omitted
            known.journal = journal.messages.map { message in
                API.TraceMessage(
                    at: time(Double(message.time)), sender: message.sender, interface: message.interface,
                    object: message.object, message: message.message, arguments: message.arguments)
            }
            return known
        }
    }

    /// The X11 programs that have ended, which are clients of the X server. Those that were clients of the server, too,
    /// are among its clients.
    private func x11Programs(
        besides clients: [API.TraceClient], patience: @autoclosure () -> Int
    ) -> [API.TraceClient] {
        let known = Set(clients.filter { $0.signal != nil || $0.status != nil }.map(\.pid))
        return server.endedX11Programs(patience: patience()).filter { !known.contains($0.pid) }.map { program in
            var program = API.TraceClient(
                name: program.name, pid: program.pid, began: program.since.map { time(Double($0)) },
                ended: program.until.map { time(Double($0)) }, signal: program.signal, status: program.status,
                x11: true)
            addExit(to: &program)
            return program
        }
    }

    /// How the process of a client that has ended did so, if only this one knows.
    private func addExit(to client: inout API.TraceClient) {
        guard client.signal == nil, client.status == nil, client.connected != true, let code = exits[client.pid] else {
            return
        }
        if code > 128 { client.signal = Int(code - 128) } else { client.status = Int(code) }
    }

    private func ask<Answer>(_ request: @autoclosure @escaping @Sendable () -> ControlRequest<Answer>) -> Answer?
    where Answer: Sendable {
        let answer = inquiries.ask { client in try? client.send(request()) }
        return answer ?? nil
    }

    /// Whether output was lost, after which the command should have failed; reports that.
    private func lostOutput() -> Bool {
        guard let loss = copy?.loss else { return false }
        findings.append(API.Finding(kind: .status, text: loss))
        Terminal.error("mullionctl: \(loss)")
        return true
    }

    private var logs: [API.TraceLog] {
        var logs: [API.TraceLog] = []
        if let copy {
            logs.append(API.TraceLog(name: "output", text: copy.text, terminal: copy.hasTerminal ? true : nil))
        }
        for helper in server.helpers {
            logs.append(API.TraceLog(name: helper.what, text: String(helper.output.suffix(256 << 10))))
        }
        return logs
    }
}
