// The connection to the server.

import EventLoop
import Glibc
import MullionSystem
import MullionWayland

/// A Wayland connection driven by the loop, with the globals that X11 programs need.
final class ServerLink {
    /// Waiting bytes above which nothing more is read from X11 programs.
    private static let highWater = 4 << 20

    let connection: ClientConnection
    let manager: Proxy<MullionX11ManagerV1>
    let seat: Proxy<WlSeat>?
    let dataDevices: Proxy<WlDataDeviceManager>?
    let primaryDevices: Proxy<ZwpPrimarySelectionDeviceManagerV1>?
    /// Called when the connection has ended, with the reason.
    var onEnd: ((String) -> Void)?
    /// Called when it becomes possible to queue more.
    var onRoom: (() -> Void)?
    /// Calls its argument when the X server has handled all requests so far; immediately when there is none.
    var afterRequests: ((@escaping () -> Void) -> Void)?
    private let registry: Proxy<WlRegistry>
    private let shell: Proxy<XdgWmBase>?
    private var source: IOSource?
    private var hasEnded = false
    private var wasFull = false

    init(_ loop: EventLoop, socket: String?) throws {
        let connection = try Self.connect(socket)
        self.connection = connection
        // What the server passes on is other programs'. Some may be unread at the end.
        connection.transport.closer = DescriptorCloser(isApart: true)
        registry = Proxy<WlRegistry>(connection, version: 1)
        var globals: [String: (name: UInt32, version: UInt32)] = [:]
        registry.onEvent = { event in
            // The first one of each kind: the first seat is the one that the server uses for X11.
            if case .global(let name, let interface, let version) = event, globals[interface] == nil {
                globals[interface] = (name, version)
            }
        }
        connection.display.send(.getRegistry(registry: registry.id))
        do throws(ClientError) {
            try connection.roundTrip()
        } catch {
            throw Failure(description: "\(error)")
        }
        registry.onEvent = nil
        let registry = registry
        func bind<Interface: WaylandInterface>(_: Interface.Type) -> Proxy<Interface>? {
            guard let global = globals[Interface.name] else { return nil }
            let version = min(global.version, Interface.version)
            let proxy = Proxy<Interface>(connection, version: version)
            registry.send(
                .bind(name: global.name, id: AnyNewID(interface: Interface.name, version: version, id: proxy.id)))
            return proxy
        }
        guard let manager = bind(MullionX11ManagerV1.self) else {
            throw Failure(
                description: "the server does not offer mullion_x11_manager_v1 to this program; "
                    + "use a Mullion of this version, outside of sandboxes")
        }
        self.manager = manager
        seat = bind(WlSeat.self)
        dataDevices = bind(WlDataDeviceManager.self)
        primaryDevices = bind(ZwpPrimarySelectionDeviceManagerV1.self)
        shell = bind(XdgWmBase.self)
        let source = try IOSource(loop, descriptor: connection.descriptor) { [unowned self] in receive() }
        source.onWritable = { [unowned self] in flush() }
        self.source = source
        // Settling waits for the answer: it means that X11 windows are where the server has them.
        shell?.onEvent = { [unowned self] event in
            guard case .ping(let serial) = event else { return }
            let pong = { [weak shell] in shell?.send(.pong(serial: serial)) ?? () }
            if let afterRequests { afterRequests(pong) } else { pong() }
        }
    }

    private static func connect(_ socket: String?) throws(Failure) -> ClientConnection {
        if socket == nil, let text = unsafe getenv("WAYLAND_SOCKET").map({ unsafe String(cString: $0) }) {
            unsafe unsetenv("WAYLAND_SOCKET")
            guard let descriptor = DecimalText.whole(text, as: Int32.self), fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
            else {
                throw Failure(description: "WAYLAND_SOCKET=\(text) is not a descriptor")
            }
            var limits = Limits()
            limits.outputMaximum = .max
            limits.outputHighWater = .max
            return ClientConnection(socket: OwnedDescriptor(descriptor), limits: limits)
        }
        do throws(ClientError) {
            return try ClientConnection(connectingTo: socket)
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    /// Calls `body` when the server has handled all requests so far, and what it has sent meanwhile was handled here.
    func whenAnswered(_ body: @escaping () -> Void) {
        let callback = Proxy<WlCallback>(connection, version: 1)
        callback.onEvent = { _ in body() }
        connection.display.send(.sync(callback: callback.id))
    }

    /// Whether much waits to be sent. X11 programs then have to wait until `onRoom`.
    func isFull() -> Bool {
        if connection.transport.queuedBytes > Self.highWater { wasFull = true }
        return wasFull
    }

    /// Sends what is queued, as far as the socket accepts it.
    func flush() {
        guard !hasEnded, let source else { return }
        do throws(ConnectionError) {
            source.wantsWrite = !(try connection.transport.flush())
        } catch {
            // What the server has said before it closed the connection is read first.
            guard error == .closed else { return end("the connection to the server failed: \(error)") }
        }
        if wasFull, connection.transport.queuedBytes <= Self.highWater {
            wasFull = false
            onRoom?()
        }
    }

    private func receive() {
        do throws(ClientError) {
            try connection.dispatchAvailable()
        } catch {
            end("\(error)")
        }
    }

    /// Ends the connection.
    func close() {
        source?.cancel()
        connection.transport.socket.close()
    }

    private func end(_ reason: String) {
        guard !hasEnded else { return }
        hasEnded = true
        source?.cancel()
        onEnd?(reason)
    }
}
