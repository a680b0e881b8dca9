// A client that selects and pastes what was selected.

import MullionSystem
import MullionWayland

/// A device of the primary selection.
public final class TestPrimary {
    public let client: TestClient
    public let manager: Proxy<ZwpPrimarySelectionDeviceManagerV1>
    public let device: Proxy<ZwpPrimarySelectionDeviceV1>
    public private(set) var selection: Proxy<ZwpPrimarySelectionOfferV1>?
    /// The received events, in order.
    public private(set) var events: [String] = []
    /// Requests for the data of the sources.
    public private(set) var requests: [(type: String, end: OwnedDescriptor)] = []
    private var offers: [ObjectID: (proxy: Proxy<ZwpPrimarySelectionOfferV1>, types: [String])] = [:]

    public init(_ client: TestClient, seat index: Int = 0) throws {
        self.client = client
        let seat = try client.seat(index)
        manager = try client.bind(ZwpPrimarySelectionDeviceManagerV1.self)
        device = Proxy(client.connection, version: 1)
        manager.send(.getDevice(id: device.id, seat: seat.id))
        device.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .dataOffer(let id): add(id)
            case .selection(let id):
                selection = id.flatMap { offers[$0]?.proxy }
                let types = id.flatMap { offers[$0]?.types }
                events.append("selection \(types?.joined(separator: " ") ?? "nil")")
            }
        }
    }

    private func add(_ id: ObjectID) {
        let offer = Proxy<ZwpPrimarySelectionOfferV1>(client.connection, id: id, version: 1)
        offers[id] = (offer, [])
        offer.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .offer(let type): offers[id]?.types.append(type)
            }
        }
    }

    public func source(_ types: [String]) -> Proxy<ZwpPrimarySelectionSourceV1> {
        let source = Proxy<ZwpPrimarySelectionSourceV1>(client.connection, version: 1)
        manager.send(.createSource(id: source.id))
        for type in types { source.send(.offer(mimeType: type)) }
        source.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .send(let type, let end): requests.append((type, end))
            case .cancelled: events.append("cancelled")
            }
        }
        return source
    }

    /// Takes the events since the last call.
    public func takeEvents() -> [String] {
        defer { events = [] }
        return events
    }

    /// Takes the requests for data, to write and close.
    public func takeRequests() -> [(type: String, end: OwnedDescriptor)] {
        defer { requests = [] }
        return requests
    }
}
