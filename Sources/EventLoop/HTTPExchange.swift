// Owns an evhttp_request from its arrival to the end of its answer.

import CLibevent
import Glibc

/// Keeps evhttp's ownership rules in one place. Replying returns the request to evhttp. When the connection closes
/// first, we free the request if evhttp has detached it; otherwise evhttp frees it. The close callback shows which.
@safe final class HTTPExchange {
    var onClose: (() -> Void)?
    var onDrain: (() -> Void)?
    /// Called when the peer has been identified.
    var onAdmit: (() -> Void)?
    /// Called once, with the status and the body, when the client is answered.
    var onAnswer: ((Int, [UInt8]) -> Void)?
    /// Whether to close the connection after this answer.
    var closesAfterAnswer = false

    /// How many bytes a client may send ahead while its response is streamed.
    private static let unreadMaximum = 64 << 10

    private let loop: EventLoop
    private let timeout: UInt64
    private let end: HTTPExchangeEnd
    /// Nil once answered or when the client is gone.
    private var request: UnsafeMutablePointer<evhttp_request>?
    private var isStream = false

    /// - Parameters:
    ///   - timeout: microseconds without progress after which the connection is closed.
    ///   - onEnd: called once, when the client has received the whole answer or is gone.
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

    /// Called once, when the client has received the whole answer or is gone.
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
        // evhttp sends any body it is given. The answer to HEAD has the length of the body it omits.
        let hasLength = response.status >= 200 && response.status != 204
        if hasLength, response.headers["Content-Length"] == nil {
            unsafe evhttp_add_header(request.pointee.output_headers, "Content-Length", String(response.body.count))
        }
        if hasLength, response.status != 304, unsafe evhttp_request_get_command(request) != EVHTTP_REQ_HEAD {
            unsafe response.body.withUnsafeBytes { bytes in
                _ = unsafe evbuffer_add(evhttp_request_get_output_buffer(request), bytes.baseAddress, bytes.count)
            }
        }
        onAnswer?(response.status, response.body)
        onAnswer = nil
        unsafe letGo(of: connection)
        unsafe evhttp_send_reply(request, Int32(response.status), nil, nil)
        // Otherwise evhttp would treat a client that has finished sending as gone, and buffer whatever it reads.
        unsafe bufferevent_disable(buffers, Int16(EV_READ))
    }

    func beginStream(status: Int, headers: HTTPHeaders) -> Bool {
        guard let request = unsafe request, !isStream, let buffers = unsafe buffers else { return false }
        isStream = true
        onAnswer?(status, [])
        onAnswer = nil
        addHeaders(headers)
        // A quiet stream is not a stalled client; a client that does not accept what is written is.
        unsafe setTimeouts(buffers, reading: false)
        // evhttp keeps reading, to see the end, but leaves the bytes in its buffer.
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

    // MARK: Disconnecting clients

    /// Called on a hang-up that evhttp misses because it is not reading: while an answer is pending, or after too much
    /// was sent ahead.
    func clientHungUp() {
        guard let connection = unsafe connection else { return }
        unsafe evhttp_connection_free(connection)
    }

    /// Called when evhttp is about to free the connection.
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

    /// Whether the head announces a body of which evhttp has read nothing.
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

    /// Hands the request and its connection over to evhttp. Exactly one of the two callbacks follows.
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

/// The end of an exchange. Outlives the exchange while evhttp is still sending its answer.
private final class HTTPExchangeEnd {
    private let loop: EventLoop
    private var onEnd: (() -> Void)?

    init(_ loop: EventLoop, _ onEnd: @escaping () -> Void) {
        self.loop = loop
        self.onEnd = onEnd
    }

    /// Called before `onEnd`.
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
