// The command of mullionctl run, from its start to the end of everything it started.

import FoundationEssentials
import Glibc

/// A command in a private server.
final class CommandRun {
    private let plan: RunPlan
    private let server: PrivateServer
    private let signals: BlockedSignals
    private let keeper: Keeper
    /// The process group of run, which may be in the terminal's foreground.
    private let group: pid_t
    /// The command and what it has started.
    private let tree: ProcessTree
    /// When the command is killed.
    private var deadline: ContinuousClock.Instant?
    private var timeout: ContinuousClock.Instant?
    private var hasTimedOut = false
    private var ended: [String] = []
    /// Nil when nothing is recorded.
    private let trace: RunTrace?

    init(
        _ plan: RunPlan, _ server: PrivateServer, _ signals: BlockedSignals, _ keeper: Keeper, group: pid_t
    ) throws(CommandError) {
        (self.plan, self.server, self.signals, self.keeper, self.group) = (plan, server, signals, keeper, group)
        tree = ProcessTree(without: server.helpers.map(\.process.id))
        do throws(CommandError) {
            trace = plan.isTraced ? try RunTrace(plan, server) : nil
        } catch {
            server.stop()
            throw error
        }
    }

    /// Runs the command, ends what is left of it, and stops the server.
    /// - Returns: the exit status of run.
    func status() throws(CommandError) -> Int32 {
        defer {
            server.stop()
            trace?.join()
        }
        let streams = trace?.streams ?? Process.Streams()
        guard let command = Process(plan.command, environment: server.environment, streams: streams, group: group)
        else {
            // The same statuses as shells use.
            let status: Int32 = errno == ENOENT ? 127 : 126
            Terminal.error("mullionctl: \(plan.command[0]): \(Terminal.reason)")
            trace?.commandDidStart()
            return keep(status)
        }
        trace?.commandDidStart()
        timeout = plan.timeout.map { .now + .seconds($0) }
        let status = wait(for: command)
        trace?.didEnd(command.id, status)
        let end = ended.isEmpty && !keeper.isAlone ? endPictures() : [:]
        if !keeper.isAlone { trace?.commandDidEnd(tree, reap: { self.reap([]) }) }
        for left in tree.end(patience: keeper.patience, reap: { self.reap([]) }) {
            Terminal.error("mullionctl: process \(left.id) (\(left.name)) cannot be ended")
        }
        return keep(ended.contains("the server") ? 125 : hasTimedOut ? 124 : status, end)
    }

    /// Writes what is to be kept of the run.
    /// - Parameter pictures: files for the folder of artifacts, by name.
    /// - Returns: the exit status of run.
    private func keep(_ status: Int32, _ pictures: [String: [UInt8]] = [:]) -> Int32 {
        guard let trace, !keeper.isAlone else { return status }
        let status = trace.finish(status)
        do throws(CommandError) {
            try trace.save(pictures, isFailed: status != 0)
        } catch {
            Terminal.error("mullionctl: \(error.message ?? "")")
            return status == 0 ? 1 : status
        }
        return status
    }

    /// Waits until the command has ended, or `run` was killed.
    private func wait(for command: Process) -> Int32 {
        while true {
            if let status = command.ended() { return status }
            for helper in server.helpers where !ended.contains(helper.what) && helper.process.ended() != nil {
                ended.append(helper.what)
                Terminal.error("mullionctl: \(helper.what) ended before the command\n\(helper.output)")
                trace?.didEnd(helper.what)
                if helper.process.id == server.server.process.id { end(command, by: SIGTERM) }
            }
            reap([command])
            if let timeout, ContinuousClock.now >= timeout { reportTimeout(command) }
            if let deadline, ContinuousClock.now >= deadline {
                command.send(SIGKILL)
                self.deadline = .now + .milliseconds(keeper.patience)
            }
            guard let signal = signals.next(until: [timeout, deadline].compactMap(\.self).min()) else { continue }
            guard signal != BlockedSignals.parentEnded else { return 1 }
            end(command, by: signal)
        }
    }

    /// Passes a signal on. After those that end a program, it has limited time.
    private func end(_ command: Process, by signal: Int32) {
        command.send(signal)
        guard signal != SIGUSR1, signal != SIGUSR2, deadline == nil else { return }
        deadline = .now + .milliseconds(keeper.patience)
    }

    private func reap(_ commands: [Process]) {
        Process.reapOrphans(but: commands + server.helpers.map(\.process)) { trace?.didEnd($0, $1) }
    }

    // MARK: Reports

    private func reportTimeout(_ command: Process) {
        (timeout, hasTimedOut) = (nil, true)
        var text = "mullionctl: the command did not end within \(JSON.text(plan.timeout ?? 0)) seconds\n"
        text += "running: " + tree.processes.map { "\($0.name) (\($0.id))" }.joined(separator: ", ") + "\n"
        var awaited = ""
        if ended.isEmpty {
            do throws(CommandError) {
                text += String(
                    decoding: try server.control.send("GET", "/tree", accept: "text/plain").body, as: UTF8.self)
                _ = try server.control.send("POST", "/settle?timeout=0.1")
            } catch {
                awaited = error.message ?? ""
                text += awaited
            }
        }
        trace?.didTimeOut(plan.timeout ?? 0, waitingFor: awaited)
        Terminal.error(text)
        end(command, by: SIGTERM)
    }

    /// The tree and a picture at the end of the command.
    private func endPictures() -> [String: [UInt8]] {
        guard plan.artifacts != nil else { return [:] }
        let client = server.control
        do throws(CommandError) {
            return [
                "tree.txt": try client.send("GET", "/tree", accept: "text/plain").body,
                "screenshot.png": try client.send("GET", "/screenshot.png").body,
            ]
        } catch {
            Terminal.error("mullionctl: \(error.message ?? "no picture")")
            return [:]
        }
    }
}
