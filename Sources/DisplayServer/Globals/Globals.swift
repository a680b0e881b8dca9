// The globals that wl_registry announces.

import MullionWayland

/// All globals, by name (a number). Names are never reused, and binding a withdrawn one is not an error (S9), unless
/// the screen deliberately provokes races.
///
/// Nothing is stored for a withdrawn global: its name is one that was issued and is no longer announced. The cost of a
/// new screen does not depend on how many have come and gone.
final class Globals {
    /// Whether a global exists for a client.
    typealias Audience = (Client) -> Bool

    /// Creates the object of a client that binds the global. Also called for a withdrawn global, with the binder of any
    /// withdrawn one of the interface: the object must then be inert.
    typealias Binder = (Client, ObjectID, UInt32) throws(ProtocolError) -> Void

    private struct Global {
        let interface: String
        let version: UInt32
        let bind: Binder
        /// Whether the global exists for a client.
        let isFor: Audience
    }

    /// The announced globals.
    private var globals: [UInt32: Global] = [:]
    private var lastName: UInt32 = 0
    /// By interface, a representative of all withdrawn names: a client that has not read the withdrawal may still
    /// bind one, and inert objects are all alike (S9).
    private var withdrawn: [String: Global] = [:]
    /// Names withdrawn immediately: binding one is an error, and it may be reused.
    private var gone: Set<UInt32> = []
    private var registries: [ObjectIdentifier: RegistryResource] = [:]

    /// Adds a global and announces it to the clients that may use it.
    /// - Parameter reusingNames: whether to use a name that was withdrawn immediately, if there is one.
    /// - Returns: its name.
    @discardableResult
    func add(
        _ interface: any WaylandInterface.Type, requires required: Rights = [],
        for audience: Audience? = nil, reusingNames: Bool = false, _ bind: @escaping Binder
    ) -> UInt32 {
        let name: UInt32
        if reusingNames, let free = gone.min() {
            name = free
            gone.remove(free)
        } else {
            lastName += 1
            name = lastName
        }
        let global = Global(
            interface: interface.name, version: interface.version, bind: bind,
            isFor: audience ?? { $0.rights.isSuperset(of: required) })
        globals[name] = global
        for registry in registries.values { announce(global, as: name, to: registry) }
        return name
    }

    /// Adds a global whose objects need no further set-up.
    /// - Parameter make: an initialiser.
    func add(
        _ interface: any WaylandInterface.Type, requires required: Rights = [], for audience: Audience? = nil,
        _ make: @escaping (Client, ObjectID, UInt32) throws(ProtocolError) -> Resource
    ) {
        add(interface, requires: required, for: audience) { (client, id, version) throws(ProtocolError) in
            _ = try make(client, id, version)
        }
    }

    /// Stops announcing a global. Bound objects remain; the binder makes them inert (S9).
    /// - Parameter atOnce: whether to forget the name immediately, although clients may not have read the
    ///   removal yet.
    func withdraw(_ name: UInt32, atOnce: Bool = false) {
        guard let global = globals.removeValue(forKey: name) else { return }
        if atOnce { gone.insert(name) } else { withdrawn[global.interface] = global }
        for registry in registries.values where isVisible(global, to: registry.client) {
            registry.send(WlRegistry.Event.globalRemove(name: name))
        }
    }

    func add(_ registry: RegistryResource) {
        registries[ObjectIdentifier(registry)] = registry
        for (name, global) in globals.sorted(by: { $0.key < $1.key }) { announce(global, as: name, to: registry) }
    }

    func remove(_ registry: RegistryResource) {
        registries[ObjectIdentifier(registry)] = nil
    }

    func bind(_ name: UInt32, _ new: AnyNewID, for client: Client) throws(ProtocolError) {
        guard let global = global(name, new.interface), isVisible(global, to: client) else {
            throw ProtocolError(.invalidObject, message: "\(name) is not a global")
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

    // MARK: Hand-over

    /// The issued names and their interfaces.
    struct SavedState: Codable {
        struct Announced: Codable {
            var name: UInt32
            var interface: String
        }

        var announced: [Announced]
        var lastName: UInt32
        var gone: [UInt32]
        var withdrawn: [String]
    }

    var savedState: SavedState {
        SavedState(
            announced: globals.sorted { $0.key < $1.key }.map {
                SavedState.Announced(name: $0.key, interface: $0.value.interface)
            }, lastName: lastName, gone: gone.sorted(), withdrawn: withdrawn.keys.sorted())
    }

    /// Gives all globals the names they had at another server.
    /// - Parameter outputs: the names of the screens' globals there, by their names here.
    /// - Returns: the changes to announce to clients: globals that the other server did not have, and those missing
    ///   here.
    func restore(
        _ saved: SavedState, outputs: [UInt32: UInt32]
    ) throws(HandOverError) -> (added: [UInt32], removed: [UInt32]) {
        guard saved.lastName < .max / 2, saved.announced.allSatisfy({ (1...saved.lastName).contains($0.name) }),
            Set(outputs.values).count == outputs.count, outputs.values.allSatisfy({ $0 <= saved.lastName })
        else { throw HandOverError("the globals' names are invalid") }
        var new: [UInt32: Global] = [:]
        var known = saved.announced.filter { !outputs.values.contains($0.name) }
        var added: [UInt32] = []
        lastName = saved.lastName
        for (name, global) in globals.sorted(by: { $0.key < $1.key }) {
            if let name = outputs[name] {
                new[name] = global
            } else if let index = known.firstIndex(where: { $0.interface == global.interface }) {
                new[known.remove(at: index).name] = global
            } else {
                lastName += 1
                new[lastName] = global
                added.append(lastName)
            }
        }
        globals = new
        gone = Set(saved.gone).union(known.map(\.name))
        if saved.withdrawn.contains(WlOutput.name) {
            withdrawn[WlOutput.name] = Global(
                interface: WlOutput.name, version: WlOutput.version,
                bind: { (client, id, version) throws(ProtocolError) in
                    _ = try OutputResource(client, id: id, version: version, screen: nil)
                }, isFor: { _ in true })
        }
        return (added, known.map(\.name))
    }

    /// Announces the differences between versions of the server.
    func announce(added: [UInt32], removed: [UInt32]) {
        for registry in registries.values {
            for name in removed { registry.send(WlRegistry.Event.globalRemove(name: name)) }
            for name in added {
                if let global = globals[name] { announce(global, as: name, to: registry) }
            }
        }
    }

    /// Creates an object that a client had bound at another server.
    func make(_ interface: String, _ id: ObjectID, _ version: UInt32, for client: Client) throws {
        guard let global = globals.values.first(where: { $0.interface == interface }),
            (1...global.version).contains(version)
        else { throw HandOverError("version \(version) of \(interface) is not supported") }
        try global.bind(client, id, version)
    }

    /// The number of stored globals.
    var count: Int { globals.count + gone.count }

    private func global(_ name: UInt32, _ interface: String) -> Global? {
        if let global = globals[name] { return global }
        guard name > 0, name <= lastName, !gone.contains(name) else { return nil }
        return withdrawn[interface] ?? withdrawn.values.first
    }

    private func isVisible(_ global: Global, to client: Client) -> Bool {
        global.isFor(client)
    }

    private func announce(_ global: Global, as name: UInt32, to registry: RegistryResource) {
        guard isVisible(global, to: registry.client) else { return }
        registry.send(
            WlRegistry.Event.global(name: name, interface: global.interface, version: global.version))
    }
}
