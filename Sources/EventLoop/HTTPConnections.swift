// The connections of an HTTP server: how many there are, and which take too long or too much over a request.

import CLibevent
import Glibc

/// evhttp bounds neither the number of its connections nor the time of a whole request: a client that sends a byte now
/// and then never times out. It does not bound what is read of a chunk's size either, and looks for its end from the
/// beginning whenever bytes come.
///
/// A connection's buffers are kept here a little longer than evhttp has them; that their callbacks are gone tells that
/// evhttp has let go. No timer is armed but while a request is on its way, or a connection ends.
final class HTTPConnections {
    /// Tells connections apart: the address of the buffer of what comes in.
    struct Input: Hashable {
        private let address: UInt

        init(_ buffer: OpaquePointer) { address = UInt(bitPattern: buffer) }

        /// Not to be asked for when evhttp has let go of it and `Buffers` is released.
        var buffer: OpaquePointer? { unsafe OpaquePointer(bitPattern: address) }
    }

    /// Counted once more for this class, until `release`.
    @safe private struct Buffers {
        let pointer: OpaquePointer

        func release() { unsafe bufferevent_decref(pointer) }

        var socket: Int32 { unsafe bufferevent_getfd(pointer) }

        /// Whether evhttp has them.
        var isInUse: Bool {
            var read: bufferevent_data_cb?
            var ended: bufferevent_event_cb?
            unsafe bufferevent_getcb(pointer, &read, nil, &ended, nil)
            return unsafe read != nil || ended != nil
        }
    }

    private struct Connection {
        let buffers: Buffers
        /// Nil until evhttp has said it; nobody else has the number until the buffers are gone.
        var socket: Int32?
        /// What is being answered.
        weak var exchange: HTTPExchange?
        /// Whether its client has finished sending: evhttp lets go of it when it has read to there and owes no answer.
        var isEnding = false
        /// Whether its client hung up.
        var isGone = false
        /// When the first byte came of a request that is not complete; nil while none is on its way.
        var requestBegan: UInt64?
        /// Whether a request has come and its client has not all of its answer.
        var isServed = false
        /// Bytes of the request that is not complete.
        var received = 0
        /// Whether a head spoke of a body in chunks.
        var hasChunks = false
        /// Counts up from the oldest.
        let number: UInt64
        /// Whether its peer has not said who it is.
        var isStranger = true
        /// Whether it was told why it is cut off.
        var isCutOff = false
    }

    private let loop: EventLoop
    private let limits: HTTPServer.Limits
    private var all: [Input: Connection] = [:]
    /// Those that were one too many; evhttp does not know their descriptors yet.
    private var refused: [Buffers] = []
    private var lastNumber: UInt64 = 0
    private var incomplete = 0
    /// Bytes of all requests that are not complete.
    private var received = 0
    private var timer: Timer?
    private var refusal: Timer?
    /// Ends the oldest strangers, when those who came together with them were heard.
    private var eviction: Timer?
    /// Closes what evhttp has let go of, after an answer or because its client hung up.
    private var closing: Timer?
    /// Microseconds until the next look whether evhttp has read to the end of those that end.
    private var pause = shortestPause
    private static let shortestPause: UInt64 = 1000
    private static let longestPause: UInt64 = 1_000_000
    private let hangUps: HTTPHangUps
    /// Listens for hang-ups, when evhttp has said which descriptor a new connection has.
    private var listening: Timer?

    init(_ loop: EventLoop, _ limits: HTTPServer.Limits) throws(EventLoopError) {
        self.loop = loop
        self.limits = limits
        hangUps = try HTTPHangUps(loop)
        timer = Timer(loop) { [unowned self] _, now in endSlowRequests(now) }
        refusal = Timer(loop) { [unowned self] _, _ in endRefused() }
        eviction = Timer(loop) { [unowned self] _, _ in endOldestStrangers() }
        closing = Timer(loop) { [unowned self] _, now in closeEnded(now) }
        listening = Timer(loop) { [unowned self] _, _ in listenForHangUps() }
        hangUps.handler = { [unowned self] input, isGone in hungUp(input, isGone) }
    }

