// Output management for a server that takes over.

import MullionWayland
import WindowModel

extension OutputManagerResource: Restorable {
    struct SavedState: ObjectState {
        var heads: [ObjectID]
        /// Heads that the client has released; they are not announced again.
        var released: [OutputHeadState]
        var sentSerial: UInt32?

        var variableSize: Int { heads.count * 8 + released.reduce(0) { $0 + $1.size } }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwlrOutputManagerV1.self] }
    static var restorationPhase: RestorationPhase { .roles }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            heads: heads.filter(\.isAlive).map(\.id), released: heads.filter { !$0.isAlive }.map(\.sent),
            sentSerial: sentSerial)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = try OutputManagerResource(reader.client, id: id, version: version)
        object.heads = try state.heads.map { try reader.resource($0) }
        object.sentSerial = state.sentSerial
        for state in state.released {
            let head = OutputHeadResource(reader.client, version: version, state: state)
            head.destroy()
            object.heads.append(head)
        }
    }
}

extension OutputHeadResource: Restorable {
    struct SavedState: ObjectState {
        var sent: OutputHeadState
        var isFinished: Bool
        var modes: [ObjectID]

        var variableSize: Int { sent.size + modes.count * 8 }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwlrOutputHeadV1.self] }
    static var restorationPhase: RestorationPhase { .surfaces }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(sent: sent, isFinished: isFinished, modes: modes.filter(\.isAlive).map(\.id))
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let object = OutputHeadResource(reader.client, version: version, state: state.sent)
        object.isFinished = state.isFinished
        object.modes = try state.modes.map { try reader.resource($0) }
    }
}

extension OutputHeadState {
    /// About how many bytes its state takes.
    fileprivate var size: Int { 300 + display.modes.count * 60 }
}

extension OutputModeResource: Restorable {
    struct SavedState: FixedSizeState {
        var head: String
        var mode: Screen.Mode
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwlrOutputModeV1.self] }
    static var restorationPhase: RestorationPhase { .buffers }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(head: head, mode: mode) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) {
        _ = OutputModeResource(reader.client, version: version, head: state.head, mode: state.mode)
    }
}

extension OutputConfigurationResource: Restorable {
    struct SavedState: FixedSizeState {
        var isUsed: Bool
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwlrOutputConfigurationV1.self] }
    static var restorationPhase: RestorationPhase { .buffers }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(isUsed: isUsed) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        // Based on an earlier state, so that it is cancelled whatever the client requests.
        let serial = reader.server.outputManagement.serial &- 1
        let object = try OutputConfigurationResource(reader.client, id: id, version: version, serial: serial)
        object.isUsed = state.isUsed
    }
}

extension OutputConfigurationHeadResource: Restorable {
    struct SavedState: FixedSizeState {
        var configuration: ObjectID
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwlrOutputConfigurationHeadV1.self] }
    static var restorationPhase: RestorationPhase { .surfaces }

    func savedState(_ writer: HandOverWriter) -> SavedState { SavedState(configuration: configuration.id) }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let configuration: OutputConfigurationResource = try reader.resource(state.configuration)
        let object = try OutputConfigurationHeadResource(reader.client, id: id, version: version, configuration)
        configuration.heads.append(object)
    }
}
