// mullion_events_v1

import MullionWayland
import WindowModel

/// Sends an application the events of the windows it chose (E), grouped like UIKit's events.
final class EventsResource: Resource {
    /// The requested types per window.
    var types: [Window.ID: MullionEventsV1.EventTypes] = [:] {
        didSet { charge.bytes = types.count * MemoryCost.change }
    }
    private var charge: MemoryCharge
    /// E4.
    var receivesRemoteControl = false
    var sequences = EventSequences()
    /// The numbers of the seats that were announced.
    var knownSeats: [UInt32] = []
    /// The group of touches being sent (E9).
    private var group: UInt64?

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        charge = MemoryCharge(to: client.holdings)
        try super.init(client, id: id, version: version)
        try client.checkBindings(client.eventsResources.count)
        client.eventsResources.append(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        // Send earlier events according to the previous choice.
        server.deliverEffects()
        switch try decode(MullionEventsV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setTypes(let window, let types):
            let resource = try connection.resource(window, as: WindowResource.self)
            let known = MullionEventsV1.EventTypes.allValues.reduce(0, |)
            guard types.rawValue & ~known == 0 else {
                throw ProtocolError(
                    object: id, code: MullionEventsV1.Error.invalidTypes.rawValue,
                    message: "the types \(types.rawValue) have bits beyond \(known)")
            }
            guard let window = resource.window else { return }
            sequences.removeAll(of: window) { !types.contains($0.bit) }
            self.types[window] = types.isEmpty ? nil : types
        case .beginReceivingRemoteControlEvents: setReceivesRemoteControl(true)
        case .endReceivingRemoteControlEvents: setReceivesRemoteControl(false)
        }
    }

    override func willDestroy() {
        client.eventsResources.removeAll { $0 === self }
        setReceivesRemoteControl(false)
    }

    /// Called when the window's object is destroyed, after which none of its events can be sent.
    func forget(_ window: Window.ID) {
        types[window] = nil
        sequences.removeAll(of: window) { _ in true }
    }

    /// E4: the application receives commands while any of its objects does.
    private func setReceivesRemoteControl(_ receives: Bool) {
        guard receives != receivesRemoteControl else { return }
        receivesRemoteControl = receives
        guard !client.eventsResources.contains(where: { $0 !== self && $0.receivesRemoteControl }) else { return }
        let application = client.application
        server.logErrors { () throws(ModelError) in
            if receives {
                try server.model.beginReceivingRemoteControlEvents(application)
            } else {
                try server.model.endReceivingRemoteControlEvents(application)
            }
        }
    }

    // MARK: Delivery

    /// What became of an event.
    enum Delivery {
        case notRequested, sent
        /// It was sent in a new group, which `endGroup` must end.
        case groupBegun
    }

    /// Sends the event, if it was requested.
    func deliver(_ event: Event) -> Delivery {
        if case .remoteControl(let command) = event.detail {
            guard receivesRemoteControl else { return .notRequested }
            begin(event, MullionEventsV1.Subtype(rawValue: UInt32(command.rawValue)))
            send(MullionEventsV1.Event.done)
            return .sent
        }
        let isPencilAbove = event.kind == .hover && event.touchAttributes != nil
        guard knowsPencils || !isPencilAbove else { return .notRequested }
        guard let window = event.window, types[window]?.contains(event.kind.bit) == true,
            case .window(let resource) = server.windows[window], let place = place(of: event, in: resource),
            let (phase, buttons) = sequences.follow(event, in: window)
        else { return .notRequested }
        let event = client.seen(event)
        guard event.kind == .touches, case .touch = event.detail else {
            begin(event, event.kind == .motion ? .motionShake : .none)
            sendEvent(event, phase.wire, buttons: buttons, at: place)
            send(MullionEventsV1.Event.done)
            return .sent
        }
        let isNew = group != event.group
        let wasOpen = group != nil
        if isNew { begin(event, .none) }
        group = event.group
        sendEvent(event, phase.wire, buttons: 0, at: place)
        return isNew && !wasOpen ? .groupBegun : .sent
    }

    /// Whether the client knows the event `pencil`. One of an earlier version would take a hovering pencil for the
    /// pointer.
    var knowsPencils: Bool { version >= 2 }

    /// Ends the group of touches, if one is open.
    func endGroup() {
        guard group != nil else { return }
        group = nil
        send(MullionEventsV1.Event.done)
    }

    private func begin(_ event: Event, _ subtype: MullionEventsV1.Subtype) {
        endGroup()
        if !knownSeats.contains(event.seat.rawValue) {
            knownSeats.append(event.seat.rawValue)
            let name = server.model.seat(event.seat)?.name ?? ""
            send(MullionEventsV1.Event.seat(seat: event.seat.rawValue, name: name))
        }
        send(
            MullionEventsV1.Event.event(
                type: MullionEventsV1.EventType(rawValue: UInt32(event.kind.rawValue)), subtype: subtype,
                seat: event.seat.rawValue, serialHi: UInt32(event.group >> 32),
                serialLo: UInt32(truncatingIfNeeded: event.group), timeHi: UInt32(event.timestamp >> 32),
                timeLo: UInt32(truncatingIfNeeded: event.timestamp)))
    }

    /// The position of an event, for the client; nil when it is in another client's window: the pop-up of an input
    /// method.
    private func place(of event: Event, in window: WindowResource) -> EventPlace? {
        let surface = event.surface.flatMap { server.surfaces[$0] }
        guard surface == nil || surface?.client === client else { return nil }
        var location = event.location
        // The surface was destroyed: it cannot be named, and there are no points relative to it.
        if surface == nil, event.surface != nil {
            location = window.window.flatMap { server.model.convertFromScreen(event.screenLocation, to: $0) } ?? .zero
        }
        let screen = event.screen.flatMap { id in client.screens.first { $0.screen == id } }
        return EventPlace(
            window: window.id, surface: surface?.id, screen: screen?.id, location: location,
            screenLocation: client.seen(event).screenLocation)
    }
}
