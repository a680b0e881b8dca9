// A client that copies, pastes, drags and accepts drops, and records its events.

import Glibc
import MullionSystem
import MullionWayland

/// A data device with a pointer and a finger of the same seat.
public final class TestDataDevice {
    public let client: TestClient
    public let version: UInt32
    public let manager: Proxy<WlDataDeviceManager>
    public let device: Proxy<WlDataDevice>
    private let pointer: Proxy<WlPointer>
    private let touch: Proxy<WlTouch>
    /// The received events, in order: "enter 3 10.0,20.0", "source finished" and the like.
    public private(set) var events: [String] = []
    /// The serial of the last button or finger that went down.
    public private(set) var press: UInt32 = 0
    /// The offer of the drag that entered last, and of the selection.
    public private(set) var drag: Proxy<WlDataOffer>?
    public private(set) var selection: Proxy<WlDataOffer>?
    /// Requests for the data of the sources.
    public private(set) var requests: [(type: String, end: OwnedDescriptor)] = []
    /// Called at every event of a drag, to respond as a program would.
    public var onDrag: ((WlDataDevice.Event) -> Void)?
    public var onPress: (() -> Void)?
    /// The types of every offer.
    public private(set) var types: [ObjectID: [String]] = [:]
    private var offers: [ObjectID: Proxy<WlDataOffer>] = [:]

    public init(_ client: TestClient, version: UInt32 = 3, seat index: Int = 0) throws {
        self.client = client
        self.version = version
        let seat = try client.seat(index)
        pointer = Proxy(client.connection, version: seat.version)
        touch = Proxy(client.connection, version: seat.version)
        seat.send(.getPointer(id: pointer.id))
        seat.send(.getTouch(id: touch.id))
        manager = try client.bind(WlDataDeviceManager.self, version: version)
        device = Proxy(client.connection, version: version)
        manager.send(.getDataDevice(id: device.id, seat: seat.id))
        // A script may have released it while events are in flight.
        device.onEvent = { [weak self] in self?.heard($0) }
        pointer.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .enter(_, let surface, let x, let y): events.append("pointer enter \(surface) \(x.double),\(y.double)")
            case .leave(_, let surface): events.append("pointer leave \(surface)")
            case .button(let serial, _, _, let state):
                events.append("button \(state.rawValue)")
                if state == .pressed { pressed(serial) }
            default: break
            }
        }
        touch.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .down(let serial, _, _, let id, _, _):
                events.append("down \(id)")
                pressed(serial)
            case .up(_, _, let id): events.append("up \(id)")
            case .cancel: events.append("touch cancel")
            default: break
            }
        }
    }

    private func pressed(_ serial: UInt32) {
        press = serial
        onPress?()
    }

    private func heard(_ event: WlDataDevice.Event) {
        switch event {
        case .dataOffer(let id): add(id)
        case .enter(_, let surface, let x, let y, let offer):
            events.append("enter \(surface) \(x.double),\(y.double)\(offer == nil ? " alone" : "")")
            drag = offer.flatMap { offers[$0] }
        case .leave: events.append("leave")
        case .motion(_, let x, let y): events.append("motion \(x.double),\(y.double)")
        case .drop: events.append("drop")
        case .selection(let offer): selection = offer.flatMap { offers[$0] }
        }
        onDrag?(event)
    }

    private func add(_ id: ObjectID) {
        let offer = Proxy<WlDataOffer>(client.connection, id: id, version: version)
        offers[id] = offer
        types[id] = []
        offer.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .offer(let type): types[id]?.append(type)
            case .sourceActions(let actions): events.append("source actions \(actions.rawValue)")
            case .action(let action): events.append("action \(action.rawValue)")
            }
        }
    }

    /// A source of these types; with nil `actions` it sets none.
    public func source(
        _ types: [String] = ["text/plain"], actions: WlDataDeviceManager.DndAction? = [.copy, .move]
    ) -> Proxy<WlDataSource> {
        let source = Proxy<WlDataSource>(client.connection, version: version)
        manager.send(.createDataSource(id: source.id))
        for type in types { source.send(.offer(mimeType: type)) }
        if let actions, version >= 3 { source.send(.setActions(dndActions: actions)) }
        source.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .target(let type): events.append("source target \(type ?? "nil")")
            case .send(let type, let end): requests.append((type, end))
            case .cancelled: events.append("source cancelled")
            case .dndDropPerformed: events.append("source dropped")
            case .dndFinished: events.append("source finished")
            case .action(let action): events.append("source action \(action.rawValue)")
            }
        }
        return source
    }

    /// Begins a drag with the last press.
    public func startDrag(
        _ source: Proxy<WlDataSource>?, from surface: Proxy<WlSurface>, icon: Proxy<WlSurface>? = nil,
        serial: UInt32? = nil
    ) {
        device.send(
            .startDrag(source: source?.id, origin: surface.id, icon: icon?.id, serial: serial ?? press))
    }

    /// Continues with an offer that another object than the device has named.
    public func enter(_ offer: ObjectID?) { drag = offer.flatMap { offers[$0] } }

    /// Responds to a drag over the client.
    public func answer(
        _ type: String?, _ actions: WlDataDeviceManager.DndAction = [.copy],
        preferred: WlDataDeviceManager.DndAction = .copy
    ) {
        drag?.send(.accept(serial: 0, mimeType: type))
        if version >= 3 { drag?.send(.setActions(dndActions: actions, preferredAction: preferred)) }
    }

    /// Destroys every offer.
    public func destroyOffers() {
        for offer in offers.values { offer.send(.destroy) }
        offers = [:]
    }

    /// Requests data; returns the end to read from, non-blocking.
    public func receive(_ type: String, from offer: Proxy<WlDataOffer>?) throws -> OwnedDescriptor {
        let (read, write) = try TestPipe.make()
        offer?.send(.receive(mimeType: type, fd: write))
        return read
    }

    /// Answers the oldest request for data.
    public func provide(_ text: String) -> String? {
        guard !requests.isEmpty else { return nil }
        let (type, end) = requests.removeFirst()
        _ = text.withCString { write(end.rawValue, $0, text.utf8.count) }
        return type
    }

    /// Takes the events since the last call.
    public func takeEvents() -> [String] {
        defer { events = [] }
        return events
    }
}

/// Pipes like those that programs pass to each other.
public enum TestPipe {
    /// Both ends; the one to read from is non-blocking.
    public static func make() throws -> (read: OwnedDescriptor, write: OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw FixtureError("pipe: \(errorText())") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
    }

    /// Its contents; nil while a writer is left and nothing has arrived.
    public static func read(_ end: OwnedDescriptor) -> String? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(end.rawValue, &chunk, chunk.count)
        return count < 0 ? nil : String(decoding: chunk[..<count], as: UTF8.self)
    }
}
