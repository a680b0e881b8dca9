// Accepts connections on a listening socket.

import CLibevent
import Glibc

/// Hands out the descriptors of accepted connections, non-blocking and close-on-exec. The receiver owns them.
public final class Listener {
    /// The most connections accepted per turn, so that a burst does not delay existing ones.
    public static let acceptsPerTurn = 64
    /// How long the listener backs off when the process is out of descriptors, in microseconds.
    public static let pause: UInt64 = 100_000

    /// Called with each accepted descriptor.
    public var onAccept: ((Int32) -> Void)?
    /// Called when accept() fails and the listener backs off.
    public var onError: ((EventLoopError) -> Void)?
    /// The socket it accepts from.
    public let socket: ListeningSocket

    private let loop: EventLoop
    private let accept: (Int32) -> Int32
    private var source: IOSource?
    private var resume: Timer?

    /// Starts accepting immediately.
    public convenience init(
        _ loop: EventLoop, _ socket: ListeningSocket, onAccept: ((Int32) -> Void)? = nil
    ) throws(EventLoopError) {
        try self.init(loop, socket, accept: { loop_accept($0) }, onAccept: onAccept)
    }

    /// - Parameter accept: replaces accept4: returns a descriptor, or -1 with errno.
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

    /// Stops accepting, closes the socket and removes its files. May be called in `onAccept`.
    public func close() {
        suspend()
        socket.close()
    }

    /// Stops accepting but keeps the socket open; new connections wait in its backlog. May be called in `onAccept`.
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
            // The client gave up, or the network failed first: try the next connection.
            case EINTR, ECONNABORTED, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENONET: continue
            default:
                // EMFILE, ENFILE, ENOMEM …: the connection stays in the queue, so back off rather than spin.
                let error = EventLoopError("accept", socket.path ?? "", code: errno)
                source.wantsRead = false
                resume?.arm(at: loop.now + Self.pause)
                onError?(error)
                return
            }
        }
    }
}
