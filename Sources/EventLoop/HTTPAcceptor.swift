// One listening socket of an HTTP server.

import CLibevent
import Glibc
import Synchronization

/// Owns a socket and the evconnlistener that accepts from it for evhttp.
///
/// evhttp passes its own pointer to the listener's error callback, so the acceptor has to be looked up by the
/// listener's address. The table is used only then, and when a socket is opened or closed.
@safe final class HTTPAcceptor {
    /// evconnlistener's address → the acceptor's address.
    private static let all = Mutex<[UInt: UInt]>([:])

    var onError: ((EventLoopError) -> Void)?

    private let socket: ListeningSocket
    private let loop: EventLoop
    private let listener: OpaquePointer
    private let bound: OpaquePointer
    private var resume: Timer?

    init(_ loop: EventLoop, _ socket: ListeningSocket, _ http: OpaquePointer) throws(EventLoopError) {
        let descriptor = socket.descriptor
        let listener = unsafe loop.base.lend {
            // Backlog 0: the socket is already listening. Close-on-exec is not the default.
            unsafe evconnlistener_new($0, nil, nil, LEV_OPT_CLOSE_ON_EXEC, 0, descriptor)
        }
        guard let listener = unsafe listener else {
            throw EventLoopError("evconnlistener_new", socket.path ?? "", code: errno)
        }
        guard let bound = unsafe evhttp_bind_listener(http, listener) else {
            unsafe evconnlistener_free(listener)
            throw EventLoopError("evhttp_bind_listener", socket.path ?? "", code: ENOMEM)
        }
        self.loop = loop
        self.socket = socket
        unsafe self.listener = listener
        unsafe self.bound = bound
        resume = Timer(loop) { _, _ in unsafe evconnlistener_enable(listener) }
        let own = unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
        Self.all.withLock { $0[UInt(bitPattern: listener)] = own }
        unsafe evconnlistener_set_error_cb(listener, acceptFailed)
    }

    /// Stops accepting until the next turn, so that a burst does not delay what else there is to do.
    func rest() {
        unsafe evconnlistener_disable(listener)
        resume?.arm(at: loop.now)
    }

    /// Called when evhttp is about to free the listener.
    func forget() {
        resume = nil
        _ = Self.all.withLock { unsafe $0.removeValue(forKey: UInt(bitPattern: listener)) }
    }

    /// Stops accepting. No other method may be called afterwards.
    func close(_ http: OpaquePointer) {
        forget()
        unsafe evhttp_del_accept_socket(http, bound)
        socket.close()
    }

    fileprivate static func find(_ listener: OpaquePointer?) -> HTTPAcceptor? {
        let address = all.withLock { $0[UInt(bitPattern: listener)] }
        return unsafe object(address.flatMap { unsafe UnsafeMutableRawPointer(bitPattern: $0) })
    }

    /// EMFILE, ENFILE, ENOMEM …: backs off rather than spins, as `Listener` does.
    fileprivate func failed(_ code: Int32) {
        loop.handlerRan = true
        unsafe evconnlistener_disable(listener)
        resume?.arm(at: loop.now + Listener.pause)
        onError?(EventLoopError("accept", socket.path ?? "", code: code))
    }
}

private func acceptFailed(_ listener: OpaquePointer?, _: UnsafeMutableRawPointer?) {
    let code = errno
    unsafe HTTPAcceptor.find(listener)?.failed(code)
}
