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

    private final class Global {
        let name: UInt32
        let interface: String
        let version: UInt32
        let bind: Binder
        /// The clients for which the global exists: those with these rights and, if set, of this audience.
        let required: Rights
        let audience: Audience?

        init(
            _ name: UInt32, _ interface: any WaylandInterface.Type, requires required: Rights = [],
            for audience: Audience? = nil, _ bind: @escaping Binder
        ) {
            (self.name, self.interface, version) = (name, interface.name, interface.version)
            (self.required, self.audience, self.bind) = (required, audience, bind)
        }

        /// The same under another name.
        init(_ name: UInt32, like other: Global) {
            (self.name, interface, version) = (name, other.interface, other.version)
            (required, audience, bind) = (other.required, other.audience, other.bind)
        }

        func isVisible(to client: Client) -> Bool {
            client.rights.isSuperset(of: required) && audience?(client) ?? true
        }
    }

    /// The announced globals, ordered by name.
    private var globals: [Global] = []
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
        let global = Global(name, interface, requires: required, for: audience, bind)
        globals.insert(global, at: place(of: name))
        for registry in registries.values { announce(global, to: registry) }
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
        guard let global = announced(name) else { return }
        globals.remove(at: place(of: name))
        if atOnce { gone.insert(name) } else { withdrawn[global.interface] = global }
        for registry in registries.values where global.isVisible(to: registry.client) {
            registry.send(WlRegistry.Event.globalRemove(name: name))
        }
    }

    func add(_ registry: RegistryResource) {
        registries[ObjectIdentifier(registry)] = registry
        for global in globals { announce(global, to: registry) }
    }

    func remove(_ registry: RegistryResource) {
        registries[ObjectIdentifier(registry)] = nil
    }

    func bind(_ name: UInt32, _ new: AnyNewID, for client: Client) throws(ProtocolError) {
        guard let global = global(name, new.interface), global.isVisible(to: client) else {
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
            announced: globals.map { SavedState.Announced(name: $0.name, interface: $0.interface) }, lastName: lastName,
            gone: gone.sorted(), withdrawn: withdrawn.keys.sorted())
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
        var new: [Global] = []
        var known = saved.announced.filter { !outputs.values.contains($0.name) }
        var added: [UInt32] = []
        lastName = saved.lastName
        for global in globals {
            if let name = outputs[global.name] {
                new.append(Global(name, like: global))
            } else if let index = known.firstIndex(where: { $0.interface == global.interface }) {
                new.append(Global(known.remove(at: index).name, like: global))
            } else {
                lastName += 1
                new.append(Global(lastName, like: global))
                added.append(lastName)
            }
        }
        globals = new.sorted { $0.name < $1.name }
        gone = Set(saved.gone).union(known.map(\.name))
        if saved.withdrawn.contains(WlOutput.name) {
            withdrawn[WlOutput.name] = Global(0, WlOutput.self) { (client, id, version) throws(ProtocolError) in
                _ = try OutputResource(client, id: id, version: version, screen: nil)
            }
        }
        return (added, known.map(\.name))
    }

    /// Announces the differences between versions of the server.
    func announce(added: [UInt32], removed: [UInt32]) {
        for registry in registries.values {
            for name in removed { registry.send(WlRegistry.Event.globalRemove(name: name)) }
            for name in added {
                if let global = announced(name) { announce(global, to: registry) }
            }
        }
    }

    /// Creates an object that a client had bound at another server.
    func make(_ interface: String, _ id: ObjectID, _ version: UInt32, for client: Client) throws {
        guard let global = globals.first(where: { $0.interface == interface }),
            (1...global.version).contains(version)
        else { throw HandOverError("version \(version) of \(interface) is not supported") }
        try global.bind(client, id, version)
    }

    /// The number of stored globals.
    var count: Int { globals.count + gone.count }

    /// The index of the announced global of that name, or where it would be.
    private func place(of name: UInt32) -> Int {
        var (low, high) = (0, globals.count)
        while low < high {
            let middle = (low + high) / 2
            if globals[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func announced(_ name: UInt32) -> Global? {
        let place = place(of: name)
        return place < globals.count && globals[place].name == name ? globals[place] : nil
    }

    private func global(_ name: UInt32, _ interface: String) -> Global? {
        if let global = announced(name) { return global }
        guard name > 0, name <= lastName, !gone.contains(name) else { return nil }
        return withdrawn[interface] ?? withdrawn.values.first
    }

    private func announce(_ global: Global, to registry: RegistryResource) {
        guard global.isVisible(to: registry.client) else { return }
        registry.send(
            WlRegistry.Event.global(name: global.name, interface: global.interface, version: global.version))
    }
}
