// HTTP/1.1 on Unix or TCP sockets, with libevent's evhttp.

import CLibevent
import Glibc
import MullionSystem

/// Passes requests to one handler.
///
/// Requests that evhttp cannot parse and heads that are too long get 400, bodies that are too long 413, methods outside
/// `HTTPMethod` 405. Stalled clients are disconnected. Creating a server makes the process ignore SIGPIPE.
@safe public final class HTTPServer {
    /// Limits on what a client may send.
    public struct Limits: Sendable {
        /// Request line and header fields together, in bytes.
        public var headerBytes = 16 << 10
        /// The body, in bytes.
        public var bodyBytes = 1 << 20
        /// The size of a chunked body including its chunk sizes, in bytes.
        public var chunkedBytes = 1 << 20
        /// The total size of all incomplete requests, in bytes. Beyond it, the largest one of the user with the most gets
        /// 503.
        public var incompleteBytes = SharedLimit(256 << 20)
        /// Microseconds a connection may go without progress while sending a request, between two requests, and while
        /// receiving its response. The time a handler takes does not count.
        public var timeout: UInt64 = 10_000_000
        /// Microseconds from the first byte of a request to its last; a slower client gets 408.
        public var requestTime: UInt64 = 30_000_000
        /// Simultaneous connections; further ones get 503.
        public var connections: SharedLimit = 256
        /// Simultaneous connections whose peer is unidentified, where handlers call `HTTPRequest.admit`; a further one
        /// ends the oldest of them.
        public var strangers = Int.max

        public init() {}
    }

    /// Called with each request; keep the request to answer later.
    public var handler: ((HTTPRequest) -> Void)?
    /// Called when accept() fails and the listener backs off.
    public var onError: ((EventLoopError) -> Void)? {
        didSet { acceptors.forEach { $0.onError = onError } }
    }

    /// Requests that have arrived and whose clients have neither received the whole answer nor hung up.
    public private(set) var openRequests = 0
    /// Called whenever `openRequests` becomes 0.
    public var onIdle: (() -> Void)?

    private let loop: EventLoop
    private let limits: Limits
    private let http: OpaquePointer
    private let connections: HTTPConnections
    private var acceptors: [HTTPAcceptor] = []

    public init(
        _ loop: EventLoop, limits: Limits = Limits(), handler: ((HTTPRequest) -> Void)? = nil
    ) throws(EventLoopError) {
        connections = try HTTPConnections(loop, limits)
        guard let http = unsafe loop.base.lend({ unsafe evhttp_new($0) }) else {
            throw EventLoopError("evhttp_new", code: ENOMEM)
        }
        self.loop = loop
        self.limits = limits
        self.handler = handler
        unsafe self.http = http
        // evhttp writes without MSG_NOSIGNAL.
        loop_ignore_sigpipe()
        unsafe evhttp_set_max_headers_size(http, limits.headerBytes)
        unsafe evhttp_set_max_body_size(http, limits.bodyBytes)
        var time = timeval(microseconds: limits.timeout)
        unsafe evhttp_set_timeout_tv(http, &time)
        unsafe evhttp_set_default_content_type(http, nil)
        // Every method that evhttp knows, so that we refuse TRACE and CONNECT (405), not evhttp (501).
        unsafe evhttp_set_allowed_methods(http, UInt16.max)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe evhttp_set_gencb(http, requestArrived, context)
        unsafe evhttp_set_bevcb(http, newConnection, Unmanaged.passUnretained(connections).toOpaque())
        connections.onCrowd = { [unowned self] in acceptors.forEach { $0.rest() } }
    }

    deinit {
        acceptors.forEach { $0.forget() }
        unsafe evhttp_free(http)
    }

    /// The number of connected clients.
    public var connectionCount: Int { connections.count }

    /// Accepts clients from a socket, from now on. May be called for several sockets; the server retains them.
    public func listen(on socket: ListeningSocket) throws(EventLoopError) {
        let acceptor = try unsafe HTTPAcceptor(loop, socket, http)
        acceptor.onError = onError
        acceptors.append(acceptor)
    }

