// A client that controls the selections without a window.

import MullionSystem
import MullionWayland

/// A device of zwlr_data_control_manager_v1 or ext_data_control_manager_v1, and the events that it receives.
public final class TestDataControl {
    /// The two names of the protocol.
    public enum Name: String, CaseIterable, Sendable { case wlr, ext }

    public let client: TestClient
    /// The objects of both names have the same messages; `DataControlTests` compares them.
    public let manager: Proxy<ExtDataControlManagerV1>
    public let device: Proxy<ExtDataControlDeviceV1>
    public private(set) var clipboard: Proxy<ExtDataControlOfferV1>?
    public private(set) var primary: Proxy<ExtDataControlOfferV1>?
    /// The received events, in order.
    public private(set) var events: [String] = []
    /// Requests for the data of the sources.
    public private(set) var requests: [(type: String, end: OwnedDescriptor)] = []
    private var offers: [ObjectID: (proxy: Proxy<ExtDataControlOfferV1>, types: [String])] = [:]

    public init(_ client: TestClient, _ name: Name = .ext, version: UInt32? = nil, seat index: Int = 0) throws {
        self.client = client
        let seat = try client.seat(index)
        let interface = name == .ext ? ExtDataControlManagerV1.name : ZwlrDataControlManagerV1.name
        guard let global = client.globals.first(where: { $0.interface == interface }) else {
            throw FixtureError("the server has no \(interface)")
        }
        let version = version ?? global.version
        manager = Proxy(client.connection, version: version)
        client.registry.send(
            .bind(name: global.name, id: AnyNewID(interface: interface, version: version, id: manager.id)))
        device = Proxy(client.connection, version: version)
        manager.send(.getDataDevice(id: device.id, seat: seat.id))
        device.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .dataOffer(let id): add(id)
            case .selection(let id):
                clipboard = id.flatMap { offers[$0]?.proxy }
                events.append("clipboard \(types(id))")
            case .finished: events.append("finished")
            case .primarySelection(let id):
                primary = id.flatMap { offers[$0]?.proxy }
                events.append("primary \(types(id))")
            }
        }
    }

    private func types(_ id: ObjectID?) -> String { id.flatMap { offers[$0]?.types }?.joined(separator: " ") ?? "nil" }

    private func add(_ id: ObjectID) {
        let offer = Proxy<ExtDataControlOfferV1>(client.connection, id: id, version: device.version)
        offers[id] = (offer, [])
        offer.onEvent = { [weak self] event in
            if case .offer(let type) = event { self?.offers[id]?.types.append(type) }
        }
    }

    public func source(_ types: [String]) -> Proxy<ExtDataControlSourceV1> {
        let source = Proxy<ExtDataControlSourceV1>(client.connection, version: device.version)
        manager.send(.createDataSource(id: source.id))
        for type in types { source.send(.offer(mimeType: type)) }
        source.onEvent = { [weak self] event in
            switch event {
            case .send(let type, let end): self?.requests.append((type, end))
            case .cancelled: self?.events.append("cancelled")
            }
        }
        return source
    }

    /// Sets the clipboard.
    @discardableResult
    public func copy(_ types: [String]) -> Proxy<ExtDataControlSourceV1> {
        let source = source(types)
        device.send(.setSelection(source: source.id))
        return source
    }

    /// Requests the data of an offer; returns the end to read from, non-blocking.
    public func receive(_ type: String, from offer: Proxy<ExtDataControlOfferV1>?) throws -> OwnedDescriptor {
        let (read, write) = try TestPipe.make()
        offer?.send(.receive(mimeType: type, fd: write))
        return read
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