    deinit {
        for connection in all.values { close(connection) }
        for buffers in refused { buffers.release() }
    }

    /// How many there are.
    var count: Int {
        sweep()
        return all.count
    }

    /// Buffers for a connection that was just accepted.
    func make(_ base: OpaquePointer?) -> OpaquePointer? {
        // evhttp leaves the descriptor to them then: it would close it while their events are still registered, because
        // they are kept here, and whose connection gets its number next would never be heard.
        guard let buffers = unsafe bufferevent_socket_new(base, -1, Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)) else {
            return nil
        }
        unsafe bufferevent_incref(buffers)
        sweep()
        if hasRoom, let buffer = unsafe bufferevent_get_input(buffers) {
            lastNumber += 1
            unsafe all[Input(buffer)] = Connection(buffers: Buffers(pointer: buffers), number: lastNumber)
            if limits.strangers < .max { eviction?.arm(at: loop.now) }
            listening?.arm(at: loop.now)
            unsafe evbuffer_add_cb(buffer, inputArrived, Unmanaged.passUnretained(self).toOpaque())
            unsafe evbuffer_add_cb(
                bufferevent_get_output(buffers), outputLeft, Unmanaged.passUnretained(self).toOpaque())
        } else {
            unsafe refused.append(Buffers(pointer: buffers))
            refusal?.arm(at: loop.now)
        }
        return unsafe buffers
    }

    /// A whole request has come.
    /// - Parameter exchange: hears when the client hangs up: evhttp does not read while it waits for an answer.
    func requestArrived(_ input: Input?, _ exchange: HTTPExchange) {
        guard let input, let connection = all[input] else { return }
        forgetRequest(input)
        all[input]?.isServed = true
        all[input]?.exchange = exchange
        exchange.onAdmit = { [weak self] in self?.all[input]?.isStranger = false }
        // Once more, for the exchange, when evhttp's code is through.
        if connection.isGone, let socket = connection.socket { hangUps.watch(input, socket, finishes: false) }
    }

    /// Its client has all of the answer, or is gone.
    func requestEnded(_ input: Input?) {
        guard let input, let connection = all[input] else { return }
        all[input]?.isServed = false
        all[input]?.exchange = nil
        if connection.isEnding { answered() }
    }

    fileprivate func bytesArrived(_ input: Input, _ count: Int) {
        guard var connection = all[input], !connection.isCutOff else { return }
        guard connection.buffers.isInUse else { return answered() }
        // A head is no longer than that; what came while another request was served may be one too.
        if !connection.hasChunks, connection.isServed || connection.received <= limits.headerBytes {
            connection.hasChunks = Self.speaksOfChunks(input, count)
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
        all[input] = connection
        if connection.hasChunks, connection.received > limits.headerBytes + limits.chunkedBytes {
            end(
                input, 413, "Content Too Large",
                "a body in chunks has at most \(limits.chunkedBytes) bytes; send Content-Length where there are more")
        } else if received > limits.incompleteBytes {
            endLargest()
        }
    }

    /// evhttp may let go of a connection now.
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
        // The descriptor of one that evhttp has let go of is somebody else's by now.
        sweep()
        guard received > limits.incompleteBytes, let largest = all.max(by: { $0.value.received < $1.value.received })
        else { return }
        end(
            largest.key, 503, "Service Unavailable",
            "requests that are not complete have at most \(limits.incompleteBytes) bytes together")
    }

    private static let chunksField = Array("transfer-encoding".utf8)

    /// Whether the bytes that came last speak of a body in chunks. Of a line, what came before is still there.
    private static func speaksOfChunks(_ input: Input, _ count: Int) -> Bool {
        let name = chunksField
        let buffer = unsafe input.buffer
        let length = unsafe evbuffer_get_length(buffer)
        let wanted = min(length, count + name.count)
        var place = unsafe evbuffer_ptr()
        guard wanted >= name.count, unsafe evbuffer_ptr_set(buffer, &place, length - wanted, EVBUFFER_PTR_SET) == 0
        else {
            return false
        }
        var bytes = [UInt8](repeating: 0, count: wanted)
        guard unsafe evbuffer_copyout_from(buffer, &place, &bytes, wanted) == wanted else { return false }
        return (0...(wanted - name.count)).contains { start in
            // Letters differ from capitals in one bit.
            bytes[start] | 0x20 == name[0] && zip(bytes[start...], name).allSatisfy { $0 | 0x20 == $1 }
        }
    }

    private func forgetRequest(_ input: Input) {
        guard let connection = all[input], connection.requestBegan != nil else { return }
        received -= connection.received
        all[input]?.received = 0
        all[input]?.requestBegan = nil
        incomplete -= 1
        if incomplete == 0 { timer?.cancel() }
    }

    /// Lets go of what evhttp has let go of.
    private func sweep() {
        for (input, connection) in all where !connection.buffers.isInUse {
            forgetRequest(input)
            all[input] = nil
            close(connection)
        }
    }

    private func close(_ connection: Connection) {
        if let socket = connection.socket { hangUps.forget(socket) }
        connection.buffers.release()
    }

    private func listenForHangUps() {
        sweep()
        for (input, connection) in all where connection.socket == nil {
            let socket = connection.buffers.socket
            guard socket >= 0 else { continue }
            all[input]?.socket = socket
            hangUps.watch(input, socket, finishes: true)
        }
    }

    private var hasRoom: Bool {
        guard limits.strangers < .max else { return all.count < limits.connections }
        // Strangers keep nobody out, but for the moment in which too many come at once.
        let known = all.values.count { !$0.isStranger }
        return known < limits.connections - limits.strangers && all.count < 8 * limits.connections
    }

    /// Who has not said who it is gives way to who comes.
    private func endOldestStrangers() {
        sweep()
        let strangers = all.filter { $0.value.isStranger && !$0.value.isCutOff }
        let oldest = strangers.sorted { $0.value.number < $1.value.number }.dropLast(limits.strangers)
        for connection in oldest {
            end(
                connection.key, 503, "Service Unavailable",
                "limit reached: \(limits.strangers) connections that have not said who they are; "
                    + "a newer one takes this one's place")
        }
    }

    private func hungUp(_ input: Input, _ isGone: Bool) {
        guard let connection = all[input], let socket = connection.socket else { return }
        all[input]?.isEnding = true
        if isGone {
            all[input]?.isGone = true
            connection.exchange?.clientHungUp()
        } else {
            // It may still want its answer.
            hangUps.watch(input, socket, finishes: false)
        }
        answered()
    }

    private func endSlowRequests(_ now: UInt64) {
        sweep()
        var next: UInt64?
        for (input, connection) in all {
            guard let began = connection.requestBegan else { continue }
            if began + limits.requestTime <= now {
                end(
                    input, 408, "Request Timeout",
                    "a request has to be complete \(limits.requestTime / 1000) milliseconds after its first byte")
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
                    buffers, 503, "Service Unavailable",
                    "limit reached: \(limits.connections) connections; end one of them")
            }
            buffers.release()
        }
        refused = []
    }

    private func end(_ input: Input, _ status: Int, _ title: String, _ detail: String) {
        guard let buffers = all[input]?.buffers else { return }
        forgetRequest(input)
        all[input]?.isCutOff = true
        hangUp(buffers, status, title, detail)
    }

    /// Says why, as far as the socket takes it, and ends both directions: evhttp closes what has ended.
    private func hangUp(_ buffers: Buffers, _ status: Int, _ title: String, _ detail: String) {
        let problem = HTTPResponse.problem(status, title, detail)
        let head =
            "HTTP/1.1 \(status) \(title)\r\nContent-Type: application/problem+json\r\n"
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
