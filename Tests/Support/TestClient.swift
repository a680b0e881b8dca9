// A client on the bare bindings: only the test decides what it requests.

import CMullionLinux
import Glibc
import MullionSystem
import MullionWayland

/// Knows the globals, makes buffers and windows, and records its events.
public final class TestClient {
    public let connection: ClientConnection
    public let name: String
    public private(set) var isOpen = true
    /// What ended the connection.
    public private(set) var error: ClientError?
    /// The received events, in order: "w1.didBecomeKey" and the like.
    public var events: [String] = []
    /// W3: the names of the windows that came to the front, in order.
    public var raised: [String] = []
    public private(set) var globals: [(name: UInt32, interface: String, version: UInt32)] = []
    public private(set) var removedGlobals: [UInt32] = []
    public let registry: Proxy<WlRegistry>
    public let compositor: Proxy<WlCompositor>
    public let subcompositor: Proxy<WlSubcompositor>
    public let shm: Proxy<WlShm>
    public let wmBase: Proxy<XdgWmBase>
    public let application: Proxy<MullionApplicationV1>
    /// In the order in which they were announced.
    public private(set) var screens: [TestScreen] = []
    /// S2: the names of the screens that were main, one after the other; nil for none.
    public private(set) var mainScreens: [String?] = []
    private unowned let fixture: ServerFixture

    init(_ connection: ClientConnection, name: String, fixture: ServerFixture) throws {
        self.connection = connection
        self.name = name
        self.fixture = fixture
        registry = Proxy(connection, version: 1)
        connection.display.send(.getRegistry(registry: registry.id))
        var found: [(name: UInt32, interface: String, version: UInt32)] = []
        registry.onEvent = {
            if case .global(let name, let interface, let version) = $0 { found.append((name, interface, version)) }
        }
        try connection.flush()
        for _ in 0..<3 {
            while try fixture.loop.runOnce(nonblocking: true) {}
            _ = try? connection.dispatchAvailable()
        }
        let registry = registry
        func bind<I: WaylandInterface>(_ interface: I.Type) throws -> Proxy<I> {
            guard let global = found.first(where: { $0.interface == I.name }) else {
                throw FixtureError("the server has no \(I.name)")
            }
            let proxy = Proxy<I>(connection, version: I.version)
            registry.send(.bind(name: global.name, id: AnyNewID(interface: I.name, version: I.version, id: proxy.id)))
            return proxy
        }
        compositor = try bind(WlCompositor.self)
        subcompositor = try bind(WlSubcompositor.self)
        shm = try bind(WlShm.self)
        wmBase = try bind(XdgWmBase.self)
        application = try bind(MullionApplicationV1.self)
        globals = found
        registry.onEvent = { [unowned self] event in
            switch event {
            case .global(let name, let interface, let version): globals.append((name, interface, version))
            case .globalRemove(let name): removedGlobals.append(name)
            }
        }
        application.onEvent = { [unowned self] event in
            switch event {
            case .screen(let id, let announced):
                let proxy = Proxy<MullionScreenV1>(connection, id: id, version: 1)
                screens.append(TestScreen(proxy, wasAnnounced: announced == 1, client: self))
                if announced == 1 { events.append("didConnect") }
            case .mainScreen(let id): mainScreens.append(screens.first { $0.proxy.id == id }?.name)
            case .ping(let serial): onPing(serial)
            }
        }
        wmBase.onEvent = { [unowned self] event in
            if case .ping(let serial) = event { wmBase.send(.pong(serial: serial)) }
        }
    }

    /// Answers a ping of the server.
    public lazy var onPing: (UInt32) -> Void = { [unowned self] in application.send(.pong(serial: $0)) }

    // MARK: Running

    /// Receives what is about to be sent: words, and the number of descriptors with them as in `WireSession.Portion`.
    public var onFlush: (([UInt32], Int) -> Void)?

    public func flush() throws {
        if let onFlush, connection.transport.queuedBytes > 0 {
            let out = connection.transport.queue()
            let areSockets = out.descriptors.contains { DescriptorKind($0) == .socket }
            onFlush(out.contents, out.descriptors.count | (areSockets ? WireSession.Portion.sockets : 0))
        }
        do { try connection.flush() } catch { end(error) }
    }

    /// Handles received events; returns whether there were any.
    public func dispatch() -> Bool {
        do {
            return try connection.dispatchAvailable()
        } catch {
            end(error)
            return true
        }
    }

