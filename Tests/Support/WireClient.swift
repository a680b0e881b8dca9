// A client of a server in another process, which does its own waiting.

import CTestSupport
import Glibc
import MullionSystem
import MullionWayland

/// Speaks to a server on the bare bindings. Every wait ends after `patience` with an error that says so.
public final class WireClient {
    public let connection: ClientConnection
    public let registry: Proxy<WlRegistry>
    public private(set) var globals: [(name: UInt32, interface: String, version: UInt32)] = []
    /// How long a response may take, in seconds.
    public var patience = 60.0

    public convenience init(_ server: ServerProcess) throws { try self.init(path: server.folder + "/socket") }

    /// - Parameter user: the user to connect as, if it is another one; needs root.
    public init(path: String, as user: uid_t? = nil) throws {
        if let user {
            let descriptor = test_connect_as(path, user, user)
            guard descriptor >= 0 else { throw FixtureError("\(path) as \(user): \(errorText())") }
            connection = ClientConnection(socket: OwnedDescriptor(descriptor))
        } else {
            connection = try ClientConnection(connectingTo: path)
        }
        registry = Proxy(connection, version: 1)
        registry.onEvent = { [unowned self] event in
            switch event {
            case .global(let name, let interface, let version): globals.append((name, interface, version))
            case .globalRemove(let name): globals.removeAll { $0.name == name }
            }
        }
        connection.display.send(.getRegistry(registry: registry.id))
        try roundTrip()
    }

    deinit { connection.disconnect() }

    /// Binds the first global of an interface.
    public func bind<I: WaylandInterface>(_ interface: I.Type, version: UInt32 = I.version) throws -> Proxy<I> {
        guard let global = globals.first(where: { $0.interface == I.name }) else {
            throw FixtureError("the server has no \(I.name)")
        }
        let proxy = Proxy<I>(connection, version: version)
        registry.send(.bind(name: global.name, id: AnyNewID(interface: I.name, version: version, id: proxy.id)))
        return proxy
    }

    public private(set) lazy var compositor = Result { try bind(WlCompositor.self) }
    public private(set) lazy var shm = Result { try bind(WlShm.self) }
    public private(set) lazy var wmBase = Result { try bind(XdgWmBase.self, version: 1) }

    // MARK: Waiting

    /// Waits until the server has answered all requests.
    /// - Returns: how long that took, in seconds.
    @discardableResult
    public func roundTrip() throws -> Double {
        var isDone = false
        let callback = Proxy<WlCallback>(connection, version: 1)
        callback.onEvent = { _ in isDone = true }
        connection.display.send(.sync(callback: callback.id))
        let start = Self.now
        try wait(for: "an answer to wl_display.sync") { isDone }
        return Self.now - start
    }

    /// Sends what is queued and reads events until the condition holds.
    public func wait(for what: String, until condition: () throws -> Bool) throws {
        let deadline = Self.now + patience
        while try !condition() {
            let left = deadline - Self.now
            guard left > 0 else { throw FixtureError("timed out after \(patience) s waiting for \(what)") }
            // A client that is disconnected still reads why.
            let isAllSent = (try? connection.flush()) == nil || connection.transport.queuedBytes == 0
            let interest = isAllSent ? POLLIN : POLLIN | POLLOUT
            var descriptor = pollfd(fd: connection.descriptor, events: Int16(interest), revents: 0)
            _ = poll(&descriptor, 1, Int32(min(left, 1) * 1000) + 1)
            try connection.dispatchAvailable()
        }
    }

    /// Sends what is queued, as far as the socket takes it.
    public func flush() throws { try connection.flush() }

    /// The message of the error that ends the connection; waits for it.
    public func waitForEnd() throws -> String {
        do {
            try wait(for: "the end of the connection") { false }
        } catch let error as ClientError {
            return error.description
        }
        return ""
    }

    /// Seconds of the monotonic clock.
    public static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    // MARK: Objects

    public func surface() throws -> Proxy<WlSurface> {
        let compositor = try compositor.get()
        let surface = Proxy<WlSurface>(connection, version: compositor.version)
        compositor.send(.createSurface(id: surface.id))
        return surface
    }

    /// A pool on a file, which still belongs to the caller.
    public func pool(_ file: OwnedDescriptor, bytes: Int32) throws -> Proxy<WlShmPool> {
        guard let copy = file.duplicate() else { throw FixtureError("dup: \(errorText())") }
        // Bound first if necessary: ids are used in order.
        let shm = try shm.get()
        let pool = Proxy<WlShmPool>(connection, version: 1)
        shm.send(.createPool(id: pool.id, fd: copy, size: bytes))
        return pool
    }

    public func buffer(of pool: Proxy<WlShmPool>, width: Int32, height: Int32) -> Proxy<WlBuffer> {
        let buffer = Proxy<WlBuffer>(connection, version: 1)
        pool.send(
            .createBuffer(
                id: buffer.id, offset: 0, width: width, height: height, stride: width * 4, format: .argb8888))
        return buffer
    }

    /// A configured toplevel that shows `buffer`.
    public func toplevel(showing buffer: Proxy<WlBuffer>) throws -> WireToplevel {
        let surface = try surface()
        let wmBase = try wmBase.get()
        let xdg = Proxy<XdgSurface>(connection, version: 1)
        wmBase.send(.getXdgSurface(id: xdg.id, surface: surface.id))
        let toplevel = Proxy<XdgToplevel>(connection, version: 1)
        xdg.send(.getToplevel(id: toplevel.id))
        var configured: UInt32?
        xdg.onEvent = { if case .configure(let serial) = $0 { configured = serial } }
        surface.send(.commit)
        try wait(for: "a configure event") { configured != nil }
        xdg.send(.ackConfigure(serial: configured ?? 0))
        surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        surface.send(.damage(x: 0, y: 0, width: .max, height: .max))
        surface.send(.commit)
        return WireToplevel(surface: surface, xdg: xdg, toplevel: toplevel, buffer: buffer)
    }
}

/// The objects of a toplevel window.
public struct WireToplevel {
    public let surface: Proxy<WlSurface>
    public let xdg: Proxy<XdgSurface>
    public let toplevel: Proxy<XdgToplevel>
    public let buffer: Proxy<WlBuffer>
}
