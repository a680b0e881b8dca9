// A connection to an X server that never waits.

import Glibc
import MullionSystem

/// Queues requests, and hands out events and replies as they arrive. Nothing blocks: a program that grabs the X server
/// delays what depends on the X server, and nothing else.
///
/// Every request may fail, because any window may be destroyed at any time: errors are dropped, and a request with a reply
/// then has none.
public final class XConnection {
    /// A reply: all its bytes.
    typealias Handler = (XReader?) -> Void

    /// The bytes of waiting requests above which the X server counts as dead.
    static let outputMaximum = 16 << 20
    /// The most bytes of one message of the X server.
    private static let messageMaximum = 16 << 20
    /// How much is read at once.
    private static let readSize = 1 << 16

    public let socket: OwnedDescriptor
    /// What the X server says about itself; nil until it has answered.
    public private(set) var setup: XSetup?
    /// Called once `setup` is known.
    public var onSetup: ((XSetup) -> Void)?
    public var onEvent: ((XEvent) -> Void)?
    /// The number of the first event of XFIXES.
    var xfixesEvent: UInt8?
    /// The major opcodes of extensions.
    var opcodes: [XExtension: UInt8] = [:]

    private var output = XWriter()
    private var input: [UInt8] = []
    private var scratch = [UInt8](repeating: 0, count: readSize)
    /// The number of the last request, modulo 65,536.
    private(set) var sequence: UInt16 = 0
    private var waiting: [(sequence: UInt16, handler: Handler)] = []
    private var firstWaiting = 0
    private var resources: UInt32 = 0

    /// Takes over a connected socket and begins the connection.
    public init(socket: OwnedDescriptor) {
        self.socket = socket
        socket.makeNonBlocking()
        output.put(XSetup.request)
    }

    /// Whether requests wait to be sent.
    public var hasOutput: Bool { !output.bytes.isEmpty }
    /// The bytes of requests that wait to be sent.
    public var queuedBytes: Int { output.bytes.count }
    /// The number of replies that are expected.
    public var waitingReplies: Int { waiting.count - firstWaiting }

    /// A new resource id; the ids of one connection are enough for two million.
    func newResource() -> XWindowID {
        guard let setup else { return .none }
        defer { resources &+= 1 }
        return XWindowID(rawValue: setup.resourceBase | (resources & setup.resourceMask))
    }

    // MARK: Output

    /// Queues a request.
    func send(_ opcode: UInt8, _ data: UInt8 = 0, _ fill: (inout XWriter) -> Void = { _ in }) {
        output.begin(opcode, data)
        fill(&output)
        output.end()
        sequence &+= 1
    }

    /// Queues a request with a reply. The handler is called once: with nil when the request failed.
    func ask(
        _ opcode: UInt8, _ data: UInt8 = 0, _ fill: (inout XWriter) -> Void = { _ in }, handler: @escaping Handler
    ) {
        send(opcode, data, fill)
        waiting.append((sequence, handler))
    }

    /// Sends what is queued, as far as the socket accepts it.
    /// - Returns: whether everything was sent.
    @discardableResult
    public func flush() throws(XError) -> Bool {
        while hasOutput {
            let sent = unsafe output.bytes.withUnsafeBytes { bytes in
                unsafe UnixSocket.send(bytes, with: UnsafeBufferPointer(start: nil, count: 0), to: socket.rawValue)
            }
            guard sent >= 0 else {
                switch errno {
                case EAGAIN:
                    guard output.bytes.count <= Self.outputMaximum else { throw .congested }
                    return false
                case EINTR: continue
                case EPIPE, ECONNRESET: throw .closed
                default: throw .system(errno)
                }
            }
            output.removeFirst(sent)
        }
        return true
    }

    // MARK: Input

    /// Reads once, and hands out what has arrived.
    public func receive() throws(XError) {
        let count = unsafe scratch.withUnsafeMutableBytes { buffer in
            retryingWhenInterrupted { unsafe read(socket.rawValue, buffer.baseAddress, buffer.count) }
        }
        guard count > 0 else {
            if count == 0 || errno == ECONNRESET { throw .closed }
            if errno == EAGAIN { return }
            throw .system(errno)
        }
        input.append(contentsOf: scratch[..<count])
        try parse()
    }

    private func parse() throws(XError) {
        var position = 0
        defer { input.removeFirst(min(position, input.count)) }
        if setup == nil {
            guard let length = XSetup.length(input), input.count >= length else { return }
            let setup = try XSetup(Array(input[..<length]))
            self.setup = setup
            position = length
            onSetup?(setup)
        }
        while input.count - position >= 32 {
            let head = XReader(input[position...])
            let kind = head.byte(0) & 0x7f
            var length = 32
            // Replies and generic events may be longer.
            if kind == 1 || kind == 35 {
                let more = Int(head.long(4))
                guard more <= Self.messageMaximum / 4 else { throw .malformed }
                length += 4 * more
            }
            guard input.count - position >= length else { return }
            let message = input[position..<position + length]
            position += length
            handle(message, kind)
        }
    }

    private func handle(_ message: ArraySlice<UInt8>, _ kind: UInt8) {
        let reader = XReader(message)
        switch kind {
        case 0: answer(reader.word(2), nil)
        case 1: answer(reader.word(2), reader)
        default:
            guard let event = XEvent(message, xfixes: xfixesEvent) else { return }
            onEvent?(event)
        }
    }

    /// Answers arrive in the order of the requests.
    private func answer(_ sequence: UInt16, _ reply: XReader?) {
        guard firstWaiting < waiting.count, waiting[firstWaiting].sequence == sequence else { return }
        let handler = waiting[firstWaiting].handler
        firstWaiting += 1
        if firstWaiting >= 64, firstWaiting * 2 >= waiting.count {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
        handler(reply)
    }
}

/// Extensions of X servers that the window manager uses.
public enum XExtension: String, Sendable {
    case composite = "Composite"
    case xfixes = "XFIXES"
    case resources = "X-Resource"
    case xinerama = "XINERAMA"

    /// Those without which it does not work.
    public static let required = [composite, xfixes]
}
