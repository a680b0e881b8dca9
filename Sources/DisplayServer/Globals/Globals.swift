// The globals that wl_registry announces.

import Wayland

/// Every global, by its numeric name. Names are never reused, and binding one that was withdrawn is no error (S9),
/// unless the screen is hostile on purpose.
final class Globals {
    /// Makes the object of a client that binds the global.
    typealias Binder = (Client, ObjectID, UInt32) throws(ProtocolError) -> Void

    private struct Global {
        let interface: String
        let version: UInt32
        let bind: Binder
        /// Without these the global does not exist for a client.
        let required: Rights
        /// Withdrawn: no longer announced, but a client that has not seen the withdrawal yet may still bind it.
        var isWithdrawn = false
        /// Withdrawn at once: to bind it is an error, and its name may be another's next.
        var isGone = false
    }

    private var globals: [Global] = []
    private var registries: [ObjectIdentifier: RegistryResource] = [:]

    /// Adds a global and announces it to the clients that have the rights. `reusingNames`: under the name of one that was withdrawn at once, if there is.
    /// - Returns: its name.
    func add(
        _ interface: any WaylandInterface.Type, requires required: Rights = [], reusingNames: Bool = false,
        _ bind: @escaping Binder
    ) -> UInt32 {
        let global = Global(interface: interface.name, version: interface.version, bind: bind, required: required)
        var name = UInt32(globals.count + 1)
        if reusingNames, let free = globals.firstIndex(where: \.isGone) {
            name = UInt32(free + 1)
            globals[free] = global
        } else {
            globals.append(global)
        }
        for registry in registries.values { announce(name, to: registry) }
        return name
    }

    /// Stops announcing a global. Objects already bound go on; they are the binder's to make inert (S9).
    /// `atOnce`: as servers do that do not care for clients which have not read of it yet.
    func withdraw(_ name: UInt32, atOnce: Bool = false) {
        guard globals.indices.contains(Int(name) - 1), !globals[Int(name) - 1].isWithdrawn else { return }
        globals[Int(name) - 1].isWithdrawn = true
        globals[Int(name) - 1].isGone = atOnce
        for registry in registries.values where isVisible(name, to: registry.client) {
            registry.send(WlRegistry.Event.globalRemove(name: name))
        }
    }

    func add(_ registry: RegistryResource) {
        registries[ObjectIdentifier(registry)] = registry
        for name in globals.indices where !globals[name].isWithdrawn { announce(UInt32(name + 1), to: registry) }
    }

    func remove(_ registry: RegistryResource) {
        registries[ObjectIdentifier(registry)] = nil
    }

    func bind(_ name: UInt32, _ new: AnyNewID, for client: Client) throws(ProtocolError) {
        guard name > 0, Int(name) <= globals.count, !globals[Int(name) - 1].isGone, isVisible(name, to: client)
        else {
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

    private func isVisible(_ name: UInt32, to client: Client) -> Bool {
        client.rights.isSuperset(of: globals[Int(name) - 1].required)
    }

    private func announce(_ name: UInt32, to registry: RegistryResource) {
        guard isVisible(name, to: registry.client) else { return }
        let global = globals[Int(name) - 1]
        registry.send(
            WlRegistry.Event.global(name: name, interface: global.interface, version: global.version))
    }
}