    /// Stops accepting and closes the sockets; pending requests are still answered.
    public func stopListening() {
        acceptors.forEach { unsafe $0.close(http) }
        acceptors = []
    }

    fileprivate func arrived(_ request: UnsafeMutablePointer<evhttp_request>) {
        loop.handlerRan = true
        // The handler may drop the server while evhttp's code is still on the call stack.
        loop.keepUntilTurnEnds(self)
        openRequests += 1
        let input = unsafe evhttp_request_get_connection(request)
            .flatMap { unsafe evhttp_connection_get_bufferevent($0) }.flatMap { unsafe bufferevent_get_input($0) }
            .map { unsafe HTTPConnections.Input($0) }
        let exchange = unsafe HTTPExchange(loop, request, timeout: limits.timeout) { [weak self] in
            self?.requestEnded(input)
        }
        guard connections.requestArrived(input, exchange) else { return }
        // evhttp leaves the body of a HEAD request in the buffer, where it would be parsed as the next request.
        exchange.closesAfterAnswer = exchange.hasUnreadBody
        guard let method = unsafe Self.method(evhttp_request_get_command(request)) else {
            let allowed = HTTPMethod.allCases.map(\.rawValue).joined(separator: ", ")
            return exchange.reply(
                .problem(405, "methodNotAllowed", "use one of \(allowed)", ["Allow": allowed]))
        }
        let uri = unsafe evhttp_request_get_evhttp_uri(request)
        let path = unsafe evhttp_uri_get_path(uri).map { unsafe String(cString: $0) } ?? ""
        let query = unsafe evhttp_uri_get_query(uri).map { unsafe String(cString: $0) } ?? ""
        guard let target = HTTPTarget(path: path, query: query) else {
            return exchange.reply(.problem(400, "malformed", "the request target is not well-formed"))
        }
        handler?(HTTPRequest(exchange, method: method, target: target))
    }

    private func requestEnded(_ input: HTTPConnections.Input?) {
        connections.requestEnded(input)
        openRequests -= 1
        if openRequests == 0 { onIdle?() }
    }

    private static func method(_ command: evhttp_cmd_type) -> HTTPMethod? {
        switch command {
        case EVHTTP_REQ_GET: .get
        case EVHTTP_REQ_HEAD: .head
        case EVHTTP_REQ_POST: .post
        case EVHTTP_REQ_PUT: .put
        case EVHTTP_REQ_PATCH: .patch
        case EVHTTP_REQ_DELETE: .delete
        case EVHTTP_REQ_OPTIONS: .options
        default: nil
        }
    }
}

private func requestArrived(_ request: UnsafeMutablePointer<evhttp_request>?, context: UnsafeMutableRawPointer?) {
    guard let request = unsafe request, let server = unsafe object(context, as: HTTPServer.self) else { return }
    unsafe server.arrived(request)
}

private func newConnection(_ base: OpaquePointer?, context: UnsafeMutableRawPointer?) -> OpaquePointer? {
    guard let buffers = unsafe object(context, as: HTTPConnections.self)?.make(base) else { return nil }
    unsafe evbuffer_add_cb(bufferevent_get_output(buffers), correctStatus, nil)
    return unsafe buffers
}

/// Replaces the status line: evhttp answers an unknown method with status 0.
private func correctStatus(
    _ buffer: OpaquePointer?, _ change: UnsafePointer<evbuffer_cb_info>?, _: UnsafeMutableRawPointer?
) {
    guard let change = unsafe change, unsafe change.pointee.orig_size == 0, unsafe change.pointee.n_added > 0 else {
        return
    }
    var start: (UInt64, UInt64, UInt64) = (0, 0, 0)
    let isZero = unsafe withUnsafeMutableBytes(of: &start) { start in
        unsafe evbuffer_copyout(buffer, start.baseAddress, start.count) > 0 && start.starts(with: "HTTP/".utf8)
            && start.drop { $0 != UInt8(ascii: " ") }.starts(with: " 0 ".utf8)
    }
    guard isZero else { return }
    let line = "HTTP/1.1 405 Method Not Allowed\r\n"
    unsafe evbuffer_drain(buffer, evbuffer_get_length(buffer))
    unsafe evbuffer_add(buffer, line, line.utf8.count)
}
