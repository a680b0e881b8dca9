// The programs of a scenario, from their start to the end of all of them.

import Glibc
import JSON5
import MullionControl

/// Starts, watches and ends programs. They are children of this process, which is the parent of their orphans too.
final class ScenarioPrograms {
    private var programs: [ScenarioProgram] = []
    private let environment: [String: String]
    private let signals: BlockedSignals
    private let keeper: Keeper
    /// Whether a signal has ended the scenario: its sender does not wait for longer than programs have.
    private var isInterrupted = false
    /// The first program that has crashed.
    private(set) var crash: ScenarioFailure?

    init(_ client: ControlClient, _ signals: BlockedSignals, _ keeper: Keeper) throws(CommandError) {
        (self.signals, self.keeper) = (signals, keeper)
        let status = try client.send(.getStatus())
        environment = RunEnvironment.variables(
            socket: status.socket, control: client.path,
            display: status.x11.first?.display)
    }

    /// What becomes ready when a program ends or a signal arrives.
    var descriptor: Int32 { signals.descriptor }

    /// Looks for signals and for programs that have ended.
    /// - Throws: the exit status for a signal; the reason if a program has crashed.
    func check() throws(CommandError) {
        try checkSignals()
        Process.reapOrphans(but: programs.filter { $0.ending == nil }.map(\.process))
        for program in programs where program.ending == nil && program.reap() {
            guard crash == nil, let failure = program.crash else { continue }
            crash = failure
        }
        if let crash { throw .refused("\(crash.place): expected \(crash.expected), seen \(crash.seen)") }
    }

    func start(_ start: ScenarioStart) throws(ScenarioFailure) {
        var environment = environment
        for (name, value) in start.environment { environment[name] = value }
        programs.append(try ScenarioProgram(start, environment: environment))
    }

    /// Ends a program, or waits for its end.
    func stop(_ stop: ScenarioStop) throws(CommandError) -> ScenarioFailure? {
        guard let index = programs.lastIndex(where: { $0.name == stop.name }) else { return nil }
        let program = programs[index]
        let wasRunning = !program.reap()
        if stop.status == nil, wasRunning { program.send(SIGTERM) }
        let deadline = ContinuousClock.now + .seconds(stop.seconds)
        while !program.reap() {
            if stop.status != nil { try check() } else { try checkSignals() }
            guard ContinuousClock.now < deadline else { return late(program, stop) }
            BlockedSignals.waitForChild(milliseconds: 50)
        }
        try check()
        programs.remove(at: index)
        if let crash = program.crash { return crash }
        if stop.status == nil {
            // What it has started.
            kill(-program.process.id, SIGTERM)
        } else if program.ending != stop.status.map({ .exited($0) }) {
            return program.failure(expected: "to end with exit status \(stop.status ?? 0)")
        }
        program.flush()
        return nil
    }

    private func late(_ program: ScenarioProgram, _ stop: ScenarioStop) -> ScenarioFailure {
        let time = JSON.text(stop.seconds)
        guard stop.status != nil else {
            let failure = program.failure(expected: "to end within \(time) s after SIGTERM")
            program.send(SIGKILL)
            return failure
        }
        return program.failure(expected: "to end by itself within \(time) s")
    }

    /// The programs that have ended with a failure by themselves, as a part of a sentence; it may explain others.
    var endings: String {
        let failed = programs.filter { program in
            program.reap()
            if case .exited(let status)? = program.ending { return status != 0 }
            return program.crash != nil
        }
        return failed.map { program in
            let failure = program.failure(expected: "")
            return "; \(failure.place) has \(failure.seen)"
        }.joined()
    }

    private func checkSignals() throws(CommandError) {
        while signals.isPending {
            guard let signal = signals.next(until: .now) else { continue }
            isInterrupted = true
            throw .status(signal == BlockedSignals.parentEnded ? 1 : 128 + signal)
        }
    }

    /// Ends all programs and what they have started, by force if they take longer than five seconds, or four after a signal.
    func end() {
        for left in ProcessTree().end(
            patience: keeper.patience - (isInterrupted && !keeper.isAlone ? 1000 : 0), reap: Process.reapAll)
        {
            Terminal.error("mullionctl: process \(left.id) (\(left.name)) cannot be ended")
        }
        for program in programs { program.flush() }
    }
}
