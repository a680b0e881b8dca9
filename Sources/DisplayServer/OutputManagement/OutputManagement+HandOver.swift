// Outputs and their management for a server that takes over.

import Wayland
import WindowModel

extension OutputResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .output(screen) }
}

extension XdgOutputResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .xdgOutput(output?.id) }
}

extension OutputManagerResource: HandedOver {
    struct Record: Codable {
        var heads: [ObjectID]
        /// The client has let go of them: they are not announced again.
        var released: [OutputHeadState]
        var sentSerial: UInt32?

        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            let object = try OutputManagerResource(reader.client, id: id, version: version)
            object.heads = try heads.map { try reader.resource($0) }
            object.sentSerial = sentSerial
            for state in released {
                let head = OutputHeadResource(reader.client, version: version, state: state)
                head.destroy()
                object.heads.append(head)
            }
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .outputManager(
            Record(
                heads: heads.filter(\.isAlive).map(\.id), released: heads.filter { !$0.isAlive }.map(\.sent),
                sentSerial: sentSerial))
    }
}

extension OutputHeadResource: HandedOver {
    struct Record: Codable {
        var sent: OutputHeadState
        var isFinished: Bool
        var modes: [ObjectID]

        func make(_ version: UInt32, _ reader: HandOverReader) throws {
            let object = OutputHeadResource(reader.client, version: version, state: sent)
            object.isFinished = isFinished
            object.modes = try modes.map { try reader.resource($0) }
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .outputHead(Record(sent: sent, isFinished: isFinished, modes: modes.filter(\.isAlive).map(\.id)))
    }
}

extension OutputModeResource: HandedOver {
    struct Record: Codable {
        var head: String
        var mode: Screen.Mode

        func make(_ version: UInt32, _ reader: HandOverReader) {
            _ = OutputModeResource(reader.client, version: version, head: head, mode: mode)
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State { .outputMode(Record(head: head, mode: mode)) }
}

extension OutputConfigurationResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .outputConfiguration(isUsed: isUsed) }
}

extension OutputConfigurationHeadResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .outputConfigurationHead(configuration.id) }
}

extension WlOutput.Transform: Codable {}
