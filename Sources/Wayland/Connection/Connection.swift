// One end of a Wayland socket: bounded input and output, and descriptors; independent of objects.

import Glibc
import MullionSystem

/// Why a connection ended.
public enum ConnectionError: Error, Hashable, Sendable {
    /// The peer closed it.
    case closed
    /// A system call failed with this errno.
    case system(Int32)
    /// A message's size is below 8 or not a multiple of 4.
    case malformed
    /// A limit in `Limits` was exceeded.
    case limit(String)
}

/// Reads whole messages from a socket and queues messages for it. Servers and clients both use it.
///
/// Its state is used several times per message without run-time exclusivity checks: only whole values are read and
/// written, and no access calls out.
public final class Connection {
    public let socket: OwnedDescriptor
    public let limits: Limits
    public let descriptors = DescriptorQueue()
    /// Closes the descriptors that the peer sends. Nil when the peer is trusted: they are closed immediately.
    public var closer: DescriptorCloser? {
        didSet { socket.closer = closer }
    }
    /// Bytes received but not parsed yet: an incomplete message, or requests held back by back-pressure.
    @safe @exclusivity(unchecked) var leftover: [UInt8] = []
    @safe @exclusivity(unchecked) var output: OutputBuffer?
    let pool: OutputPool
    /// Called when something is queued on an empty queue; the owner flushes at the end of its turn.
    @safe @exclusivity(unchecked) public var onQueue: (() -> Void)?

    public init(socket: OwnedDescriptor, limits: Limits = Limits(), pool: OutputPool = OutputPool()) {
        self.socket = socket
        self.limits = limits
        self.pool = pool
    }

    // MARK: Output

    /// Whether received requests are held back, because the peer does not read our answers or other clients have their
    /// turn. While set, do not read from the socket; call `resume` once `isCongested` is false.
    @safe @exclusivity(unchecked) public internal(set) var hasHeldBack = false
    /// Whether the peer has stopped reading. Anything queued for it is dropped; what it sent earlier can still be read.
    @safe @exclusivity(unchecked) public private(set) var hasHungUp = false

    /// Bytes queued that the socket has not accepted yet.
    public var queuedBytes: Int { output?.pendingBytes ?? 0 }
    /// Whether the kernel has accepted everything queued.
    public var isFlushed: Bool { queuedBytes == 0 }
    /// Total bytes that the kernel has accepted.
    @safe @exclusivity(unchecked) public private(set) var bytesSent: UInt64 = 0
    /// Total bytes received from the peer.
    @safe @exclusivity(unchecked) public private(set) var bytesRead: UInt64 = 0
    /// Total descriptors received from the peer.
    @safe @exclusivity(unchecked) public private(set) var descriptorsRead: UInt64 = 0
    /// Total bytes ever queued, including those still waiting.
    public var bytesWritten: UInt64 { bytesSent + UInt64(queuedBytes) }
    /// How much the kernel holds that the peer has not read; 0 when it has read everything. Includes the kernel's
    /// overhead, so it is not an exact number of bytes.
    public var unreadBytes: Int { UnixSocket.unreadBytes(socket.rawValue) ?? 0 }
    /// Whether the limit of queued descriptors is reached; each one occupies a slot of the server's until it is sent.
    public var isFullOfDescriptors: Bool { (output?.descriptors.count ?? 0) >= limits.descriptorsQueued }
    /// Bytes waiting in either direction.
    public var waitingBytes: Int { leftover.count + queuedBytes }
    /// Descriptors in transit in either direction.
    public var descriptorCount: Int { descriptors.count + (output?.descriptors.count ?? 0) }
    /// Whether the peer reads too slowly to be served further requests.
    public var isCongested: Bool { queuedBytes > limits.outputHighWater && !hasHungUp }

    /// The buffer to encode a message into.
    @inline(__always)
    public func queue() -> OutputBuffer {
        if let output { return output }
        return startOutput()
    }

    private func startOutput() -> OutputBuffer {
        let buffer = pool.take()
        output = buffer
        onQueue?()
        return buffer
    }

    /// Sends what is queued, as far as the socket accepts it. Throws `closed` once when the peer has hung up; what it
    /// sent before can still be read.
    /// - Returns: true when the queue is empty.
    public func flush() throws(ConnectionError) -> Bool {
        guard let output else { return true }
        while output.pendingBytes > 0, !hasHungUp {
            let count = min(output.descriptors.count, UnixSocket.maximumDescriptors)
            // More descriptors than fit into one message: send the excess first, with a few bytes each.
            let last = output.descriptors.count <= count
            let sent = unsafe output.withPending { bytes in
                unsafe withDescriptors(output.descriptors.prefix(count)) { descriptors in
                    let part = unsafe last ? bytes : UnsafeRawBufferPointer(rebasing: bytes.prefix(4))
                    return unsafe UnixSocket.send(part, with: descriptors, to: socket.rawValue)
                }
            }
            guard sent >= 0 else {
                if errno == EAGAIN || errno == EWOULDBLOCK {
                    if output.pendingBytes > limits.outputMaximum { throw .limit("outputMaximum") }
                    return false
                }
                guard errno == EPIPE || errno == ECONNRESET else { throw .system(errno) }
                hasHungUp = true
                throw .closed
            }
            if count > 0 { output.descriptors.removeFirst(count) }
            output.didSend(sent)
            bytesSent &+= UInt64(sent)
        }
        pool.give(back: output)
        self.output = nil
        return true
    }

