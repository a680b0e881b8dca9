// The listening socket of a sandbox.

import EventLoop
import Glibc
import MullionSystem
import MullionWayland
import Synchronization

/// Accepts the programs of a sandbox, even after the client that created it is gone, until the engine hangs up or
/// nobody can connect any more.
///
/// The socket's creator can make accept4() block at any time, so it is called on a separate thread, which exists only
/// while somebody connects.
final class SandboxListener {
    let sandbox: Sandbox
    /// The resources charged to the user who created it.
    let share: SandboxShare
    /// The listening Unix socket.
    let listening: OwnedDescriptor
    /// The engine ends the sandbox by hanging up on this descriptor.
    let closing: OwnedDescriptor
    private unowned let server: DisplayServer
    private var connections: IOSource?
    private var hangUp: IOSource?
    private var resume: Timer?
    /// The accept() in progress, on its thread.
    private var acceptance: Acceptance?
    private var isSuspended = false

    /// - Throws: when the descriptors cannot be watched.
    init(
        _ server: DisplayServer, _ sandbox: Sandbox, _ listening: OwnedDescriptor, _ closing: OwnedDescriptor,
        _ share: SandboxShare
    ) throws(EventLoopError) {
        self.server = server
        self.sandbox = sandbox
        self.listening = listening
        self.closing = closing
        self.share = share
        connections = try IOSource(server.loop, descriptor: listening.rawValue) { [unowned self] in begin() }
        // Whatever the engine writes is ignored: readable or hung up, the sandbox ends.
        hangUp = try IOSource(server.loop, descriptor: closing.rawValue) { [unowned self] in end() }
        resume = Timer(server.loop) { [unowned self] _, _ in connections?.wantsRead = true }
    }

    deinit {
        // Unblocks a thread that the socket's creator has made wait.
        if !isSuspended, acceptance?.isDone == false { shutdown(listening.rawValue, Int32(SHUT_RDWR)) }
    }

    /// Stops accepting; new clients wait in the socket for the next server.
    /// - Parameter deadline: how long to wait for an accept() in progress, which returns immediately unless the creator
    ///   blocks it.
    func suspend(until deadline: UInt64) {
        isSuspended = true
        connections?.cancel()
        (connections, resume) = (nil, nil)
        while let acceptance, !acceptance.isDone, server.loop.now < deadline { usleep(500) }
        finish()
    }

    /// Starts a thread that accepts one client.
    private func begin() {
        connections?.wantsRead = false
        guard let socket = listening.duplicate() else { return rest(EMFILE) }
        let acceptance = Acceptance(socket.release())
        let done = server.loop.completion { [weak self] (_: Void) in self?.finish() }
        guard DetachedThread.start({ acceptance.run(done) }) else { return rest(EAGAIN) }
        self.acceptance = acceptance
    }

    /// Called when the thread is done, or no longer waited for.
    private func finish() {
        guard let acceptance, let result = acceptance.take() else { return }
        self.acceptance = nil
        switch result {
        case .success(let descriptor): server.accept(OwnedDescriptor(descriptor), sandbox: sandbox)
        case .failure(.again) where UnixSocket.isShutDown(listening), .failure(.invalid): return end()
        // Another process was faster, or the client gave up.
        case .failure(.again), .failure(.gone): break
        case .failure(.system(let code)): return rest(code)
        }
        connections?.wantsRead = true
    }

    /// Backs off after EMFILE, ENFILE, ENOMEM …; the connection stays in the queue.
    private func rest(_ code: Int32) {
        server.log(
            .warning, "cannot accept a client of the sandbox \(sandbox): \(SystemError(code))",
            about: LogSubject(uid: share.account.uid))
        resume?.arm(at: server.loop.now + Listener.pause)
    }

    private func end() {
        connections?.cancel()
        hangUp?.cancel()
        (connections, hangUp, resume) = (nil, nil, nil)
        server.sandboxes.removeAll { $0 === self }
    }
}

/// One call of accept4().
private final class Acceptance: Sendable {
    enum AcceptError: Error {
        /// No connection is waiting.
        case again
        /// The socket is not listening any more.
        case invalid
        /// The client gave up.
        case gone
        case system(Int32)
    }

    private let socket: Int32
    private let result = Mutex<Result<Int32, AcceptError>?>(nil)

    /// - Parameter socket: closed on the thread.
    init(_ socket: Int32) { self.socket = socket }

    deinit {
        // The sandbox has ended in the meantime.
        if case .success(let descriptor) = take() { DescriptorCloser().close(descriptor) }
    }

    var isDone: Bool { result.withLock { $0 != nil } }

    /// The result, once.
    func take() -> Result<Int32, AcceptError>? {
        result.withLock { result in
            defer { if result != nil { result = .failure(.gone) } }
            return result
        }
    }

    func run(_ done: Completion<Void>) {
        let outcome: Result<Int32, AcceptError>
        do throws(SystemError) {
            outcome = .success(try UnixSocket.accept(from: socket).release())
        } catch {
            switch error.code {
            case EAGAIN: outcome = .failure(.again)
            case EINVAL: outcome = .failure(.invalid)
            case EINTR, ECONNABORTED: outcome = .failure(.gone)
            case let code: outcome = .failure(.system(code))
            }
        }
        close(socket)
        result.withLock { $0 = outcome }
        done(())
    }
}
