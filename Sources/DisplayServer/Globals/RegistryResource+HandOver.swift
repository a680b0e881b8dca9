// wl_registry for a server that takes over.

import MullionWayland

extension RegistryResource: Restorable {
    static var interfaces: [any WaylandInterface.Type] { [WlRegistry.self] }
    static var restorationPhase: RestorationPhase { .independent }

    static func restore(_ state: NoState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        reader.server.globals.add(try RegistryResource(reader.client, id: id, version: version))
    }
}