    private func end(_ error: ClientError) {
        isOpen = false
        self.error = error
    }

    /// Breaks the connection, as a killed process would.
    public func kill() throws {
        isOpen = false
        shutdown(connection.descriptor, Int32(SHUT_RDWR))
        try fixture.pump()
    }

    /// The code and the message of the protocol error that ended the connection.
    public var protocolError: (code: UInt32, message: String)? {
        if case .protocolError(_, let code, let message)? = error { (code, message) } else { nil }
    }

    /// Takes the events since the last call.
    public func takeEvents() -> [String] {
        defer { events = [] }
        return events
    }

    // MARK: Objects

    public func bind<I: WaylandInterface>(_ interface: I.Type, version: UInt32 = I.version, name: UInt32? = nil) throws
        -> Proxy<I>
    {
        guard let name = name ?? globals.first(where: { $0.interface == I.name })?.name else {
            throw FixtureError("the server has no \(I.name)")
        }
        let proxy = Proxy<I>(connection, version: version)
        registry.send(.bind(name: name, id: AnyNewID(interface: I.name, version: version, id: proxy.id)))
        return proxy
    }

    /// A seat of the server, the first one being 0.
    public func seat(_ index: Int = 0, version: UInt32 = WlSeat.version) throws -> Proxy<WlSeat> {
        let names = globals.filter { $0.interface == WlSeat.name }.map(\.name)
        guard names.indices.contains(index) else { throw FixtureError("the server has no seat \(index)") }
        return try bind(WlSeat.self, version: version, name: names[index])
    }

    public func surface() -> Proxy<WlSurface> {
        let surface = Proxy<WlSurface>(connection, version: compositor.version)
        compositor.send(.createSurface(id: surface.id))
        return surface
    }

    public func region(_ rectangles: [(x: Int32, y: Int32, width: Int32, height: Int32)]) -> Proxy<WlRegion> {
        let region = Proxy<WlRegion>(connection, version: 1)
        compositor.send(.createRegion(id: region.id))
        for r in rectangles { region.send(.add(x: r.x, y: r.y, width: r.width, height: r.height)) }
        return region
    }

    /// Shared memory of this many bytes, all the same 32-bit word.
    public func memoryFile(words: Int, filledWith word: UInt32) throws -> OwnedDescriptor {
        let descriptor = OwnedDescriptor(linux_memfd_create("mullion-test", MFD_CLOEXEC))
        guard descriptor.rawValue >= 0, ftruncate(descriptor.rawValue, words * 4) == 0 else {
            throw FixtureError("memfd: \(errorText())")
        }
        let pixels = [UInt32](repeating: word, count: words)
        let written = pixels.withUnsafeBytes { pwrite(descriptor.rawValue, $0.baseAddress, $0.count, 0) }
        guard written == words * 4 else { throw FixtureError("memfd: short write") }
        return descriptor
    }

    /// A buffer of one colour, 0xAARRGGBB.
    public func buffer(
        _ argb: UInt32, width: Int32, height: Int32, format: WlShm.Format = .argb8888
    ) throws -> Proxy<WlBuffer> {
        let memory = try memoryFile(words: Int(width * height), filledWith: argb)
        let pool = Proxy<WlShmPool>(connection, version: 1)
        shm.send(.createPool(id: pool.id, fd: memory, size: width * height * 4))
        let buffer = Proxy<WlBuffer>(connection, version: 1)
        pool.send(
            .createBuffer(id: buffer.id, offset: 0, width: width, height: height, stride: width * 4, format: format))
        pool.send(.destroy)
        return buffer
    }

    /// Gives a surface content of one colour; the caller commits.
    @discardableResult
    public func attach(_ argb: UInt32, width: Int32, height: Int32, to surface: Proxy<WlSurface>) throws -> Proxy<
        WlBuffer
    > {
        let buffer = try buffer(argb, width: width, height: height)
        surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        surface.send(.damageBuffer(x: 0, y: 0, width: width, height: height))
        return buffer
    }

    /// A window of the extension, hidden as all new ones.
    public func window(_ name: String, on screen: TestScreen? = nil) -> TestWindow {
        TestWindow(self, name: name, screen: screen)
    }

    /// A plain toplevel, not committed yet.
    public func toplevel(_ name: String) -> TestToplevel { TestToplevel(self, name: name) }
}
