// The client's side: proxies for server objects, with blocking or polled dispatch.

import Glibc
import MullionSystem

/// A protocol object on the client's side.
public final class Proxy<Interface: WaylandInterface>: AnyProxy {
    /// Called for every event, on the thread that dispatches the connection.
    public var onEvent: ((Interface.Event) -> Void)?

    public init(_ connection: ClientConnection, version: UInt32) {
        super.init(connection, version: version, descriptions: Interface.Event.descriptions)
    }

    /// Takes over an object that the server created and named in an event.
    public init(_ connection: ClientConnection, id: ObjectID, version: UInt32) {
        super.init(connection, id: id, version: version, descriptions: Interface.Event.descriptions)
    }

    /// Queues a request. After a destructor the proxy is dead and later requests are dropped.
    public func send(_ request: Interface.Request) {
        guard isAlive else { return }
        let out = connection.transport.queue()
        let start = out.wordCount
        request.encode(to: out, object: id)
        let opcode = Int(out.word(at: start + 1) & 0xffff)
        if Interface.Request.descriptions[opcode].isDestructor { markDead() }
    }

    override func dispatch(_ opcode: UInt16, _ reader: inout MessageReader) throws(WireError) {
        let event = try Interface.Event(opcode: opcode, version: version, from: &reader)
        onEvent?(event)
    }
}

/// The base class of all proxies.
open class AnyProxy {
    public final private(set) var id: ObjectID
    public final let version: UInt32
    /// False after a destructor was sent; events that still arrive are dropped, with their descriptors.
    public final private(set) var isAlive = true
    public final let connection: ClientConnection
    let descriptions: [MessageDescription]

    init(_ connection: ClientConnection, version: UInt32, descriptions: [MessageDescription]) {
        self.connection = connection
        self.version = version
        self.descriptions = descriptions
        id = .display
        id = connection.allocate(self)
    }

    init(_ connection: ClientConnection, id: ObjectID, version: UInt32, descriptions: [MessageDescription]) {
        self.connection = connection
        self.version = version
        self.descriptions = descriptions
        self.id = id
        connection.adopt(self)
    }

    func dispatch(_ opcode: UInt16, _ reader: inout MessageReader) throws(WireError) {}

    /// Releases the object: a destructor was sent, or the server has destroyed it. The server confirms the client's ids
    /// with delete_id; ids of its own range are free immediately.
    public final func markDead() {
        isAlive = false
        if id.isServers { connection.forget(id) }
    }

    /// Called when the connection has ended: sends nothing.
    final func disconnect() { isAlive = false }
}

/// Why a client's connection failed.
public enum ClientError: Error, CustomStringConvertible {
    case cannotConnect(path: String, errno: Int32)
    case noRuntimeDirectory
    case connection(ConnectionError)
    /// The server reported a protocol error: the object, the code of its interface, and the server's message.
    case protocolError(object: ObjectID, code: UInt32, message: String)
    case malformedEvent(WireError)

    public var description: String {
        switch self {
        case .cannotConnect(let path, let number):
            "cannot connect to \(path): \(SystemError(number))"
        case .noRuntimeDirectory: "XDG_RUNTIME_DIR is not set, and WAYLAND_DISPLAY is not an absolute path"
        case .connection(.closed): "the server closed the connection"
        case .connection(let error): "the connection failed: \(error)"
        case .protocolError(let object, let code, let message): "protocol error \(code) on object \(object): \(message)"
        case .malformedEvent(let error): "the server sent a malformed event: \(error)"
        }
    }
}

/// A connection to a Wayland server.
public final class ClientConnection {
    public let transport: Connection
    private var table = ObjectTable<AnyProxy>()
    private let input = InputBuffer()
    private var serverError: ClientError?
    private var isDispatching = false
    /// Nil until first used, and after `disconnect`: it retains the connection.
    private var keptDisplay: Proxy<WlDisplay>?
    private var isDisconnected = false
    /// wl_display; dead after `disconnect`.
    public var display: Proxy<WlDisplay> {
        if let keptDisplay { return keptDisplay }
        let display = Proxy<WlDisplay>(self, version: 1)
        if isDisconnected {
            while let proxy = table.popLast() { proxy.disconnect() }
        } else {
            keptDisplay = display
        }
        return display
    }

    /// Takes over a connected socket.
    public init(socket: OwnedDescriptor, limits: Limits = Limits()) {
        socket.makeNonBlocking()
        transport = Connection(socket: socket, limits: limits)
        display.onEvent = { [unowned self] event in
            switch event {
            case .error(let object, let code, let message):
                serverError = .protocolError(object: object, code: code, message: message)
            case .deleteId(let id):
                table.remove(ObjectID(id), reuse: true)
            }
        }
    }

