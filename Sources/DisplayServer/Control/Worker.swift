// Work that would hold up the loop, on a thread of its own.

import Glibc
import Synchronization

/// Does jobs one after the other, in order. Its thread lives only while there are jobs.
final class Worker: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        var isRunning = false
    }
    private let state = Mutex(State())

    /// Runs `job` after those that were given before.
    func perform(_ job: @escaping Job) {
        let mustStart = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard mustStart else { return }
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, runWorker, context.toOpaque())
        guard failure == 0 else {
            // No thread to be had: late is better than never.
            return context.takeRetainedValue().run()
        }
        pthread_detach(thread)
    }

    fileprivate func run() {
        while let job = next() { job() }
    }

    private func next() -> Job? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.jobs.removeFirst()
        }
    }
}

private func runWorker(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    // Signals are the loop's business.
    var all = sigset_t()
    sigfillset(&all)
    sigdelset(&all, SIGBUS)
    sigdelset(&all, SIGSEGV)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    if let context { Unmanaged<Worker>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
