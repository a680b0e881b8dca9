// Several scenarios, some at a time.

import Glibc
import MullionControl
import MullionSystem

/// Runs scenarios, each in a process of its own, and prints their results in order.
final class ScenarioBatch {
    private let scenarios: [SelectedScenario]
    private let options: ScenarioOptions
    /// The common options of mullionctl.
    private let server: [String]
    private let printer: any ScenarioPrinter
    private let output = ScenarioOutput()
    private let signals: BlockedSignals
    private let keeper: Keeper
    /// Where the private servers have their folders.
    private let folder: String

    /// Those that were not started.
    private var waiting: [Int]
    private var running: [ScenarioProcess] = []
    private var results: [ScenarioResult?]
    private var printed = 0
    /// The signal that ended it early.
    private var interruption: Int32?
    /// When the processes are killed.
    private var deadline: ContinuousClock.Instant?

    private init(
        _ scenarios: [SelectedScenario], _ options: ScenarioOptions, _ call: Invocation, _ signals: BlockedSignals,
        _ keeper: Keeper, folder: String
    ) {
        (self.scenarios, self.options, self.signals, self.keeper) = (scenarios, options, signals, keeper)
        server =
            (call.line.control.map { ["--control", $0] } ?? []) + (call.line.server.map { ["--server", $0] } ?? [])
        if options.isTAP {
            printer = TAPPrinter(output)
        } else {
            printer = call.json ? ScenarioJSONPrinter(output) : ScenarioTextPrinter(output)
        }
        self.folder = folder
        waiting = Array(scenarios.indices)
        results = scenarios.map { _ in nil }
    }

    /// Runs the scenarios, and throws the exit status.
    static func run(
        _ scenarios: [SelectedScenario], _ options: ScenarioOptions, _ call: Invocation
    ) throws(CommandError) -> Never {
        if let file = options.junit { try Picture.check(file) }
        if let one = scenarios.first(where: \.isOnRunningServer) { try options.refuseArtifacts(of: one.path) }
        let signals = BlockedSignals()
        let folder = try RunPlan.makeFolder()
        let status = try Keeper.start(folder: folder, signals) { keeper in
            let batch = ScenarioBatch(scenarios, options, call, signals, keeper, folder: folder)
            do throws(CommandError) {
                return try batch.status()
            } catch {
                if let message = error.message { batch.output.error("mullionctl: \(message)") }
                return error.status
            }
        }
        throw .status(status)
    }

    private func status() throws(CommandError) -> Int32 {
        // Find out that the results cannot be saved while nothing has run yet.
        if let file = options.junit, Picture.isReplaced(file) {
            try save(scenarios.map { .init(notRun: $0.path) }, file)
        }
        printer.begin(scenarios.count)
        while true {
            try startMore()
            guard !running.isEmpty else { break }
            printer.show(progress)
            // Without a reader of its results, it need not go on.
            let output = pollfd(fd: 1, events: 0, revents: 0)
            try signals.wait(or: running.flatMap(\.descriptors) + [output], until: deadline)
            Terminal.checkReader()
            if let signal = signals.next(until: .now) {
                // What is left is ended by the keeper.
                guard signal != BlockedSignals.parentEnded else { return 1 }
                interrupt(signal)
            }
            collect()
            if let deadline, ContinuousClock.now >= deadline {
                for one in running { one.process.send(SIGKILL) }
                self.deadline = .now + .seconds(1)
            }
        }
        return try finish()
    }

    private func startMore() throws(CommandError) {
        guard interruption == nil else { return }
        while running.count < options.jobs {
            let isServerBusy = running.contains { $0.scenario.isOnRunningServer }
            let next = waiting.firstIndex { !(isServerBusy && scenarios[$0].isOnRunningServer) }
            guard let next else { return }
            let index = waiting.remove(at: next)
            let scenario = scenarios[index]
            var words = server + ["scenario", scenario.path, "--json"] + options.words(scenario.settings)
            words += ["--output", options.output.map { folder($0, of: scenario) } ?? "\(scenario.name)-pictures"]
            if let artifacts = options.artifacts {
                words += ["--artifacts", folder(artifacts, of: scenario)]
                if options.isOnFailure { words.append("--on-failure") }
            }
            var environment = ChildProcess.environment
            // What a killed process leaves is removed with this folder. On the running server, programs have the same
            // temporary folder as without other scenarios.
            if !scenario.isOnRunningServer { environment["TMPDIR"] = folder }
            running.append(try ScenarioProcess(index, scenario, words, environment: environment))
        }
    }

    /// The folder for what a scenario saves, which none of the others has.
    private func folder(_ base: String, of scenario: SelectedScenario) -> String {
        scenarios.count == 1 ? base : "\(base)/\(scenario.name)"
    }

    /// Passes a signal on that ends scenarios; those that wait are not started any more.
    private func interrupt(_ signal: Int32) {
        guard signal != SIGUSR1, signal != SIGUSR2 else { return }
        for one in running { one.process.send(signal) }
        guard interruption == nil else { return }
        interruption = signal
        // Each has as long for its programs, and then for its server.
        deadline = .now + .milliseconds(2 * keeper.patience + 2000)
    }

    private func collect() {
        for one in running {
            // It has written everything before it ended.
            let ending = one.process.ending()
            for report in one.read() { printer.report(report, of: one.scenario.path) }
            guard let ending else { continue }
            results[one.index] = one.result(ending, isInterrupted: interruption != nil)
            running.removeAll { $0 === one }
        }
        Process.reapOrphans(but: running.map(\.process))
        printResults()
    }

    private func printResults() {
        while printed < results.count, let result = results[printed] {
            printer.result(result, number: printed + 1, isCheck: options.isCheck)
            printed += 1
        }
    }

    private func finish() throws(CommandError) -> Int32 {
        for index in results.indices where results[index] == nil {
            results[index] = ScenarioResult(notRun: scenarios[index].path)
        }
        printResults()
        let results = results.compactMap(\.self)
        let summary = ScenarioSummary(results: results, isCheck: options.isCheck)
        printer.end(summary, interruption: interruption)
        let status = interruption.map { 128 + $0 } ?? summary.status
        do throws(CommandError) {
            if let file = options.junit { try save(results, file) }
        } catch {
            // It does not hide what else went wrong.
            if let message = error.message { output.error("mullionctl: \(message)") }
            return max(status, error.status)
        }
        return status
    }

    /// Saves results in JUnit's format.
    private func save(_ results: [ScenarioResult], _ file: String) throws(CommandError) {
        let summary = ScenarioSummary(results: results, isCheck: options.isCheck)
        try Picture.save(Array(JUnitReport(summary).text.utf8), as: file)
    }

    private var progress: ScenarioProgress {
        ScenarioProgress(
            count: scenarios.count, done: results.count { $0 != nil },
            failed: results.count { $0.map { $0.outcome != .asExpected } ?? false },
            running: running.map { ($0.scenario.name, $0.progress.done, $0.progress.steps) })
    }
}
