// Starts programs that may do less than this process.

import CLinux
import Glibc

extension ChildProcess {
    /// Like `start`, but neither the program nor what it starts can gain privileges or, as far as the kernel has Landlock,
    /// change files, serve TCP, or signal processes outside. It can read, and connect to sockets.
    package func startConfined() throws(SystemError) -> pid_t {
        let start = ConfinedStart(self)
        let context = unsafe Unmanaged.passUnretained(start)
        var thread = pthread_t()
        // Children inherit what their thread may not do; this process itself goes on as before.
        let code = unsafe pthread_create(&thread, nil, runConfined, context.toOpaque())
        guard code == 0 else { throw SystemError(code) }
        withExtendedLifetime(start) { _ = pthread_join(thread, nil) }
        return try start.result.get()
    }
}

/// A start on a thread of its own, and its result.
private final class ConfinedStart {
    private let program: ChildProcess
    private(set) var result: Result<pid_t, SystemError> = .failure(SystemError(EAGAIN))

    init(_ program: ChildProcess) { self.program = program }

    func run() {
        guard linux_confine_thread() == 0 else {
            result = .failure(.last)
            return
        }
        result = Result { () throws(SystemError) in try program.start() }
    }
}

private func runConfined(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context {
        unsafe Unmanaged<ConfinedStart>.fromOpaque(context).takeUnretainedValue().run()
    }
    return nil
}
