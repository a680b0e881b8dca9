// An HTTP request as its handler sees it.

/// A complete request. Answer it once, in the handler or later, with `reply` or `stream`; a request dropped unanswered
/// gets 500. Its values stay readable after the client has disconnected.
public final class HTTPRequest {
    public let method: HTTPMethod
    /// The path's segments, percent-decoded: `/v1/screens/2` is `["v1", "screens", "2"]`.
    public let path: [String]
    /// The query's items in order, percent-decoded; `+` is a space.
    public let query: [(name: String, value: String)]
    public let headers: HTTPHeaders
    public let body: [UInt8]

    private let exchange: HTTPExchange

    init(_ exchange: HTTPExchange, method: HTTPMethod, target: HTTPTarget) {
        self.exchange = exchange
        self.method = method
        path = target.segments
        query = target.query.map { ($0.name, $0.value) }
        headers = exchange.readHeaders()
        body = exchange.readBody()
    }

    /// The first query item of that name.
    public func queryItem(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// The connection's descriptor, for reading peer credentials; nil when the client is gone or answered. evhttp owns
    /// it: do not read from, write to or close it.
    public var peerDescriptor: Int32? {
        exchange.descriptor
    }

    /// Marks the peer as identified: its connection no longer counts as a stranger.
    public func admit() { exchange.onAdmit?() }

    /// True until it is answered or the client goes away.
    public var isOpen: Bool {
        exchange.isOpen
    }

    /// Called once if the client disconnects before its answer is complete.
    public var onClose: (() -> Void)? {
        get { exchange.onClose }
        set { exchange.onClose = newValue }
    }

    /// Called once, with the status and the body, when the request is answered, or without the body when a streamed
    /// answer begins.
    public var onAnswer: ((Int, [UInt8]) -> Void)? {
        get { exchange.onAnswer }
        set { exchange.onAnswer = newValue }
    }

    /// Called once, when the client has received the whole answer or is gone.
    public var onFinish: (() -> Void)? {
        get { exchange.onFinish }
        set { exchange.onFinish = newValue }
    }

    /// Sends the answer. Does nothing when the client is gone or already answered.
    public func reply(_ response: HTTPResponse) {
        exchange.reply(response)
    }

    /// Sends the head now and the body piece by piece. Nil when the client is gone or already answered.
    public func stream(status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPStream? {
        exchange.beginStream(status: status, headers: headers) ? HTTPStream(exchange) : nil
    }
}

/// A chunked response written piece by piece: server-sent events, live pictures. Dropping it ends the response.
public final class HTTPStream {
    /// Called when everything written has been passed to the kernel.
    public var onDrain: (() -> Void)? {
        get { exchange.onDrain }
        set { exchange.onDrain = newValue }
    }
    /// Called once when the client disconnects.
    public var onClose: (() -> Void)? {
        get { exchange.onClose }
        set { exchange.onClose = newValue }
    }

    private let exchange: HTTPExchange

    init(_ exchange: HTTPExchange) {
        self.exchange = exchange
    }

    deinit {
        finish()
    }

    /// False once the response has ended or the client is gone.
    public var isOpen: Bool {
        exchange.isOpen
    }

    /// Bytes written that the kernel has not accepted yet; use it for back-pressure.
    public var queuedBytes: Int {
        exchange.queuedBytes
    }

    /// Queues bytes as one chunk. Does nothing when the stream is closed.
    public func write(_ bytes: [UInt8]) {
        exchange.writeChunk(bytes)
    }

    /// Ends the response properly; the connection may serve another request.
    public func finish() {
        exchange.endStream()
    }

    /// Closes the connection and drops what is queued, for a client that does not keep up.
    public func abort() {
        exchange.abort()
    }
}
