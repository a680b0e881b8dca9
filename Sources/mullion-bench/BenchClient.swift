// A client on the generated bindings.

import Glibc
import MullionSystem
import MullionWayland

/// Creates windows and animates one of them.
final class BenchClient {
    /// The size of the default screen, in points and pixels.
    static let screen = (width: 1920, height: 1080)

    let connection: ClientConnection
    let compositor: Proxy<WlCompositor>
    let subcompositor: Proxy<WlSubcompositor>
    let application: Proxy<MullionApplicationV1>
    private let globals: Globals
    private let shm: Proxy<WlShm>
    private let seat: Proxy<WlSeat>
    /// The seat's devices; their events are ignored.
    let pointer: Proxy<WlPointer>
    let touch: Proxy<WlTouch>
    private let virtualPointers: Proxy<ZwlrVirtualPointerManagerV1>

    convenience init(_ server: PrivateServer) throws { try self.init(server.socket) }

    /// - Parameter socket: the path of the server's socket.
    init(_ socket: String) throws {
        let connection = try ClientConnection(connectingTo: socket)
        self.connection = connection
        let globals = try Globals(connection)
        self.globals = globals
        compositor = try globals.bind(WlCompositor.self)
        subcompositor = try globals.bind(WlSubcompositor.self)
        shm = try globals.bind(WlShm.self)
        application = try globals.bind(MullionApplicationV1.self)
        // Other globals that a program usually binds, and which cost the server something.
        seat = try globals.bind(WlSeat.self)
        seat.send(.getKeyboard(id: Proxy<WlKeyboard>(connection, version: seat.version).id))
        pointer = Proxy(connection, version: seat.version)
        seat.send(.getPointer(id: pointer.id))
        touch = Proxy(connection, version: seat.version)
        seat.send(.getTouch(id: touch.id))
        virtualPointers = try globals.bind(ZwlrVirtualPointerManagerV1.self)
        _ = try globals.bind(WlOutput.self)
        _ = try globals.bind(XdgWmBase.self)
        application.onEvent = { [unowned application] event in
            switch event {
            case .screen(let id, _): _ = Proxy<MullionScreenV1>(connection, id: id, version: 1)
            case .mainScreen: break
            case .ping(let serial): application.send(.pong(serial: serial))
            }
        }
        try connection.roundTrip()
    }

    deinit { connection.disconnect() }

    /// Binds one more global.
    func bind<I: WaylandInterface>(_ interface: I.Type) throws -> Proxy<I> { try globals.bind(interface) }

    /// A buffer of one colour, 0xAARRGGBB; opaque, unless the format has alpha.
    func buffer(
        _ argb: UInt32, width: Int, height: Int, format: WlShm.Format = .xrgb8888
    ) throws -> Proxy<WlBuffer> {
        let memory = try AnonymousFile.make("mullion-bench")
        let pixels = [UInt32](repeating: argb, count: width * height)
        let written = unsafe pixels.withUnsafeBytes { unsafe write(memory.rawValue, $0.baseAddress, $0.count) }
        guard written == pixels.count * 4 else { throw MeasurementError.system("memfd") }
        let pool = Proxy<WlShmPool>(connection, version: shm.version)
        shm.send(.createPool(id: pool.id, fd: memory, size: Int32(written)))
        let buffer = Proxy<WlBuffer>(connection, version: 1)
        pool.send(
            .createBuffer(
                id: buffer.id, offset: 0, width: Int32(width), height: Int32(height), stride: Int32(width * 4),
                format: format))
        pool.send(.destroy)
        return buffer
    }

    /// Creates and destroys a pool. The server holds the last reference to its memory, and so has to free the pages.
    /// - Returns: false when there is no memory.
    func makeAndDestroyPool(bytes: Int) -> Bool {
        guard let memory = try? AnonymousFile.make("mullion-bench"), posix_fallocate(memory.rawValue, 0, bytes) == 0
        else { return false }
        let pool = Proxy<WlShmPool>(connection, version: shm.version)
        shm.send(.createPool(id: pool.id, fd: memory, size: Int32(bytes)))
        pool.send(.destroy)
        return true
    }

    /// A surface without a role.
    func surface() -> Proxy<WlSurface> {
        let surface = Proxy<WlSurface>(connection, version: compositor.version)
        compositor.send(.createSurface(id: surface.id))
        return surface
    }

