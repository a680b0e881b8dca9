// The one owner of an evhttp_request, from its arrival to the end of its answer.

import CLibevent
import Glibc

/// evhttp's rules, kept in one place: a reply gives the request back to evhttp; when the connection dies before, it is
/// ours to free if evhttp has taken it off the connection, else evhttp frees it. The close callback tells which.
@safe final class HTTPExchange {
    var onClose: (() -> Void)?
    var onDrain: (() -> Void)?
    /// Called when the peer has said who it is.
    var onAdmit: (() -> Void)?
    /// Told once, with the status, when the client is answered.
    var onAnswer: ((Int) -> Void)?
    /// Whether the connection is not to serve another request.
    var closesAfterAnswer = false

    /// How much a client may send ahead while its response is a stream, in bytes.
    private static let unreadMaximum = 64 << 10

    private let loop: EventLoop
    private let timeout: UInt64
    private let end: HTTPExchangeEnd
    /// Nil once answered or gone.
    private var request: UnsafeMutablePointer<evhttp_request>?
    private var isStream = false

    /// - Parameters:
    ///   - timeout: microseconds without progress after which the connection is given up.
    ///   - onEnd: called once, when the client has all of its answer or is gone.
    init(
        _ loop: EventLoop, _ request: UnsafeMutablePointer<evhttp_request>, timeout: UInt64,
        onEnd: @escaping () -> Void
    ) {
        self.loop = loop
        end = HTTPExchangeEnd(loop, onEnd)
        unsafe self.request = request
        self.timeout = timeout
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe evhttp_connection_set_closecb(connection, exchangeClosed, context)
    }

    deinit {
        if isStream {
            endStream()
        } else {
            reply(.text("no answer\n", status: 500))
        }
    }

    var isOpen: Bool {
        unsafe request != nil
    }

    var descriptor: Int32? {
        unsafe buffers.map { unsafe bufferevent_getfd($0) }
    }

    var queuedBytes: Int {
        unsafe buffers.map { unsafe evbuffer_get_length(bufferevent_get_output($0)) } ?? 0
    }

    /// Called once, when the client has all of its answer or is gone.
    var onFinish: (() -> Void)? {
        get { end.onFinish }
        set { end.onFinish = newValue }
    }

    private var connection: OpaquePointer? {
        unsafe request.flatMap { unsafe evhttp_request_get_connection($0) }
    }

    private var buffers: OpaquePointer? {
        unsafe connection.flatMap { unsafe evhttp_connection_get_bufferevent($0) }
    }

    // MARK: Answering

    func reply(_ response: HTTPResponse) {
        guard let request = unsafe request, !isStream, let buffers = unsafe buffers, let connection = unsafe connection
        else { return }
        addHeaders(response.headers)
        // evhttp would send whatever body it is given. A HEAD request's answer has the length of what it leaves out.
        let hasLength = response.status >= 200 && response.status != 204
        if hasLength, response.headers["Content-Length"] == nil {
            unsafe evhttp_add_header(request.pointee.output_headers, "Content-Length", String(response.body.count))
        }
        if hasLength, response.status != 304, unsafe evhttp_request_get_command(request) != EVHTTP_REQ_HEAD {
            unsafe response.body.withUnsafeBytes { bytes in
                _ = unsafe evbuffer_add(evhttp_request_get_output_buffer(request), bytes.baseAddress, bytes.count)
            }
        }
        onAnswer?(response.status)
        onAnswer = nil
        unsafe letGo(of: connection)
        unsafe evhttp_send_reply(request, Int32(response.status), nil, nil)
        // Else evhttp would take a client that has finished sending for one that is gone, and hoard what it reads.
        unsafe bufferevent_disable(buffers, Int16(EV_READ))
    }

    func beginStream(status: Int, headers: HTTPHeaders) -> Bool {
        guard let request = unsafe request, !isStream, let buffers = unsafe buffers else { return false }
        isStream = true
        onAnswer?(status)
        onAnswer = nil
        addHeaders(headers)
        // A quiet stream is no hanging client; one that does not take what is written still is.
        unsafe setTimeouts(buffers, reading: false)
        // evhttp reads meanwhile, to see the end, but leaves what it reads in its buffer.
        unsafe bufferevent_setwatermark(buffers, Int16(EV_READ), 0, Self.unreadMaximum)
        unsafe evhttp_send_reply_start(request, Int32(status), nil)
        return true
    }

    func writeChunk(_ bytes: [UInt8]) {
        guard let request = unsafe request, isStream, !bytes.isEmpty, let chunk = unsafe evbuffer_new() else { return }
        defer { unsafe evbuffer_free(chunk) }
        unsafe bytes.withUnsafeBytes { bytes in
            _ = unsafe evbuffer_add(chunk, bytes.baseAddress, bytes.count)
        }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe evhttp_send_reply_chunk_with_cb(request, chunk, exchangeDrained, context)
    }

