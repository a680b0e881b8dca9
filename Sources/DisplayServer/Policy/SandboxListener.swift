// The socket of one sandbox.

import EventLoop
import Glibc
import Synchronization
import System
import Wayland

/// Accepts the programs of one sandbox, also when the client that made it is gone, until the engine hangs up or nobody can
/// connect any more.
///
/// Whoever made the socket can make accept4() on it wait, at any time: it is called on a thread of its own, which is there
/// only while somebody connects.
final class SandboxListener {
    let sandbox: Sandbox
    /// What it costs the user who made it.
    let share: SandboxShare
    /// A Unix socket that listens.
    let listening: OwnedDescriptor
    /// The engine hangs up on it.
    let closing: OwnedDescriptor
    private unowned let server: DisplayServer
    private var connections: IOSource?
    private var hangUp: IOSource?
    private var resume: Timer?
    /// The thread that accepts.
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
        // What the engine writes there means nothing: readable or hung up, it is done with.
        hangUp = try IOSource(server.loop, descriptor: closing.rawValue) { [unowned self] in end() }
        resume = Timer(server.loop) { [unowned self] _, _ in connections?.wantsRead = true }
    }

    deinit {
        // Nobody comes any more: a thread that waits, because the maker wanted it to, ends.
        if !isSuspended, acceptance?.isDone == false { shutdown(listening.rawValue, Int32(SHUT_RDWR)) }
    }

    /// Accepts no more; who connects waits in the socket, for the next server.
    /// - Parameter deadline: so long it waits for who is being accepted. That takes no time, unless the maker wants it to.
    func suspend(until deadline: UInt64) {
        isSuspended = true
        connections?.cancel()
        (connections, resume) = (nil, nil)
        while let acceptance, !acceptance.isDone, server.loop.now < deadline { usleep(500) }
        finish()
    }

    /// Lets a thread accept one client.
    private func begin() {
        connections?.wantsRead = false
        guard let socket = listening.duplicate() else { return rest(EMFILE) }
        let acceptance = Acceptance(socket.release())
        let done = server.loop.completion { [weak self] (_: Void) in self?.finish() }
        guard DetachedThread.start({ acceptance.run(done) }) else { return rest(EAGAIN) }
        self.acceptance = acceptance
    }

    /// The thread is done, or the wait for it.
    private func finish() {
        guard let acceptance, let result = acceptance.take() else { return }
        self.acceptance = nil
        switch result {
        case .success(let descriptor): server.attach(OwnedDescriptor(descriptor), sandbox: sandbox)
        case .failure(.again) where UnixSocket.isShutDown(listening), .failure(.invalid): return end()
        // Somebody else was quicker, or the client gave up.
        case .failure(.again), .failure(.gone): break
        case .failure(.system(let code)): return rest(code)
        }
        connections?.wantsRead = true
    }

    /// EMFILE, ENFILE, ENOMEM …: the connection stays in the queue.
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

/// One accept4().
private final class Acceptance: Sendable {
    enum Failure: Error {
        /// Nobody waits.
        case again
        /// The socket listens no more.
        case invalid
        /// The client gave up.
        case gone
        case system(Int32)
    }

    private let socket: Int32
    private let result = Mutex<Result<Int32, Failure>?>(nil)

    /// - Parameter socket: is closed on the thread.
    init(_ socket: Int32) { self.socket = socket }

    deinit {
        // The sandbox has ended meanwhile.
        if case .success(let descriptor) = take() { DescriptorCloser().close(descriptor) }
    }

    var isDone: Bool { result.withLock { $0 != nil } }

    /// What came of it, once.
    func take() -> Result<Int32, Failure>? {
        result.withLock { result in
            defer { if result != nil { result = .failure(.gone) } }
            return result
        }
    }

    func run(_ done: Completion<Void>) {
        let outcome: Result<Int32, Failure>
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