    private func withDescriptors(
        _ descriptors: ArraySlice<OwnedDescriptor>, _ body: (UnsafeBufferPointer<Int32>) -> Int
    ) -> Int {
        guard !descriptors.isEmpty else { return unsafe body(UnsafeBufferPointer(start: nil, count: 0)) }
        return unsafe descriptors.map(\.rawValue).withUnsafeBufferPointer(body)
    }

    // MARK: Input

    /// Reads once and hands whole messages to `handle`, until it returns false. When the peer does not read our
    /// answers, the rest is held back: call `resume` once the socket has accepted the output.
    public func receive<E: Error>(
        into input: InputBuffer, _ handle: (ObjectID, UInt16, inout MessageReader) throws(E) -> Bool
    ) throws(ReceiveError<E>) {
        let start = leftover.count
        guard start <= InputBuffer.capacity - InputBuffer.size else { return }
        restoreLeftover(into: input)
        let room = unsafe UnsafeMutableRawBufferPointer(
            start: UnsafeMutableRawPointer(input.words) + start, count: InputBuffer.size)
        let received = unsafe UnixSocket.receive(from: socket.rawValue, into: room, descriptors: input.scratch)
        let got = received.bytes
        descriptorsRead &+= UInt64(received.descriptors)
        for index in 0..<received.descriptors {
            unsafe descriptors.append(OwnedDescriptor(input.scratch[index], closer: closer))
        }
        guard got > 0 else {
            keepLeftover(input, from: 0, to: start)
            if got == 0 { throw .connection(.closed) }
            if errno == EAGAIN || errno == EWOULDBLOCK {
                if hasHungUp { throw .connection(.closed) }
                return
            }
            throw .connection(errno == ECONNRESET ? .closed : .system(errno))
        }
        bytesRead &+= UInt64(got)
        // Excess descriptors were received too, so that the closer closes them, not the kernel on this thread.
        guard !received.isTruncated, received.descriptors <= UnixSocket.maximumDescriptors else {
            throw .connection(.limit("descriptors in one message"))
        }
        guard descriptors.count <= limits.descriptorsInFlight else {
            throw .connection(.limit("descriptorsInFlight"))
        }
        try parse(input, end: start + got, handle)
    }

    /// Discards queued output, once the socket is closed.
    func discardOutput() { output = nil }

    /// Shuts down the socket for the peer too, even if other processes hold it; the peer can still read what was sent.
    public func shutDown() {
        shutdown(socket.rawValue, Int32(SHUT_RDWR))
        // No more input will arrive. Descriptors received but not read are closed with the socket.
        if UnixSocket.unreceivedBytes(socket.rawValue) == 0 { socket.closer = nil }
    }

    /// Continues with requests that were held back.
    public func resume<E: Error>(
        with input: InputBuffer, _ handle: (ObjectID, UInt16, inout MessageReader) throws(E) -> Bool
    ) throws(ReceiveError<E>) {
        let end = leftover.count
        restoreLeftover(into: input)
        try parse(input, end: end, handle)
    }

    private func parse<E: Error>(
        _ input: InputBuffer, end: Int, _ handle: (ObjectID, UInt16, inout MessageReader) throws(E) -> Bool
    ) throws(ReceiveError<E>) {
        var position = 0
        var reader = unsafe MessageReader(words: UnsafeBufferPointer(start: nil, count: 0), descriptors: descriptors)
        hasHeldBack = false
        while end - position >= 8 {
            let words = unsafe input.words + position / 4
            let size = unsafe Int(words[1] >> 16)
            guard size >= 8, size % 4 == 0 else { throw .connection(.malformed) }
            guard end - position >= size else { break }
            if let output, output.pendingBytes > limits.outputHighWater {
                do throws(ConnectionError) {
                    _ = try flush()
                } catch {
                    guard hasHungUp else { throw .connection(error) }
                }
                if isCongested {
                    hasHeldBack = true
                    break
                }
            }
            unsafe reader.begin(UnsafeBufferPointer(start: words + 2, count: size / 4 - 2))
            position += size
            do throws(E) {
                guard try unsafe handle(ObjectID(words[0]), UInt16(truncatingIfNeeded: words[1]), &reader) else {
                    hasHeldBack = end > position
                    break
                }
            } catch {
                throw .handler(error)
            }
        }
        keepLeftover(input, from: position, to: end)
    }

    private func restoreLeftover(into input: InputBuffer) {
        guard !leftover.isEmpty else { return }
        unsafe leftover.withUnsafeBytes {
            unsafe UnsafeMutableRawBufferPointer(start: input.words, count: $0.count).copyMemory(from: $0)
        }
        leftover.removeAll(keepingCapacity: false)
    }

    private func keepLeftover(_ input: InputBuffer, from start: Int, to end: Int) {
        guard end > start else { return }
        leftover = unsafe Array(
            UnsafeRawBufferPointer(start: UnsafeRawPointer(input.words) + start, count: end - start))
    }
}

/// The cause of a failed `receive`: the connection itself, or the handler of a message.
public enum ReceiveError<Handler: Error>: Error {
    case connection(ConnectionError)
    case handler(Handler)
}

/// Unused output buffers, shared by the connections of a process.
public final class OutputPool {
    @safe @exclusivity(unchecked) private var free: [OutputBuffer] = []

    public init() {}

    func take() -> OutputBuffer { free.popLast() ?? OutputBuffer() }

    func give(back buffer: OutputBuffer) {
        guard free.count < 16 else { return }
        buffer.reset()
        free.append(buffer)
    }
}
