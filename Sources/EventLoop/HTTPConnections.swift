// The connections of an HTTP server: how many there are, and which take too long over a request.

import CLibevent
import Glibc

/// evhttp bounds neither the number of its connections nor the time of a whole request: a client that sends a byte now
/// and then never times out.
///
/// A connection's buffers are kept here a little longer than evhttp has them; that their callbacks are gone tells that
/// evhttp has let go. No timer is armed but while a request is on its way.
final class HTTPConnections {
    private struct Connection {
        let buffers: OpaquePointer
        /// When the first byte came of a request that is not complete; nil while none is on its way.
        var requestBegan: UInt64?
        /// Whether a request has come and its client has not all of its answer.
        var isServed = false
    }

    private let loop: EventLoop
    private let limits: HTTPServer.Limits
    /// By the address of the buffer of what came in.
    private var all: [OpaquePointer: Connection] = [:]
    /// Those that were one too many; evhttp does not know their descriptors yet.
    private var refused: [OpaquePointer] = []
    private var incomplete = 0
    private var timer: Timer?
    private var refusal: Timer?

    init(_ loop: EventLoop, _ limits: HTTPServer.Limits) {
        self.loop = loop
        self.limits = limits
        timer = Timer(loop) { [unowned self] _, now in endSlowRequests(now) }
        refusal = Timer(loop) { [unowned self] _, _ in endRefused() }
    }

    deinit {
        for connection in all.values { bufferevent_decref(connection.buffers) }
        for buffers in refused { bufferevent_decref(buffers) }
    }

    /// How many there are.
    var count: Int {
        sweep()
        return all.count
    }

    /// Buffers for a connection that was just accepted.
    func make(_ base: OpaquePointer?) -> OpaquePointer? {
        guard let buffers = bufferevent_socket_new(base, -1, 0) else { return nil }
        bufferevent_incref(buffers)
        sweep()
        if all.count < limits.connections, let input = bufferevent_get_input(buffers) {
            all[input] = Connection(buffers: buffers)
            evbuffer_add_cb(input, inputArrived, Unmanaged.passUnretained(self).toOpaque())
        } else {
            refused.append(buffers)
            refusal?.arm(at: loop.now)
        }
        return buffers
    }

    /// A whole request has come.
    func requestArrived(_ input: OpaquePointer?) {
        guard let input, all[input] != nil else { return }
        forgetRequest(input)
        all[input]?.isServed = true
    }

    /// Its client has all of the answer, or is gone.
    func requestEnded(_ input: OpaquePointer?) {
        if let input { all[input]?.isServed = false }
    }

    fileprivate func bytesArrived(_ input: OpaquePointer) {
        guard let connection = all[input], !connection.isServed, connection.requestBegan == nil else { return }
        let now = loop.now
        all[input]?.requestBegan = now
        incomplete += 1
        if let timer, !timer.isArmed { timer.arm(at: now + limits.requestTime) }
    }

    private func forgetRequest(_ input: OpaquePointer) {
        guard all[input]?.requestBegan != nil else { return }
        all[input]?.requestBegan = nil
        incomplete -= 1
        if incomplete == 0 { timer?.cancel() }
    }

    /// Lets go of what evhttp has let go of.
    private func sweep() {
        for (input, connection) in all where !isInUse(connection.buffers) {
            forgetRequest(input)
            all[input] = nil
            bufferevent_decref(connection.buffers)
        }
    }

    private func isInUse(_ buffers: OpaquePointer) -> Bool {
        var read: bufferevent_data_cb?
        var ended: bufferevent_event_cb?
        bufferevent_getcb(buffers, &read, nil, &ended, nil)
        return read != nil || ended != nil
    }

    private func endSlowRequests(_ now: UInt64) {
        sweep()
        var next: UInt64?
        for (input, connection) in all {
            guard let began = connection.requestBegan else { continue }
            if began + limits.requestTime <= now {
                forgetRequest(input)
                hangUp(connection.buffers, "408 Request Timeout")
            } else {
                next = min(next ?? .max, began + limits.requestTime)
            }
        }
        if let next { timer?.arm(at: next) }
    }

    private func endRefused() {
        for buffers in refused {
            if isInUse(buffers) { hangUp(buffers, "503 Service Unavailable") }
            bufferevent_decref(buffers)
        }
        refused = []
    }

    /// Says why, as far as the socket takes it, and ends both directions: evhttp closes what has ended.
    private func hangUp(_ buffers: OpaquePointer, _ status: String) {
        let text = Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        let descriptor = bufferevent_getfd(buffers)
        _ = send(descriptor, text, text.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}

private func inputArrived(
    _ buffer: OpaquePointer?, _ change: UnsafePointer<evbuffer_cb_info>?, context: UnsafeMutableRawPointer?
) {
    guard let buffer, let change, change.pointee.n_added > 0 else { return }
    object(context, as: HTTPConnections.self)?.bytesArrived(buffer)
}