    /// A visible window with this content and frame, of the size of the screen without one; waits until it is shown.
    func window(_ content: Proxy<WlBuffer>, at place: (x: Int, y: Int, width: Int, height: Int)? = nil) throws
        -> Proxy<WlSurface>
    {
        let surface = show(content, at: place).surface
        try connection.roundTrip()
        return surface
    }

    /// The same without waiting.
    @discardableResult
    func show(
        _ content: Proxy<WlBuffer>, at place: (x: Int, y: Int, width: Int, height: Int)?, level: Double = 0
    ) -> (surface: Proxy<WlSurface>, window: Proxy<MullionWindowV1>) {
        let surface = surface()
        let window = Proxy<MullionWindowV1>(connection, version: application.version)
        application.send(.createWindow(id: window.id, surface: surface.id, screen: nil))
        if let place {
            func fixed(_ value: Int) -> Fixed { Fixed(rounding: Double(value)) }
            window.send(
                .setFrame(
                    x: fixed(place.x), y: fixed(place.y), width: fixed(place.width), height: fixed(place.height)))
        }
        if level != 0 { window.send(.setLevel(level: Fixed(rounding: level))) }
        window.send(.makeKeyAndVisible)
        attach(content, to: surface)
        surface.send(.commit)
        return (surface, window)
    }

    /// Creates a sub-surface, shown with the parent's next commit.
    func subsurface(of parent: Proxy<WlSurface>, _ content: Proxy<WlBuffer>, x: Int32, y: Int32) {
        let surface = surface()
        let subsurface = Proxy<WlSubsurface>(connection, version: 1)
        subcompositor.send(.getSubsurface(id: subsurface.id, surface: surface.id, parent: parent.id))
        subsurface.send(.setPosition(x: x, y: y))
        attach(content, to: surface)
        surface.send(.commit)
    }

    /// A device that moves the first seat's pointer.
    func virtualPointer() throws -> Proxy<ZwlrVirtualPointerV1> {
        let device = Proxy<ZwlrVirtualPointerV1>(connection, version: virtualPointers.version)
        virtualPointers.send(.createVirtualPointer(seat: seat.id, id: device.id))
        try connection.roundTrip()
        return device
    }

    /// Shows the buffers in turn, one per frame callback, for this many seconds.
    /// - Returns: the times of the callbacks, in seconds of the monotonic clock.
    func animate(_ surface: Proxy<WlSurface>, _ buffers: [Proxy<WlBuffer>], seconds: Double) throws -> [Double] {
        var times: [Double] = []
        let end = Clock.now + seconds
        while Clock.now < end {
            var isDue = false
            show(buffers[times.count % buffers.count], on: surface) { isDue = true }
            while !isDue {
                guard try connection.dispatch(timeout: 10_000) else {
                    throw MeasurementError("no frame callback arrived")
                }
            }
            times.append(Clock.now)
            try Interruption.check()
        }
        return times
    }

    /// Shows a buffer and requests a frame callback, which shows the next one.
    func show(_ buffer: Proxy<WlBuffer>, on surface: Proxy<WlSurface>, frame: @escaping () -> Void) {
        let callback = Proxy<WlCallback>(connection, version: 1)
        callback.onEvent = { _ in frame() }
        surface.send(.frame(callback: callback.id))
        attach(buffer, to: surface)
        surface.send(.commit)
    }

    private func attach(_ buffer: Proxy<WlBuffer>, to surface: Proxy<WlSurface>) {
        surface.send(.attach(buffer: buffer.id, x: 0, y: 0))
        surface.send(.damageBuffer(x: 0, y: 0, width: Int32.max, height: Int32.max))
    }
}

/// The server's globals.
private final class Globals {
    private let registry: Proxy<WlRegistry>
    private var names: [String: UInt32] = [:]

    init(_ connection: ClientConnection) throws {
        registry = Proxy(connection, version: 1)
        registry.onEvent = { [unowned self] event in
            if case .global(let name, let interface, _) = event { names[interface] = name }
        }
        connection.display.send(.getRegistry(registry: registry.id))
        try connection.roundTrip()
    }

    func bind<I: WaylandInterface>(_ interface: I.Type) throws -> Proxy<I> {
        guard let name = names[I.name] else { throw MeasurementError("the server does not offer \(I.name)") }
        let proxy = Proxy<I>(registry.connection, version: I.version)
        registry.send(.bind(name: name, id: AnyNewID(interface: I.name, version: I.version, id: proxy.id)))
        return proxy
    }
}
