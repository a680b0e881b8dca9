// The command of mullionctl run, from its start to the end of everything it started.

import Glibc
import MullionControl
import MullionSystem

/// A command in a private server.
final class CommandRun {
    private let plan: RunPlan
    private let server: PrivateServer
    private let signals: BlockedSignals
    private let keeper: Keeper
    private let inquiries: ServerInquiries
    /// The process group of run, which may be in the terminal's foreground.
    private let group: pid_t
    /// The command and what it has started.
    private let tree: ProcessTree
    /// When the command is killed.
    private var deadline: ContinuousClock.Instant?
    /// The first signal that was passed on to end the command.
    private var endingSignal: Int32?
    private var timeout: ContinuousClock.Instant?
    private var hasTimedOut = false
    /// Nil unless it is being made.
    private var timeoutReport: TimeoutReport?
    /// The helpers that have ended before the command.
    private var ended: Set<pid_t> = []
    /// Nil when nothing is recorded.
    private let trace: RunTrace?

    init(
        _ plan: RunPlan, _ server: PrivateServer, _ signals: BlockedSignals, _ keeper: Keeper, group: pid_t
    ) throws(CommandError) {
        (self.plan, self.server, self.signals, self.keeper, self.group) = (plan, server, signals, keeper, group)
        inquiries = ServerInquiries(server.control, keeper)
        tree = ProcessTree(without: server.helpers.map(\.process.id))
        do throws(CommandError) {
            trace = plan.isTraced ? try RunTrace(plan, server, inquiries) : nil
        } catch {
            server.stop(patience: keeper.patience)
            throw error
        }
    }

    /// Runs the command, ends what is left of it, and stops the server.
    /// - Returns: the exit status of run.
    func status() throws(CommandError) -> Int32 {
        defer {
            server.stop(patience: keeper.patience)
            if !keeper.isAlone { trace?.join() }
        }
        // Interrupted while the server was started.
        if let signal = BlockedSignals.pendingEnd { return 128 + signal }
        let command: Process
        do throws(SystemError) {
            command = try Process(
                ChildProcess(
                    plan.command, environment: server.environment, descriptors: trace?.descriptors ?? [:], group: group)
            )
        } catch {
            Terminal.error("mullionctl: \(plan.command[0]): \(error)")
            trace?.commandDidNotStart(error.description)
            return keep(Process.status(of: error))
        }
        keeper.follow(command.id)
        trace?.commandDidStart()
        timeout = plan.timeout.map { .now + .seconds($0) }
        let status = wait(for: command)
        keeper.follow(0)
        trace?.didEnd(command.id, status)
        if timeoutReport != nil { reportTimeout() }
        let end = hasServer && !keeper.isAlone ? endPictures() : [:]
        // Its own status, unless it was ended for another reason, which is reported.
        let own = hasServer && !hasTimedOut ? status : nil
        if !keeper.isAlone { trace?.commandDidEnd(own, tree, reap: { self.reap([]) }) }
        for left in tree.end(patience: keeper.patience, reap: { self.reap([]) }) {
            Terminal.error("mullionctl: process \(left.id) (\(left.name)) cannot be ended")
        }
        return keep(!hasServer ? 125 : hasTimedOut ? 124 : status, end)
    }

    /// Whether the server has not ended before the command.
    private var hasServer: Bool { !ended.contains(server.server.process.id) }

    /// Writes what is to be kept of the run.
    /// - Parameter pictures: files for the folder of artifacts, by name.
    /// - Returns: the exit status of run.
    private func keep(_ status: Int32, _ pictures: [String: [UInt8]] = [:]) -> Int32 {
        guard let trace, !keeper.isAlone else { return status }
        var interruption: Int32?
        let limit = ContinuousClock.now + .milliseconds(keeper.patience)
        trace.passOutputOn {
            if let signal = signals.next(until: .now), Self.ends(signal) { interruption = signal }
            // A signal that came before the command's end also ends this, a while later.
            if let endingSignal, ContinuousClock.now >= limit { interruption = endingSignal }
            return interruption != nil || keeper.isAlone
        }
        guard !keeper.isAlone else { return status }
        let status = trace.finish(interruption.map { 128 + $0 } ?? status, patience: keeper.patience)
        // What cannot be written keeps nothing else from being written.
        let isSaved = [
            succeeds { () throws(CommandError) in try trace.saveArtifacts(pictures, isFailed: status != 0) },
            succeeds { () throws(CommandError) in try trace.saveResult() },
        ]
        return status == 0 && isSaved.contains(false) ? 1 : status
    }

