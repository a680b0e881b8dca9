// Threads for operations that may block on a client.

import Glibc

/// A detached thread, which lives while its body runs.
package enum DetachedThread {
    /// Runs `body` on a new thread with all signals blocked except those of its own faults.
    /// - Returns: false when the system has no thread left; `body` does not run then.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let context = unsafe Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        guard unsafe pthread_create(&thread, nil, runDetached, context.toOpaque()) == 0 else {
            unsafe context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    fileprivate final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

private func runDetached(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    // The loop handles signals.
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe sigdelset(&all, SIGBUS)
    unsafe sigdelset(&all, SIGSEGV)
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    if let context = unsafe context {
        unsafe Unmanaged<DetachedThread.Body>.fromOpaque(context).takeRetainedValue().run()
    }
    return nil
}