    func endStream() {
        guard let request = unsafe request, isStream, let buffers = unsafe buffers, let connection = unsafe connection
        else { return }
        unsafe setTimeouts(buffers, reading: true)
        unsafe bufferevent_setwatermark(buffers, Int16(EV_READ), 0, 0)
        unsafe letGo(of: connection)
        unsafe evhttp_send_reply_end(request)
    }

    func abort() {
        guard let connection = unsafe connection else { return }
        onClose = nil
        unsafe evhttp_connection_free(connection)
    }

    // MARK: Clients that go away

    /// evhttp does not see it where it does not read: while an answer is awaited, and when too much was sent ahead.
    func clientHungUp() {
        guard let connection = unsafe connection else { return }
        unsafe evhttp_connection_free(connection)
    }

    /// evhttp is about to free the connection.
    fileprivate func closed() {
        guard let request = unsafe request else { return }
        loop.handlerRan = true
        unsafe self.request = nil
        if unsafe evhttp_request_get_connection(request) == nil {
            unsafe evhttp_request_free(request)
        }
        let onClose = self.onClose
        self.onClose = nil
        onDrain = nil
        onClose?()
        end.come()
    }

    fileprivate func drained() {
        loop.handlerRan = true
        onDrain?()
    }

    // MARK: Reading

    /// Whether the head speaks of a body and evhttp has read none.
    var hasUnreadBody: Bool {
        guard let buffer = unsafe request.flatMap({ unsafe evhttp_request_get_input_buffer($0) }) else { return false }
        return unsafe evbuffer_get_length(buffer) == 0 && readHeaders().announcesBody
    }

    func readHeaders() -> HTTPHeaders {
        var headers = HTTPHeaders()
        var field = unsafe request.flatMap { unsafe evhttp_request_get_input_headers($0) }?.pointee.tqh_first
        while let one = unsafe field {
            unsafe headers.add(String(cString: one.pointee.key), String(cString: one.pointee.value))
            unsafe field = one.pointee.next.tqe_next
        }
        return headers
    }

    func readBody() -> [UInt8] {
        guard let buffer = unsafe request.flatMap({ unsafe evhttp_request_get_input_buffer($0) }) else { return [] }
        let length = unsafe evbuffer_get_length(buffer)
        return unsafe [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
            count = unsafe max(0, Int(evbuffer_remove(buffer, bytes.baseAddress, length)))
        }
    }

    private func addHeaders(_ headers: HTTPHeaders) {
        guard let fields = unsafe request?.pointee.output_headers else { return }
        for (name, value) in headers.fields {
            unsafe evhttp_add_header(fields, name, value)
        }
        if closesAfterAnswer { unsafe evhttp_add_header(fields, "Connection", "close") }
    }

    /// From here on the request and its connection are evhttp's alone. Exactly one of the two callbacks comes.
    private func letGo(of connection: OpaquePointer) {
        let context = unsafe Unmanaged.passRetained(end).toOpaque()
        unsafe evhttp_connection_set_closecb(connection, answerCutOff, context)
        unsafe evhttp_request_set_on_complete_cb(request, answerSent, context)
        unsafe request = nil
        onClose = nil
        onDrain = nil
    }

    private func setTimeouts(_ buffers: OpaquePointer, reading: Bool) {
        var time = timeval(microseconds: timeout)
        unsafe withUnsafePointer(to: &time) { time in
            _ = unsafe bufferevent_set_timeouts(buffers, reading ? time : nil, time)
        }
    }
}

/// Waits for the end of an exchange; outlives it while evhttp still sends its answer.
private final class HTTPExchangeEnd {
    private let loop: EventLoop
    private var onEnd: (() -> Void)?

    init(_ loop: EventLoop, _ onEnd: @escaping () -> Void) {
        self.loop = loop
        self.onEnd = onEnd
    }

    /// Called before.
    var onFinish: (() -> Void)?

    func come() {
        loop.handlerRan = true
        let onFinish = onFinish
        self.onFinish = nil
        onFinish?()
        onEnd?()
        onEnd = nil
    }
}

extension timeval {
    init(microseconds: UInt64) {
        self.init(tv_sec: Int(microseconds / 1_000_000), tv_usec: Int(microseconds % 1_000_000))
    }
}

private func exchangeClosed(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
    unsafe object(context, as: HTTPExchange.self)?.closed()
}

private func answerSent(request: UnsafeMutablePointer<evhttp_request>?, context: UnsafeMutableRawPointer?) {
    unsafe evhttp_connection_set_closecb(request.flatMap { unsafe evhttp_request_get_connection($0) }, nil, nil)
    unsafe answerCutOff(nil, context: context)
}

private func answerCutOff(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<HTTPExchangeEnd>.fromOpaque(context).takeRetainedValue().come()
}

private func exchangeDrained(_: OpaquePointer?, context: UnsafeMutableRawPointer?) {
    unsafe object(context, as: HTTPExchange.self)?.drained()
}
