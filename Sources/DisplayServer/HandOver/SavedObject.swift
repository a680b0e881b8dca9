// The saved state of a protocol object.

import MullionWayland

/// A protocol object in a hand-over.
struct SavedObject: Codable {
    private enum CodingKeys: CodingKey {
        case id, version, interface, state
    }

    /// The approximate size of any object's state, or of a change waiting for a commit, in bytes.
    static let fixedSize = 200

    let id: ObjectID
    let version: UInt32
    private let state: any TypedState

    init<Object: Restorable>(_ object: Object, _ writer: HandOverWriter) throws(HandOverError) {
        id = object.id
        version = object.version
        state = StateOf<Object>(value: try object.savedState(writer))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(ObjectID.self, forKey: .id)
        version = try container.decode(UInt32.self, forKey: .version)
        guard (1...UInt32(UInt8.max)).contains(version) else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container, debugDescription: "\(version) is not a version; use 1 to 255")
        }
        let interface = try container.decode(String.self, forKey: .interface)
        guard let kind = RestorableObjects[interface] else {
            throw DecodingError.dataCorruptedError(
                forKey: .interface, in: container, debugDescription: "\(interface) is unknown here")
        }
        func state<Object: Restorable>(of kind: Object.Type) throws -> any TypedState {
            StateOf<Object>(value: try container.decode(Object.SavedState.self, forKey: .state))
        }
        self.state = try state(of: kind)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(version, forKey: .version)
        try container.encode(state.kind.name, forKey: .interface)
        func encode(_ value: some ObjectState) throws { try container.encode(value, forKey: .state) }
        try encode(state.value)
    }

    var phase: RestorationPhase { state.kind.restorationPhase }
    var order: Int { state.order }
    /// The approximate size of the object in bytes.
    var size: Int { Self.fixedSize + state.value.variableSize }

    /// Creates the object.
    func restore(_ reader: HandOverReader) throws {
        guard id.isServers else { return try state.restore(id, version, reader) }
        try reader.client.restore(at: id) { try state.restore(id, version, reader) }
    }

    /// Connects it to the client's other objects, when they all exist.
    func finishRestoring(_ reader: HandOverReader) throws { try state.finishRestoring(id, reader) }
}

/// A state whose kind of object is known only at run time.
private protocol TypedState {
    var kind: any Restorable.Type { get }
    var value: any ObjectState { get }
    var order: Int { get }
    func restore(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws
    func finishRestoring(_ id: ObjectID, _ reader: HandOverReader) throws
}

private struct StateOf<Object: Restorable>: TypedState {
    let state: Object.SavedState

    init(value: Object.SavedState) { state = value }

    var kind: any Restorable.Type { Object.self }
    var value: any ObjectState { state }
    var order: Int { Object.restorationOrder(of: state) }

    func restore(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
        try Object.restore(state, id: id, version: version, reader)
    }

    func finishRestoring(_ id: ObjectID, _ reader: HandOverReader) throws {
        guard let object = reader.client.resource(id) as? Object else { return }
        try object.finishRestoring(state, reader)
    }
}
