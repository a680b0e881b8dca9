// The server's global objects that the library uses.

import MullionWayland

@MainActor struct Globals {
    /// The globals announced by the registry: name, interface and version.
    typealias Announced = [(name: UInt32, interface: String, version: UInt32)]

    let registry: Proxy<WlRegistry>
    let compositor: Proxy<WlCompositor>
    let subcompositor: Proxy<WlSubcompositor>
    let shm: Proxy<WlShm>
    let viewporter: Proxy<WpViewporter>
    let singlePixel: Proxy<WpSinglePixelBufferManagerV1>
    let application: Proxy<MullionApplicationV1>
    /// The initial seats: global name and version.
    let seats: [(name: UInt32, version: UInt32)]
    /// What was announced; interfaces that the server may not offer to this client are bound when first needed.
    private let optional: Announced

    init(_ connection: ClientConnection) throws(ApplicationError) {
        let registry = Proxy<WlRegistry>(connection, version: 1)
        var announced: Announced = []
        registry.onEvent = { event in
            if case .global(let name, let interface, let version) = event {
                announced.append((name, interface, version))
            }
        }
        connection.display.send(.getRegistry(registry: registry.id))
        do throws(ClientError) {
            try connection.roundTrip()
        } catch {
            throw ApplicationError(error)
        }
        registry.onEvent = nil
        self.registry = registry
        // wl_surface.damage_buffer came with version 4.
        compositor = try Self.bind(registry, announced, minimum: 4)
        subcompositor = try Self.bind(registry, announced)
        shm = try Self.bind(registry, announced)
        viewporter = try Self.bind(registry, announced)
        singlePixel = try Self.bind(registry, announced)
        application = try Self.bind(registry, announced, minimum: 2)
        optional = announced
        seats = announced.lazy.filter { $0.interface == WlSeat.name }.map { ($0.name, $0.version) }
    }

    private static func bind<Interface: WaylandInterface>(
        _ registry: Proxy<WlRegistry>, _ announced: Announced, minimum: UInt32 = 1
    ) throws(ApplicationError) -> Proxy<Interface> {
        guard let global = announced.first(where: { $0.interface == Interface.name && $0.version >= minimum })
        else { throw .missingInterface(name: Interface.name) }
        return bind(registry, name: global.name, version: global.version)
    }

    /// Binds a global if it exists.
    func bindOptional<Interface: WaylandInterface>(_ interface: Interface.Type) -> Proxy<Interface>? {
        optional.first { $0.interface == Interface.name }
            .map { Self.bind(registry, name: $0.name, version: $0.version) }
    }

    /// Binds a global at the highest version that both sides support.
    static func bind<Interface: WaylandInterface>(
        _ registry: Proxy<WlRegistry>, name: UInt32, version: UInt32
    ) -> Proxy<Interface> {
        let version = min(version, Interface.version)
        let proxy = Proxy<Interface>(registry.connection, version: version)
        registry.send(.bind(name: name, id: AnyNewID(interface: Interface.name, version: version, id: proxy.id)))
        return proxy
    }
}
