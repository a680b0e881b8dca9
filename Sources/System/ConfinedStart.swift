// Starts programs that may do less than this process.

import CLinux
import Glibc

extension ChildProcess {
    /// Like `start`, but neither the program nor what it starts can gain privileges or, as far as the kernel has Landlock,
    /// change files, serve TCP, or signal processes outside. It can read, and connect to sockets.
    package func startConfined() throws(SystemError) -> pid_t {
        let done = try ChildProcess.pipe()
        let start = ConfinedStart(self, done.write)
        let context = unsafe Unmanaged.passRetained(start)
        var thread = pthread_t()
        // Children inherit what their thread may not do; this process itself goes on as before.
        let code = unsafe pthread_create(&thread, nil, runConfined, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            throw SystemError(code)
        }
        pthread_detach(thread)
        _ = DescriptorIO.wait(for: Int32(POLLIN), on: done.read.rawValue, milliseconds: -1)
        return try start.result.get()
    }
}

/// A start on a thread of its own, and its result.
private final class ConfinedStart {
    private let program: ChildProcess
    private let done: OwnedDescriptor
    private(set) var result: Result<pid_t, SystemError> = .failure(SystemError(EAGAIN))

    /// - Parameter done: is written to when there is a result.
    init(_ program: ChildProcess, _ done: OwnedDescriptor) { (self.program, self.done) = (program, done) }

    func run() {
        if linux_confine_thread() == 0 {
            result = Result { () throws(SystemError) in try program.start() }
        } else {
            result = .failure(.last)
        }
        let id = try? result.get()
        _ = unsafe write(done.rawValue, [1] as [UInt8], 1)
        // To the kernel, this thread is the parent, with whose end the program may have asked to end.
        guard let id else { return }
        var information = unsafe siginfo_t()
        _ = retryingWhenInterrupted { unsafe waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) }
    }
}

private func runConfined(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context {
        unsafe Unmanaged<ConfinedStart>.fromOpaque(context).takeRetainedValue().run()
    }
    return nil
}
