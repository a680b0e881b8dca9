// Accepts connections.

import CLibevent
import Glibc

/// Hands out the descriptors of accepted connections, non-blocking and close-on-exec; the receiver owns them.
public final class Listener {
    /// At most this many are accepted per turn, so that a storm of connections does not hold up the others.
    public static let acceptsPerTurn = 64
    /// How long accepting rests when the process is out of descriptors, in microseconds.
    public static let pause: UInt64 = 100_000

    /// Gets each accepted descriptor.
    public var onAccept: ((Int32) -> Void)?
    /// Told when accepting fails and rests.
    public var onError: ((EventLoopError) -> Void)?
    /// Where it listens.
    public let socket: ListeningSocket

    private let loop: EventLoop
    private let accept: (Int32) -> Int32
    private var source: IOSource?
    private var resume: Timer?

    /// Accepts from now on.
    public convenience init(
        _ loop: EventLoop, _ socket: ListeningSocket, onAccept: ((Int32) -> Void)? = nil
    ) throws(EventLoopError) {
        try self.init(loop, socket, accept: { loop_accept($0) }, onAccept: onAccept)
    }

    /// `accept` stands for accept4: a descriptor, or -1 with errno.
    init(
        _ loop: EventLoop, _ socket: ListeningSocket, accept: @escaping (Int32) -> Int32, onAccept: ((Int32) -> Void)?
    ) throws(EventLoopError) {
        self.loop = loop
        self.socket = socket
        self.accept = accept
        self.onAccept = onAccept
        source = try IOSource(loop, descriptor: socket.descriptor) { [unowned self] in acceptSome() }
        resume = Timer(loop) { [unowned self] _, _ in source?.wantsRead = true }
    }

    deinit {
        close()
    }

    /// Stops accepting and closes the socket, removing its files. Safe in `onAccept`.
    public func close() {
        suspend()
        socket.close()
    }

    /// Accepts no more; the socket stays open, and who connects waits in it. Safe in `onAccept`.
    public func suspend() {
        source?.cancel()
        source = nil
        resume?.cancel()
        resume = nil
        onAccept = nil
    }

    private func acceptSome() {
        for _ in 0..<Self.acceptsPerTurn {
            guard let source, let onAccept else { return }
            let descriptor = accept(socket.descriptor)
            if descriptor >= 0 {
                onAccept(descriptor)
                continue
            }
            switch errno {
            case EAGAIN: return
            // The client gave up, or the network failed before we came: look at the next.
            case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENONET: continue
            default:
                // EMFILE, ENFILE, ENOMEM … The connection stays in the queue: rest rather than spin.
                let error = EventLoopError("accept", socket.path ?? "", code: errno)
                source.wantsRead = false
                resume?.arm(at: loop.now + Self.pause)
                onError?(error)
                return
            }
        }
    }
}
