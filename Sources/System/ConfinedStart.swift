// Starts programs that may do less than this process.

import CMullionLinux
import Glibc
import Synchronization

extension ChildProcess {
    /// Like `start`, but neither the program nor what it starts can gain privileges or, as far as the kernel has Landlock,
    /// change files, serve TCP, or signal processes outside. It can read, and connect to sockets. Does not wait for the
    /// program to be started, for which the kernel first has to give it a processor.
    /// - Parameters:
    ///   - descriptors: those that the program gets, kept open until it is started.
    ///   - limit: called on another thread, at once when the program is started; if it throws, the program is killed.
    package func startConfined(
        keeping descriptors: [OwnedDescriptor] = [], limit: @escaping ConfinedStart.Limit = { _ in }
    ) throws(SystemError) -> ConfinedStart {
        let pipe = try ChildProcess.pipe()
        let start = ConfinedStart(self, pipe.read, limit)
        let context = unsafe Unmanaged.passRetained(ConfinedStart.Work(start, descriptors, pipe.write))
        var thread = pthread_t()
        // Children inherit what their thread may not do; this process itself goes on as before.
        let code = unsafe pthread_create(&thread, nil, runConfined, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            throw SystemError(code)
        }
        pthread_detach(thread)
        return start
    }
}

/// A start on a thread of its own.
package final class ConfinedStart {
    private enum State {
        case starting
        case ended(Result<pid_t, SystemError>)
        case abandoned
    }

    /// Limits a process.
    package typealias Limit = (pid_t) throws(SystemError) -> Void

    /// Can be read to its end when there is a result.
    package let done: OwnedDescriptor

    private let program: ChildProcess
    private let limit: Limit
    private let state = Mutex(State.starting)

    fileprivate init(_ program: ChildProcess, _ done: OwnedDescriptor, _ limit: @escaping Limit) {
        (self.program, self.done, self.limit) = (program, done, limit)
    }

    /// The program's process, or why it was not started; nil before.
    package var result: Result<pid_t, SystemError>? {
        state.withLock { if case .ended(let result) = $0 { result } else { nil } }
    }

    /// Ends the program, which must lead a process group, as soon as it is started.
    /// - Returns: its process if it has started already, which is left to the caller.
    package func abandon() -> pid_t? {
        state.withLock { state in
            guard case .ended(let result) = state else {
                state = .abandoned
                return nil
            }
            return try? result.get()
        }
    }

    /// - Returns: the process that was started, and whether nobody wants it any more.
    private func run() -> (id: pid_t?, isAbandoned: Bool) {
        let result = Result { () throws(SystemError) in
            guard linux_confine_thread() == 0 else { throw .last }
            let id = try program.start()
            do throws(SystemError) {
                try limit(id)
            } catch  where error.code != ESRCH {
                kill(id, SIGKILL)
                _ = retryingWhenInterrupted { waitpid(id, nil, 0) }
                throw error
            } catch {
                // It has ended, and whoever reaps all children has waited for it.
            }
            return id
        }
        let isAbandoned = state.withLock { state in
            if case .abandoned = state { return true }
            state = .ended(result)
            return false
        }
        return (try? result.get(), isAbandoned)
    }

    /// What the thread does.
    fileprivate final class Work {
        private let start: ConfinedStart
        private var descriptors: [OwnedDescriptor]
        private var end: OwnedDescriptor?

        /// - Parameter end: is closed when there is a result.
        init(_ start: ConfinedStart, _ descriptors: [OwnedDescriptor], _ end: OwnedDescriptor) {
            (self.start, self.descriptors, self.end) = (start, descriptors, end)
        }

        func run() {
            let (id, isAbandoned) = start.run()
            descriptors = []
            end = nil
            // To the kernel, this thread is the parent, with whose end the program may have asked to end.
            guard let id else { return }
            if isAbandoned { kill(-id, SIGKILL) }
            var information = unsafe siginfo_t()
            let options = WEXITED | (isAbandoned ? 0 : WNOWAIT)
            _ = retryingWhenInterrupted { unsafe waitid(P_PID, id_t(id), &information, options) }
        }
    }
}

private func runConfined(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context {
        unsafe Unmanaged<ConfinedStart.Work>.fromOpaque(context).takeRetainedValue().run()
    }
    return nil
}
