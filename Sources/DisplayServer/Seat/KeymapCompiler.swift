// Compiles clients' keymaps without waiting for them.

import EventLoop
import MullionKeymaps
import MullionSystem

/// Compiles clients' keymaps, each in a process beside the loop, which goes on serving everybody. Keymaps of one sender
/// are compiled one after the other, so that senders do not wait for each other's.
package final class KeymapCompiler {
    /// The most keymaps that are compiled at once: the service may have few processes (TasksMax=).
    static let maximum = 8

    /// The program that compiles.
    package var program = ChildProcess.path(of: "mulliond")
    /// The processor time that users have spent.
    var budget = KeymapBudget()

    /// Compiles layouts, which need no process of their own.
    let worker = Worker()

    private let loop: EventLoop
    /// Those of each sender, oldest first.
    private var jobs: [Sender: [Job]] = [:]
    /// The senders of whom a keymap is being compiled.
    private var running: Set<Sender> = []
    /// The senders who wait until fewer keymaps are being compiled.
    private var waiting: [Sender] = []

    /// All trusted clients of a user, or all other clients of a user, which may be in sandboxes.
    struct Sender: Hashable {
        let user: UInt32
        let isTrusted: Bool
    }

    /// A keymap to compile.
    final class Job {
        /// Has no NUL, and has passed `IncludeCheck`.
        let text: String
        fileprivate let sender: Sender
        /// Nil after it was cancelled.
        fileprivate var body: ((KeymapCompilation.Outcome) -> Void)?
        fileprivate var process: HelperProcess?

        fileprivate init(_ text: String, _ sender: Sender, _ body: @escaping (KeymapCompilation.Outcome) -> Void) {
            (self.text, self.sender, self.body) = (text, sender, body)
        }
    }

    init(_ loop: EventLoop) { self.loop = loop }

    /// Whether a keymap is being compiled, or waits for it.
    package var isBusy: Bool { !jobs.isEmpty }

    /// Compiles a keymap.
    /// - Parameters:
    ///   - text: has no NUL, and has passed `IncludeCheck`.
    ///   - isTrusted: whether its client is; those wait only for keymaps of the user's other trusted clients.
    ///   - body: called once, in a later turn of the loop.
    func compile(
        _ text: String, of user: UInt32, isTrusted: Bool, _ body: @escaping (KeymapCompilation.Outcome) -> Void
    ) -> Job {
        let sender = Sender(user: user, isTrusted: isTrusted)
        let job = Job(text, sender, body)
        jobs[sender, default: []].append(job)
        beginNext(of: sender)
        return job
    }

    /// Cancels a keymap whose client is gone.
    func cancel(_ job: Job) {
        job.body = nil
        if let process = job.process { return process.cancel() }
        let sender = job.sender
        // The first one has begun, and ends in a later turn.
        guard let index = jobs[sender]?.firstIndex(where: { $0 === job }), index > 0 || !running.contains(sender)
        else { return }
        jobs[sender]?.remove(at: index)
        if jobs[sender]?.isEmpty == true { jobs[sender] = nil }
    }

    private func beginNext(of sender: Sender) {
        guard !running.contains(sender), let job = jobs[sender]?.first else { return }
        guard sender.isTrusted || running.count < Self.maximum else {
            if !waiting.contains(sender) { waiting.append(sender) }
            return
        }
        running.insert(sender)
        begin(job)
    }

    private func begin(_ job: Job) {
        guard budget.admits(job.sender, at: loop.now) else {
            return end(
                job,
                "the keymaps of user \(job.sender.user) took more than \(KeymapBudget.time / 1000) ms within "
                    + "\(KeymapBudget.window / 1_000_000) s; wait that long")
        }
        do {
            let input = try AnonymousFile.make("mullion-keymap-text", holding: job.text.utf8)
            job.process = try HelperProcess(
                loop, program, ["mulliond", KeymapCompilation.argument], input: input,
                limits: .init(time: KeymapCompilation.patience, output: KeymapCompilation.maximumOutput)
            ) { [weak self] outcome in self?.didRun(job, outcome) }
        } catch {
            end(job, Self.reason(error))
        }
    }

    private func didRun(_ job: Job, _ outcome: HelperProcess.Outcome) {
        budget.spend(job.process?.processorTime ?? 0, of: job.sender)
        job.process = nil
        switch outcome {
        case .ended(let ending, let output, let error):
            let ending: KeymapCompilation.Ending =
                switch ending {
                case .exited(let status): .exited(status)
                case .signalled: .died
                case .unknown: .unknown
                }
            end(job, KeymapCompilation.outcome(ending, output: output, error: error))
        case .notStarted(let error): end(job, .refused(Self.reason(error)))
        case .wroteTooMuch:
            end(job, .refused("XKB cannot compile the keymap to at most \(KeymapText.maximumSize) bytes"))
        // Nobody hears of one that was cancelled.
        case .tookTooLong, .cancelled:
            end(job, .refused("XKB did not compile the keymap within \(KeymapCompilation.patience / 1_000_000) s"))
        }
    }

    private static func reason(_ error: any Error) -> String {
        "the server has no process to compile the keymap: \(error)"
    }

    /// Refuses a keymap that was not compiled, in a later turn: its client is still in its request.
    private func end(_ job: Job, _ reason: String) {
        loop.runInNextTurn { [weak self] in self?.end(job, .refused(reason)) }
    }

    private func end(_ job: Job, _ outcome: KeymapCompilation.Outcome) {
        let sender = job.sender
        jobs[sender]?.removeFirst()
        if jobs[sender]?.isEmpty == true { jobs[sender] = nil }
        running.remove(sender)
        beginNext(of: sender)
        while running.count < Self.maximum, !waiting.isEmpty { beginNext(of: waiting.removeFirst()) }
        let body = job.body
        job.body = nil
        body?(outcome)
    }
}
