// Sources and offers of data for a server that takes over.

import Wayland
import WindowModel

extension Resource {
    fileprivate var reference: ObjectReference { ObjectReference(application: client.application, object: id) }
}

extension Selection {
    struct Record: Codable {
        var source: ObjectReference?
        var serial: UInt32
    }

    var record: Record { Record(source: source?.reference, serial: serial) }
}

extension DataSourceResource: HandedOver {
    struct Record: Codable {
        var types: [String]
        var use: Use?
        var actions: UInt32?

        func make(_ id: ObjectID, _ version: UInt32, _ reader: HandOverReader) throws {
            let object = try DataSourceResource(reader.client, id: id, version: version)
            for type in types { try object.types.append(type, of: id) }
            object.use = use
            object.actions = actions.map { DragActions(rawValue: $0) }
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .dataSource(Record(types: types.all, use: use, actions: actions?.rawValue))
    }
}

extension DataOfferResource: HandedOver {
    struct Record: Codable {
        var source: ObjectReference?
        var isDrag: Bool
        var isFinished: Bool

        func make(_ version: UInt32, _ reader: HandOverReader) {
            let source = source.flatMap { reader.object($0) as? DataSourceResource }
            let object = DataOfferResource(
                reader.client, version: version, source: source, negotiation: isDrag ? DragNegotiation() : nil)
            object.isFinished = isFinished
        }
    }

    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .dataOffer(
            Record(
                source: source.flatMap { $0.isAlive ? $0.reference : nil }, isDrag: negotiation != nil,
                isFinished: isFinished))
    }
}

extension PrimarySourceResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .primarySource(types.all) }
}

extension PrimaryOfferResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .primaryOffer(source.flatMap { $0.isAlive ? $0.reference : nil })
    }
}