    /// Connects to `name` (default: WAYLAND_DISPLAY, else wayland-0) in XDG_RUNTIME_DIR, or to an absolute path.
    public convenience init(connectingTo name: String? = nil) throws(ClientError) {
        let name = unsafe name ?? getenv("WAYLAND_DISPLAY").map { unsafe String(cString: $0) } ?? "wayland-0"
        var path = name
        if !name.hasPrefix("/") {
            guard let directory = unsafe getenv("XDG_RUNTIME_DIR") else { throw .noRuntimeDirectory }
            path = unsafe String(cString: directory) + "/" + name
        }
        let socket: OwnedDescriptor
        do throws(SystemError) {
            socket = try UnixSocket.connect(to: path)
        } catch {
            throw .cannotConnect(path: path, errno: error.code)
        }
        // The server is trusted: flush() waits for it, and its events are handled whatever waits to be sent.
        var limits = Limits()
        limits.outputMaximum = .max
        limits.outputHighWater = .max
        self.init(socket: socket, limits: limits)
    }

    fileprivate func allocate(_ proxy: AnyProxy) -> ObjectID { table.allocateClientID(for: proxy) }
    fileprivate func adopt(_ proxy: AnyProxy) { _ = table.insertServers(proxy, at: proxy.id) }
    fileprivate func forget(_ id: ObjectID) { table.remove(id) }

    /// The file descriptor to poll for reading.
    public var descriptor: Int32 { transport.socket.rawValue }

    /// Sends what is queued; blocks while the socket is full. Meanwhile it handles events: a server whose events nobody
    /// reads stops reading, too.
    public func flush() throws(ClientError) {
        while try !sendAvailable() {
            wait(for: isDispatching ? POLLOUT : POLLOUT | POLLIN, timeout: -1)
            if !isDispatching, wait(for: POLLIN, timeout: 0) { try dispatchAvailable() }
        }
    }

    /// Sends what is queued as far as the socket accepts it.
    /// - Returns: true when the queue is empty.
    private func sendAvailable() throws(ClientError) -> Bool {
        do throws(ConnectionError) {
            return try transport.flush()
        } catch {
            // The server sends the reason before it disconnects, which is more useful than "closed".
            if error == .closed, !isDispatching { readToEnd() }
            throw serverError ?? .connection(error)
        }
    }

    /// Ends the connection and drops every object; otherwise objects and connection retain each other.
    public func disconnect() {
        while let proxy = table.popLast() { proxy.disconnect() }
        isDisconnected = true
        keptDisplay = nil
        let descriptor = transport.socket.release()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Handles the remaining input from a server that is gone; bounded, in case it is not gone after all.
    private func readToEnd() {
        for _ in 0..<256 where wait(for: POLLIN, timeout: 0) {
            do throws(ClientError) { _ = try dispatchAvailable() } catch { return }
        }
    }

    /// Reads available input without blocking, and calls the handlers. Must not be called from a handler: it would
    /// overwrite bytes that are still being read.
    /// - Returns: whether anything was read.
    @discardableResult
    public func dispatchAvailable() throws(ClientError) -> Bool {
        precondition(!isDispatching, "a handler dispatched the connection that called it")
        isDispatching = true
        defer { isDispatching = false }
        var count = 0
        do throws(ReceiveError<ClientError>) {
            try transport.receive(into: input) { (id, opcode, reader) throws(ClientError) in
                count += 1
                try self.dispatch(id, opcode, &reader)
                return true
            }
        } catch {
            switch error {
            case .handler(let error): throw error
            case .connection(let error): throw serverError ?? .connection(error)
            }
        }
        return count > 0
    }

    private func dispatch(_ id: ObjectID, _ opcode: UInt16, _ reader: inout MessageReader) throws(ClientError) {
        guard let proxy = table[id] else { return }
        do throws(WireError) {
            if proxy.isAlive {
                try proxy.dispatch(opcode, &reader)
            } else {
                guard Int(opcode) < proxy.descriptions.count else { throw .invalidOpcode }
                for _ in 0..<proxy.descriptions[Int(opcode)].descriptorCount { _ = try reader.descriptor() }
            }
        } catch {
            throw .malformedEvent(error)
        }
        // Throw now: end-of-file can come later, when a forked process holds a copy of the socket.
        if let serverError { throw serverError }
    }

    /// Flushes, then waits at most `timeout` milliseconds (-1: indefinitely) for events and handles them.
    /// - Returns: false when none arrived in time.
    @discardableResult
    public func dispatch(timeout: Int32 = -1) throws(ClientError) -> Bool {
        try flush()
        guard wait(for: POLLIN, timeout: timeout) else { return false }
        try dispatchAvailable()
        if let serverError { throw serverError }
        return true
    }

    /// Waits until the server has handled every request sent so far.
    public func roundTrip() throws(ClientError) {
        var done = false
        let callback = Proxy<WlCallback>(self, version: 1)
        callback.onEvent = { _ in done = true }
        display.send(.sync(callback: callback.id))
        while !done { try dispatch() }
    }

    @discardableResult
    private func wait(for events: Int32, timeout: Int32) -> Bool {
        DescriptorIO.wait(for: events, on: descriptor, milliseconds: timeout)
    }
}
