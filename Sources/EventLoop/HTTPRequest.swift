// A request as its handler sees it.

/// A complete request. It is answered once, in the handler or later, by `reply` or `stream`; dropped unanswered it
/// gets 500. Its values stay readable whatever becomes of the client.
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

    /// The connection's descriptor, to ask for peer credentials; nil when the client is gone or has its answer.
    /// Still evhttp's: neither read, write nor close it.
    public var peerDescriptor: Int32? {
        exchange.descriptor
    }

    /// The peer has said who it is: its connection is no stranger's any more.
    public func admit() { exchange.onAdmit?() }

    /// True until it is answered or the client goes away.
    public var isOpen: Bool {
        exchange.isOpen
    }

    /// Told once when the client goes away before its answer is complete.
    public var onClose: (() -> Void)? {
        get { exchange.onClose }
        set { exchange.onClose = newValue }
    }

    /// Told once, with the status, when it is answered, or when the answer that is streamed begins.
    public var onAnswer: ((Int) -> Void)? {
        get { exchange.onAnswer }
        set { exchange.onAnswer = newValue }
    }

    /// Called once, when the client has all of its answer or is gone.
    public var onFinish: (() -> Void)? {
        get { exchange.onFinish }
        set { exchange.onFinish = newValue }
    }

    /// Answers. Does nothing when the client is gone or has an answer.
    public func reply(_ response: HTTPResponse) {
        exchange.reply(response)
    }

    /// Answers with a head now and the body bit by bit. Nil when the client is gone or has an answer.
    public func stream(status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPStream? {
        exchange.beginStream(status: status, headers: headers) ? HTTPStream(exchange) : nil
    }
}

/// A response that is written bit by bit (chunked): server-sent events, live pictures. Dropping it ends it.
public final class HTTPStream {
    /// Told when all that was written has left for the kernel.
    public var onDrain: (() -> Void)? {
        get { exchange.onDrain }
        set { exchange.onDrain = newValue }
    }
    /// Told once when the client goes away.
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

    /// False once ended or the client is gone.
    public var isOpen: Bool {
        exchange.isOpen
    }

    /// Bytes written that the kernel has not taken yet: the writer's measure for back-pressure.
    public var queuedBytes: Int {
        exchange.queuedBytes
    }

    /// Queues bytes as one chunk. Does nothing when not open.
    public func write(_ bytes: [UInt8]) {
        exchange.writeChunk(bytes)
    }

    /// Ends the response in good order; the connection may serve another request.
    public func finish() {
        exchange.endStream()
    }

    /// Breaks the connection off and drops what is queued, for a client that does not keep up.
    public func abort() {
        exchange.abort()
    }
}
