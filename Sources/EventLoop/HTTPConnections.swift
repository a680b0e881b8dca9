// The connections of an HTTP server: limits their number and ends those that are too slow or send too much.

import CLibevent
import Glibc
import MullionSystem

/// Adds the bounds that evhttp lacks. evhttp limits neither the number of its connections nor the duration of a
/// request: a client that sends a byte now and then never times out. It also reads a chunk-size line of any length, and
/// searches it from the beginning whenever bytes arrive.
///
/// This class keeps a connection's buffers slightly longer than evhttp does; buffers without callbacks are those that
/// evhttp has released. A timer is armed only while a request is incomplete or a connection is ending.
final class HTTPConnections {
    /// Identifies a connection by the address of its input buffer.
    struct Input: Hashable {
        private let address: UInt

        init(_ buffer: OpaquePointer) { address = UInt(bitPattern: buffer) }

        /// Must not be used after evhttp and `Buffers` have released the buffer.
        var buffer: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }
    }

    /// A reference to a bufferevent, held until `release`.
    @safe private struct Buffers {
        let pointer: OpaquePointer

        func release() { unsafe bufferevent_decref(pointer) }

        var socket: Int32 { unsafe bufferevent_getfd(pointer) }

        /// Whether evhttp still uses them.
        var isInUse: Bool {
            var read: bufferevent_data_cb?
            var ended: bufferevent_event_cb?
            unsafe bufferevent_getcb(pointer, &read, nil, &ended, nil)
            return unsafe read != nil || ended != nil
        }
    }

    private final class Connection {
        let buffers: Buffers
        /// Nil until evhttp has set it. The number cannot be reused while the buffers exist.
        var socket: Int32?
        /// The request being answered.
        weak var exchange: HTTPExchange?
        /// Whether the client has finished sending. evhttp releases the connection when it has read to the end and owes
        /// no answer.
        var isEnding = false
        /// Whether its client hung up.
        var isGone = false
        /// When the first byte of an incomplete request arrived; nil when there is none.
        var requestBegan: UInt64?
        /// Whether a request has arrived and its answer is not completely sent.
        var isServed = false
        /// Bytes received of the incomplete request.
        var received = 0
        /// Whether a request head announced a chunked body.
        var hasChunks = false
        /// Ascending in order of arrival.
        let number: UInt64
        /// Whether the peer is still unidentified.
        var isStranger = true
        /// The peer's user, once identified; nil for a holder of a token.
        var user: UInt32?
        /// Whether an error was sent and the connection is being shut down.
        var isCutOff = false
        /// Whether `tally` includes it.
        var isCounted = false

        init(_ buffers: Buffers, number: UInt64) { (self.buffers, self.number) = (buffers, number) }
    }

    /// The most connections accepted per turn. Each costs more than one of `Listener`.
    static let acceptsPerTurn = 16

    /// Called when that many were accepted in a turn.
    var onCrowd: (() -> Void)?

    private let loop: EventLoop
    private let limits: HTTPServer.Limits
    /// The number of connections accepted in this turn.
    private var accepted = 0
    /// The identified connections that are not being shut down, in all and by user.
    private var tally = (all: 0, users: [UInt32?: Int]())
    private var all: [Input: Connection] = [:]
    /// Connections beyond the limit; evhttp has not set their descriptors yet.
    private var refused: [Buffers] = []
    private var lastNumber: UInt64 = 0
    private var incomplete = 0
    /// Bytes of all incomplete requests.
    private var received = 0
    private var timer: Timer?
    private var refusal: Timer?
    /// Ends the oldest strangers once those that arrived in the same turn had a chance to identify themselves.
    private var eviction: Timer?
    /// Closes what evhttp has released, after an answer or a hang-up.
    private var closing: Timer?
    /// Microseconds until the next check whether evhttp has read ending connections to their end.
    private var pause = shortestPause
    private static let shortestPause: UInt64 = 1000
    private static let longestPause: UInt64 = 1_000_000
    private let hangUps: HTTPHangUps
    /// Identifies the last turn's connections, whose descriptors evhttp has set, and watches for their hang-ups.
    private var greeting: Timer?

    init(_ loop: EventLoop, _ limits: HTTPServer.Limits) throws(EventLoopError) {
        self.loop = loop
        self.limits = limits
        hangUps = try HTTPHangUps(loop)
        timer = Timer(loop) { [unowned self] _, now in endSlowRequests(now) }
        refusal = Timer(loop) { [unowned self] _, _ in endRefused() }
        eviction = Timer(loop) { [unowned self] _, _ in endOldestStrangers() }
        closing = Timer(loop) { [unowned self] _, now in closeEnded(now) }
        greeting = Timer(loop) { [unowned self] _, _ in greetAll() }
        hangUps.handler = { [unowned self] input, isGone in hungUp(input, isGone) }
    }

    deinit {
        for connection in all.values { close(connection) }
        for buffers in refused { buffers.release() }
    }

    /// The number of connections.
    var count: Int {
        sweep()
        return all.count
    }

    /// Makes the buffers for a connection that was just accepted.
    func make(_ base: OpaquePointer?) -> OpaquePointer? {
        // With this flag evhttp leaves closing to the buffers. Otherwise it would close the descriptor while these
        // buffers keep its events registered, and a new connection with the same number would receive no events.
        guard let buffers = unsafe bufferevent_socket_new(base, -1, Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)) else {
            return nil
        }
        unsafe bufferevent_incref(buffers)
        if accepted == 0 { sweep() }
        accepted += 1
        if accepted == Self.acceptsPerTurn { onCrowd?() }
        greeting?.arm(at: loop.now)
        if hasRoom, let buffer = unsafe bufferevent_get_input(buffers) {
            lastNumber += 1
            unsafe all[Input(buffer)] = Connection(Buffers(pointer: buffers), number: lastNumber)
            if limits.strangers < .max { eviction?.arm(at: loop.now) }
            unsafe evbuffer_add_cb(buffer, inputArrived, Unmanaged.passUnretained(self).toOpaque())
            unsafe evbuffer_add_cb(
                bufferevent_get_output(buffers), outputLeft, Unmanaged.passUnretained(self).toOpaque())
        } else {
            unsafe refused.append(Buffers(pointer: buffers))
            refusal?.arm(at: loop.now)
        }
        return unsafe buffers
    }

    /// Called when a whole request has arrived.
    /// - Parameter exchange: receives `clientHungUp`, because evhttp does not read while an answer is pending.
    /// - Returns: false when the connection is being ended, and the request is not to be served.
    func requestArrived(_ input: Input?, _ exchange: HTTPExchange) -> Bool {
        guard let input, let connection = all[input] else { return true }
        greet(input, connection)
        guard !connection.isCutOff else { return false }
        forgetRequest(connection)
        connection.isServed = true
        connection.exchange = exchange
        exchange.onAdmit = { [weak self, weak connection] in
            guard let connection else { return }
            connection.isStranger = false
            self?.count(connection)
        }
        // Report the hang-up to the exchange too, after evhttp's code has returned.
        if connection.isGone, let socket = connection.socket { hangUps.watch(input, socket, finishes: false) }
        return true
    }

    /// Called when the client has received the whole answer or is gone.
    func requestEnded(_ input: Input?) {
        guard let input, let connection = all[input] else { return }
        connection.isServed = false
        connection.exchange = nil
        if connection.isEnding { answered() }
    }

    fileprivate func bytesArrived(_ input: Input, _ count: Int) {
        guard let connection = all[input], !connection.isCutOff else { return }
        guard connection.buffers.isInUse else { return answered() }
        // A head is never longer than that. Bytes that arrived while another request was served may contain one too.
        if !connection.hasChunks, connection.isServed || connection.received <= limits.headerBytes {
            connection.hasChunks = input.speaksOfChunks(count)
        }
        if !connection.isServed {
            if connection.requestBegan == nil {
                let now = loop.now
                connection.requestBegan = now
                incomplete += 1
                if let timer, !timer.isArmed { timer.arm(at: now + limits.requestTime) }
            }
            connection.received += count
            received += count
        }
        if connection.hasChunks, connection.received > limits.headerBytes + limits.chunkedBytes {
            end(
                connection, 413, "bodyTooLarge",
                "a chunked body has at most \(limits.chunkedBytes) bytes; send Content-Length for a larger one")
        } else if received > limits.incompleteBytes.total {
            endLargest()
        }
    }

    /// Called when evhttp may be about to release a connection.
    fileprivate func answered() {
        guard let closing, !closing.isArmed || pause > Self.shortestPause else { return }
        pause = Self.shortestPause
        closing.arm(at: loop.now)
    }

    private func closeEnded(_ now: UInt64) {
        sweep()
        guard all.values.contains(where: { $0.isEnding && !$0.isServed }) else {
            pause = Self.shortestPause
            return
        }
        closing?.arm(at: now + pause)
        pause = min(pause * 2, Self.longestPause)
    }

    private func endLargest() {
        // Descriptors of connections that evhttp has released may already be in use again.
        sweep()
        let limit = limits.incompleteBytes
        for largest in limit.excess(
            received - limit.total, of: all.values, user: { $0.user }, size: { $0.received })
        {
            end(largest, 503, "limitReached", "incomplete requests have at most \(limit.total) bytes together")
        }
    }

    private func forgetRequest(_ connection: Connection) {
        guard connection.requestBegan != nil else { return }
        received -= connection.received
        connection.received = 0
        connection.requestBegan = nil
        incomplete -= 1
        if incomplete == 0 { timer?.cancel() }
    }

    /// Drops the connections that evhttp has released.
    private func sweep() {
        for (input, connection) in all where !connection.buffers.isInUse {
            forgetRequest(connection)
            all[input] = nil
            close(connection)
        }
    }

    private func close(_ connection: Connection) {
        uncount(connection)
        if let socket = connection.socket { hangUps.forget(socket) }
        connection.buffers.release()
    }

    private func count(_ connection: Connection) {
        guard !connection.isCounted, !connection.isCutOff else { return }
        connection.isCounted = true
        tally.all += 1
        tally.users[connection.user, default: 0] += 1
    }

    private func uncount(_ connection: Connection) {
        guard connection.isCounted else { return }
        connection.isCounted = false
        tally.all -= 1
        let rest = tally.users[connection.user].map { $0 - 1 }
        tally.users[connection.user] = rest == 0 ? nil : rest
    }

    private func greetAll() {
        accepted = 0
        sweep()
        let new = all.filter { $0.value.socket == nil }.sorted { $0.value.number < $1.value.number }
        for (input, connection) in new { greet(input, connection) }
    }

    /// Identifies the user of a new connection, unless a handler does that, and ends the connection if the user has too
    /// many.
    private func greet(_ input: Input, _ connection: Connection) {
        let socket = connection.buffers.socket
        guard connection.socket == nil, socket >= 0 else { return }
        connection.socket = socket
        hangUps.watch(input, socket, finishes: true)
        guard limits.strangers == .max else { return }
        let user = UnixSocket.peer(of: socket)?.uid
        if let reason = limits.connections.refusal(
            "connections", for: user, own: tally.users[user] ?? 0, all: tally.all)
        {
            return end(connection, 503, "limitReached", "\(reason); close one of them")
        }
        (connection.user, connection.isStranger) = (user, false)
        count(connection)
    }

    private var hasRoom: Bool {
        // Unidentified connections do not count, except while too many arrive at once.
        guard all.count < 8 * limits.connections.total else { return false }
        guard limits.strangers < .max else { return true }
        return tally.all < limits.connections.total - limits.strangers
    }

    /// Ends the strangers beyond the limit, oldest first, in favour of newer connections.
    private func endOldestStrangers() {
        sweep()
        let strangers = all.filter { $0.value.isStranger && !$0.value.isCutOff }
        let oldest = strangers.sorted { $0.value.number < $1.value.number }.dropLast(limits.strangers)
        for connection in oldest {
            end(
                connection.value, 503, "limitReached",
                "limit reached: \(limits.strangers) unidentified connections; "
                    + "a newer one replaces this one")
        }
    }

    private func hungUp(_ input: Input, _ isGone: Bool) {
        guard let connection = all[input], let socket = connection.socket else { return }
        connection.isEnding = true
        if isGone {
            connection.isGone = true
            connection.exchange?.clientHungUp()
        } else {
            // The client may still be waiting for its answer.
            hangUps.watch(input, socket, finishes: false)
        }
        answered()
    }

    private func endSlowRequests(_ now: UInt64) {
        sweep()
        var next: UInt64?
        for connection in all.values {
            guard let began = connection.requestBegan else { continue }
            if began + limits.requestTime <= now {
                end(
                    connection, 408, "timedOut",
                    "a request must be complete within \(limits.requestTime / 1000) milliseconds of its first byte")
            } else {
                next = min(next ?? .max, began + limits.requestTime)
            }
        }
        if let next { timer?.arm(at: next) }
    }

    private func endRefused() {
        for buffers in refused {
            if buffers.isInUse {
                hangUp(
                    buffers, 503, "limitReached",
                    "limit reached: \(limits.connections.total) connections; close one of them")
            }
            buffers.release()
        }
        refused = []
    }

    private func end(_ connection: Connection, _ status: Int, _ code: String, _ detail: String) {
        forgetRequest(connection)
        uncount(connection)
        connection.isCutOff = true
        hangUp(connection.buffers, status, code, detail)
    }

    /// Sends the reason, as far as the socket accepts it, and shuts down both directions, after which evhttp closes.
    private func hangUp(
        _ buffers: Buffers, _ status: Int, _ code: String, _ detail: String
    ) {
        let problem = HTTPResponse.problem(status, code, detail)
        let head =
            "HTTP/1.1 \(status) \(HTTPResponse.title(status))\r\nContent-Type: application/problem+json\r\n"
            + "Content-Length: \(problem.body.count)\r\nConnection: close\r\n\r\n"
        let text = Array(head.utf8) + problem.body
        let descriptor = buffers.socket
        _ = unsafe send(descriptor, text, text.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}

private func inputArrived(
    _ buffer: OpaquePointer?, _ change: UnsafePointer<evbuffer_cb_info>?, context: UnsafeMutableRawPointer?
) {
    guard let buffer = unsafe buffer, let change = unsafe change, unsafe change.pointee.n_added > 0 else { return }
    unsafe object(context, as: HTTPConnections.self)?.bytesArrived(
        HTTPConnections.Input(buffer), change.pointee.n_added)
}

private func outputLeft(
    _ buffer: OpaquePointer?, _ change: UnsafePointer<evbuffer_cb_info>?, context: UnsafeMutableRawPointer?
) {
    guard let change = unsafe change, unsafe change.pointee.n_deleted > 0, unsafe evbuffer_get_length(buffer) == 0
    else { return }
    unsafe object(context, as: HTTPConnections.self)?.answered()
}
