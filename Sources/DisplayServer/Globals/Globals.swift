// The globals that wl_registry announces.

import Wayland

/// Every global, by its numeric name. Names are never reused, and binding one that was withdrawn is no error (S9).
final class Globals {
    /// Makes the object of a client that binds the global.
    typealias Binder = (Client, ObjectID, UInt32) throws(ProtocolError) -> Void

    private struct Global {
        let interface: String
        let version: UInt32
        let bind: Binder
        /// Withdrawn: no longer announced, but a client that has not seen the withdrawal yet may still bind it.
        var isWithdrawn = false
    }

    private var globals: [Global] = []
    private var registries: [ObjectIdentifier: RegistryResource] = [:]

    /// Adds a global and announces it.
    /// - Returns: its name.
    func add(_ interface: any WaylandInterface.Type, _ bind: @escaping Binder) -> UInt32 {
        globals.append(Global(interface: interface.name, version: interface.version, bind: bind))
        let name = UInt32(globals.count)
        for registry in registries.values { announce(name, to: registry) }
        return name
    }

    /// Stops announcing a global. Objects already bound go on; they are the binder's to make inert (S9).
    func withdraw(_ name: UInt32) {
        guard globals.indices.contains(Int(name) - 1), !globals[Int(name) - 1].isWithdrawn else { return }
        globals[Int(name) - 1].isWithdrawn = true
        for registry in registries.values { registry.send(WlRegistry.Event.globalRemove(name: name)) }
    }

    func add(_ registry: RegistryResource) {
        registries[ObjectIdentifier(registry)] = registry
        for name in globals.indices where !globals[name].isWithdrawn { announce(UInt32(name + 1), to: registry) }
    }

    func remove(_ registry: RegistryResource) {
        registries[ObjectIdentifier(registry)] = nil
    }

    func bind(_ name: UInt32, _ new: AnyNewID, for client: Client) throws(ProtocolError) {
        guard name > 0, Int(name) <= globals.count else {
            throw ProtocolError(.invalidObject, message: "there is no global \(name)")
        }
        let global = globals[Int(name) - 1]
        guard new.interface == global.interface else {
            throw ProtocolError(
                .invalidObject, message: "global \(name) is a \(global.interface), not a \(new.interface)")
        }
        guard new.version >= 1, new.version <= global.version else {
            throw ProtocolError(
                .invalidObject,
                message: "\(global.interface) has versions 1 to \(global.version), not \(new.version)")
        }
        try global.bind(client, new.id, new.version)
    }

    private func announce(_ name: UInt32, to registry: RegistryResource) {
        let global = globals[Int(name) - 1]
        registry.send(
            WlRegistry.Event.global(name: name, interface: global.interface, version: global.version))
    }
}
