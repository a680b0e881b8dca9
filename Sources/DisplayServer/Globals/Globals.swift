// The globals that wl_registry announces.

import Wayland

/// Every global, by its numeric name. Names are never reused, and binding one that was withdrawn is no error (S9),
/// unless the screen is hostile on purpose.
///
/// A withdrawn global keeps nothing: its name is one that was given out and is no longer announced. However often
/// screens come and go, the next one costs the same.
final class Globals {
    /// Makes the object of a client that binds the global. It is called for a withdrawn global too, with the binder of
    /// any withdrawn one of the interface: what it makes is inert then.
    typealias Binder = (Client, ObjectID, UInt32) throws(ProtocolError) -> Void

    private struct Global {
        let name: UInt32
        let interface: String
        let version: UInt32
        let bind: Binder
        /// Without these the global does not exist for a client.
        let required: Rights

        func isVisible(to client: Client) -> Bool { client.rights.isSuperset(of: required) }
    }

    /// In order of name.
    private var announced: [Global] = []
    /// For each interface of which a global was withdrawn, the last one: a client that has not seen the withdrawal of
    /// one yet may still bind it.
    private var withdrawn: [Global] = []
    /// Names that were withdrawn at once: to bind one is an error, and it may be another's next.
    private var gone: Set<UInt32> = []
    private var lastName: UInt32 = 0
    private var registries: [ObjectIdentifier: RegistryResource] = [:]

    /// Adds a global and announces it to the clients that have the rights. `reusingNames`: under the name of one that
    /// was withdrawn at once, if there is.
    /// - Returns: its name.
    func add(
        _ interface: any WaylandInterface.Type, requires required: Rights = [], reusingNames: Bool = false,
        _ bind: @escaping Binder
    ) -> UInt32 {
        let name: UInt32
        if reusingNames, let free = gone.min() {
            gone.remove(free)
            name = free
        } else {
            lastName += 1
            name = lastName
        }
        let global = Global(
            name: name, interface: interface.name, version: interface.version, bind: bind, required: required)
        announced.insert(global, at: announced.firstIndex { $0.name > name } ?? announced.endIndex)
        for registry in registries.values { announce(global, to: registry) }
        return name
    }

    /// Stops announcing a global. Objects already bound go on; they are the binder's to make inert (S9).
    /// `atOnce`: as servers do that do not care for clients which have not read of it yet.
    func withdraw(_ name: UInt32, atOnce: Bool = false) {
        guard let index = announced.firstIndex(where: { $0.name == name }) else { return }
        let global = announced.remove(at: index)
        if atOnce {
            gone.insert(name)
        } else {
            withdrawn.removeAll { $0.interface == global.interface }
            withdrawn.append(global)
        }
        for registry in registries.values where global.isVisible(to: registry.client) {
            registry.send(WlRegistry.Event.globalRemove(name: name))
        }
    }

    func add(_ registry: RegistryResource) {
        registries[ObjectIdentifier(registry)] = registry
        for global in announced { announce(global, to: registry) }
    }

    func remove(_ registry: RegistryResource) {
        registries[ObjectIdentifier(registry)] = nil
    }

    func bind(_ name: UInt32, _ new: AnyNewID, for client: Client) throws(ProtocolError) {
        guard let global = global(name, new.interface), global.isVisible(to: client) else {
            throw ProtocolError(.invalidObject, message: "there is no global \(name)")
        }
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

    /// The global of that name, or one that stands for it once it is withdrawn; nil for a name that is nobody's.
    private func global(_ name: UInt32, _ interface: String) -> Global? {
        if let found = announced.first(where: { $0.name == name }) { return found }
        guard name > 0, name <= lastName, !gone.contains(name) else { return nil }
        return withdrawn.first { $0.interface == interface } ?? withdrawn.first
    }

    private func announce(_ global: Global, to registry: RegistryResource) {
        guard global.isVisible(to: registry.client) else { return }
        registry.send(
            WlRegistry.Event.global(name: global.name, interface: global.interface, version: global.version))
    }
}
