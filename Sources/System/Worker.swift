// Runs work that would block the loop on another thread.

import CMullionLinux
import Synchronization

/// Runs jobs one after the other, in order. Its thread exists only while there are jobs, and has a lower priority than
/// the loop.
package final class Worker: Sendable {
    package typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        var isRunning = false
    }
    private let state = Mutex(State())

    package init() {}

    /// Runs `job` after all earlier ones.
    package func perform(_ job: @escaping Job) {
        let mustStart = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard mustStart else { return }
        // If no thread can be started, run it here.
        let isStarted = DetachedThread.start {
            linux_give_way()
            self.run()
        }
        if !isStarted { run() }
    }

    private func run() {
        while true {
            let jobs = takeJobs()
            guard !jobs.isEmpty else { return }
            for job in jobs { job() }
        }
    }

    private func takeJobs() -> [Job] {
        state.withLock { state in
            state.isRunning = !state.jobs.isEmpty
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}
