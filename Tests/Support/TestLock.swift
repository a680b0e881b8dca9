// ext_session_lock_v1 as a client sees it.

import MullionWayland

/// A lock, with what its client received.
public final class TestLock {
    public let lock: Proxy<ExtSessionLockV1>
    /// "locked", "finished".
    public private(set) var events: [String] = []
    private let client: TestClient

    public init(_ client: TestClient) throws {
        self.client = client
        let manager = try client.bind(ExtSessionLockManagerV1.self)
        lock = Proxy(client.connection, version: manager.version)
        manager.send(.lock(id: lock.id))
        manager.send(.destroy)
        lock.onEvent = { [weak self] event in
            switch event {
            case .locked: self?.events.append("locked")
            case .finished: self?.events.append("finished")
            }
        }
    }

    public func surface(on output: Proxy<WlOutput>, known: Proxy<WlSurface>? = nil) -> TestLockSurface {
        TestLockSurface(client, self, on: output, surface: known ?? client.surface())
    }

    public func unlock() { lock.send(.unlockAndDestroy) }
}

/// A surface of a lock.
public final class TestLockSurface {
    public let surface: Proxy<WlSurface>
    public let object: Proxy<ExtSessionLockSurfaceV1>
    /// The sizes of the configures.
    public private(set) var configures: [String] = []
    public private(set) var serials: [UInt32] = []
    private let client: TestClient
    private var size: (width: Int32, height: Int32) = (0, 0)

    init(_ client: TestClient, _ lock: TestLock, on output: Proxy<WlOutput>, surface: Proxy<WlSurface>) {
        self.client = client
        self.surface = surface
        object = Proxy(client.connection, version: 1)
        lock.lock.send(.getLockSurface(id: object.id, surface: surface.id, output: output.id))
        object.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .configure(let serial, let width, let height):
                configures.append("\(width)x\(height)")
                serials.append(serial)
                size = (Int32(clamping: width), Int32(clamping: height))
            }
        }
    }

    public func acknowledge() {
        if let serial = serials.last { object.send(.ackConfigure(serial: serial)) }
    }

    /// Shows content of one colour, of the requested size or another.
    public func draw(_ argb: UInt32 = 0xff00ff00, width: Int32? = nil) throws {
        try client.attach(argb, width: width ?? size.width, height: size.height, to: surface)
        surface.send(.commit)
    }

    /// Answers the configure, and shows content of one colour.
    @discardableResult
    public func map(_ fixture: ServerFixture, _ argb: UInt32 = 0xff00ff00) throws -> TestLockSurface {
        try fixture.pump()
        acknowledge()
        try draw(argb)
        try fixture.pump()
        return self
    }
}