    /// Prints the error, if there is one.
    private func succeeds(_ body: () throws(CommandError) -> Void) -> Bool {
        do throws(CommandError) {
            try body()
            return true
        } catch {
            Terminal.error("mullionctl: \(error.message ?? "")")
            return false
        }
    }

    /// Waits until the command has ended, or `run` was killed.
    private func wait(for command: Process) -> Int32 {
        while true {
            // First, so that the end of a server that crashes at the command's last moment is noticed.
            for (helper, ending) in endedHelpers() {
                ended.insert(helper.process.id)
                let what = "\(helper.what) ended before the command, \(ending.text)"
                Terminal.error("mullionctl: \(what)\n\(helper.output)")
                trace?.helperDidEnd(what)
                if isServer(helper) { end(command, by: SIGTERM) }
            }
            if let status = command.ended() { return status }
            reap([command])
            let now = ContinuousClock.now
            if let timeout, now >= timeout { timeIsUp() }
            if let timeoutReport, timeoutReport.isComplete {
                reportTimeout()
                end(command, by: SIGTERM)
            }
            if let deadline, now >= deadline {
                command.send(SIGKILL)
                self.deadline = .now + .milliseconds(keeper.patience)
            }
            let next = [timeout, timeoutReport?.deadline, deadline].compactMap(\.self).min()
            guard let signal = signals.next(until: next) else { continue }
            guard signal != BlockedSignals.parentEnded else { return 1 }
            if Self.ends(signal) { endingSignal = endingSignal ?? signal }
            end(command, by: signal)
        }
    }

    /// The helpers that have ended since the last call, the server first.
    private func endedHelpers() -> [(helper: HelperProgram, ending: Process.Ending)] {
        var found: [(helper: HelperProgram, ending: Process.Ending)] = []
        let limit = ContinuousClock.now + .milliseconds(500)
        while true {
            let known = ended.union(found.map(\.helper.process.id))
            for helper in server.helpers where !known.contains(helper.process.id) {
                guard let ending = helper.process.ending() else { continue }
                found.insert((helper, ending), at: isServer(helper) ? 0 : found.endIndex)
            }
            // When the server is killed, others notice and may end a moment before it has.
            guard let first = found.first?.helper, hasServer, !isServer(first), ContinuousClock.now < limit else {
                return found
            }
            BlockedSignals.waitForChild(milliseconds: 20)
        }
    }

    private func isServer(_ helper: HelperProgram) -> Bool { helper.process.id == server.server.process.id }

    /// Passes a signal on. After those that end a program, it has limited time.
    private func end(_ command: Process, by signal: Int32) {
        command.send(signal)
        guard Self.ends(signal), deadline == nil else { return }
        deadline = .now + .milliseconds(keeper.patience)
    }

    /// Whether programs end after a signal.
    private static func ends(_ signal: Int32) -> Bool { signal != SIGUSR1 && signal != SIGUSR2 }

    private func reap(_ commands: [Process]) {
        Process.reapOrphans(but: commands + server.helpers.map(\.process)) { trace?.didEnd($0, $1) }
    }

    // MARK: Reports

    /// Begins the report; the command is ended when it is complete.
    private func timeIsUp() {
        (timeout, hasTimedOut) = (nil, true)
        timeoutReport = TimeoutReport(plan.timeout ?? 0, running: tree, inquiries, hasServer: hasServer)
    }

    private func reportTimeout() {
        guard let report = timeoutReport?.end() else { return }
        timeoutReport = nil
        trace?.didTimeOut(plan.timeout ?? 0, waitingFor: report.awaited)
        Terminal.error(report.text)
    }

    /// The tree and a picture at the end of the command.
    private func endPictures() -> [String: [UInt8]] {
        guard plan.artifacts != nil else { return [:] }
        var pictures: [String: [UInt8]] = [:]
        for name in ["tree.txt", "screenshot.png"] {
            let answer = inquiries.ask { client in
                Result { () throws(CommandError) in
                    name == "tree.txt"
                        ? try client.answer(to: .getTree(), accept: "text/plain").body
                        : try client.send(.getScreenshotPng())
                }
            }
            switch answer {
            case .success(let bytes): pictures[name] = bytes
            case .failure(let error): Terminal.error("mullionctl: \(error.message ?? "no picture")")
            case nil: Terminal.error("mullionctl: no \(name): \(ServerInquiries.silence)")
            }
        }
        return pictures
    }
}
