// Remote control: for the applications that asked for it (E4).

extension WindowModel {
    /// E4: the application receives remote-control events from now on. As in UIKit, calls do not nest.
    public func beginReceivingRemoteControlEvents(_ id: Application.ID) throws(ModelError) {
        let node = try node(id)
        guard !node.value.receivesRemoteControlEvents else { return }
        node.value.receivesRemoteControlEvents = true
        remoteReceivers.append(node)
    }

    /// E4: the application no longer receives remote-control events. Does nothing if it did not.
    public func endReceivingRemoteControlEvents(_ id: Application.ID) throws(ModelError) {
        let node = try node(id)
        node.value.receivesRemoteControlEvents = false
        remoteReceivers.removeAll { $0 === node }
    }

    /// Injects a command of a seat's remote control; `time` in microseconds. Every application that asked receives it:
    /// the one of the seat's key window first, then in the order of asking (E4). `explain` fills `Routing.candidates`
    /// with the other applications, the key window's first. Throws K1 for an unknown seat.
    @discardableResult
    public func remoteControl(
        _ command: Event.RemoteCommand, seat: Seat.ID = .first, time: UInt64, explain: Bool = false
    ) throws(ModelError) -> Routing {
        let seat = try node(seat)
        beginInput(of: seat, at: time)
        let key = seat.key?.application
        var receivers = remoteReceivers.map(\.value.id).filter(admitsInput)
        if let key, let index = receivers.firstIndex(of: key.value.id) {
            receivers.insert(receivers.remove(at: index), at: 0)
        }
        for receiver in receivers {
            let serial = nextSerial()
            record(
                .deliver(
                    Event(
                        kind: .remoteControl, phase: .began, detail: .remoteControl(command), seat: seat.id,
                        application: receiver, window: nil, surface: nil, location: .zero, screenLocation: .zero,
                        screen: nil, touchAttributes: nil, timestamp: now, serial: serial, group: serial)))
        }
        return Routing(
            outcome: receivers.isEmpty
                ? .dropped(remoteReceivers.isEmpty ? .notReceiving : restriction ?? .notReceiving)
                : .received(receivers),
            candidates: explain ? notReceiving(first: key?.value.id) : [])
    }

    private func notReceiving(first: Application.ID?) -> [Routing.Candidate] {
        applicationNodes.values.map(\.value)
            .filter { !$0.receivesRemoteControlEvents || !admitsInput(of: $0.id) }
            .sorted { ($0.id == first ? 0 : 1, $0.id) < ($1.id == first ? 0 : 1, $1.id) }
            .map {
                let reason = $0.receivesRemoteControlEvents ? restriction : nil
                return Routing.Candidate(application: $0.id, window: nil, reason: reason ?? .notReceiving)
            }
    }
}
