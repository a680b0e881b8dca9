// A client's tablet, and the events of its tools.

import MullionWayland

/// zwp_tablet_seat_v2 with what it announces: every event of a tool is a line, without serials and times.
public final class TestTablet {
    public let seat: Proxy<ZwpTabletSeatV2>
    public private(set) var tablets: [Proxy<ZwpTabletV2>] = []
    /// The pen, then the eraser.
    public private(set) var tools: [Proxy<ZwpTabletToolV2>] = []
    /// What was sent to describe tablet and tools.
    public private(set) var description: [String] = []
    /// Of the last touch that began.
    public private(set) var pressSerial: UInt32 = 0
    private var lines: [String] = []

    public init(_ client: TestClient, seat index: Int? = nil) throws {
        let manager = try client.bind(ZwpTabletManagerV2.self)
        let owner = try index.map { try client.seat($0, version: 9) } ?? client.bind(WlSeat.self)
        seat = Proxy(client.connection, version: 1)
        manager.send(.getTabletSeat(tabletSeat: seat.id, seat: owner.id))
        manager.send(.destroy)
        let connection = client.connection
        seat.onEvent = { [weak self] event in
            switch event {
            case .tabletAdded(let id): self?.add(Proxy<ZwpTabletV2>(connection, id: id, version: 1))
            case .toolAdded(let id): self?.add(Proxy<ZwpTabletToolV2>(connection, id: id, version: 1))
            case .padAdded: self?.description.append("pad")
            }
        }
    }

    /// Takes the events since the last call.
    public func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    private func add(_ tablet: Proxy<ZwpTabletV2>) {
        tablets.append(tablet)
        tablet.onEvent = { [weak self] event in
            switch event {
            case .name(let name): self?.description.append("tablet \(name)")
            case .id, .path, .removed: self?.description.append("unexpected")
            case .done: self?.description.append("done")
            }
        }
    }

    private func add(_ tool: Proxy<ZwpTabletToolV2>) {
        tools.append(tool)
        let name = tools.count == 1 ? "pen" : "eraser"
        tool.onEvent = { [weak self] event in self?.heard(event, name) }
    }

    private func heard(_ event: ZwpTabletToolV2.Event, _ name: String) {
        switch event {
        case .type(let type): description.append("\(name) \(type.rawValue)")
        case .hardwareSerial(let hi, let lo): description.append("serial \(hi) \(lo)")
        case .capability(let capability): description.append("can \(capability.rawValue)")
        case .done: description.append("done")
        case .hardwareIdWacom, .removed, .slider, .wheel: description.append("unexpected")
        case .proximityIn(_, _, let surface): lines.append("\(name) in \(surface)")
        case .proximityOut: lines.append("\(name) out")
        case .down(let serial):
            pressSerial = serial
            lines.append("\(name) down")
        case .up: lines.append("\(name) up")
        case .motion(let x, let y): lines.append("at \(x.double),\(y.double)")
        case .pressure(let pressure): lines.append("pressure \(pressure)")
        case .distance(let distance): lines.append("distance \(distance)")
        case .tilt(let x, let y): lines.append("tilt \(x.double.rounded()),\(y.double.rounded())")
        case .rotation(let degrees): lines.append("rotation \(degrees.double.rounded())")
        case .button(_, let button, let state): lines.append("button \(button) \(state.rawValue)")
        case .frame: lines.append("frame")
        }
    }
}
