// Drags as Wayland has them.

import MullionSystem
import MullionWayland
import X11

/// Where a drag enters a window, and what is dragged.
struct DragEntry {
    var serial: UInt32
    /// In the window, in points.
    var x: Double
    var y: Double
    var offer: ObjectID
}

/// The manager's part in drags of a seat: wl_data_device.
final class DragLink {
    /// Called when the drag moves in a window, by the place in it.
    var onMotion: ((Double, Double) -> Void)?
    var onLeave: (() -> Void)?
    var onDrop: (() -> Void)?
    private let connection: ClientConnection
    private let manager: Proxy<WlDataDeviceManager>
    private let device: Proxy<WlDataDevice>
    private var coming: [ObjectID: DragOffer] = [:]

    init?(_ link: ServerLink, _ server: Proxy<MullionX11ServerV1>) {
        // Actions are as old as version 3.
        guard let manager = link.dataDevices, let seat = link.seat, manager.version >= 3 else { return nil }
        connection = link.connection
        self.manager = manager
        device = Proxy<WlDataDevice>(connection, version: manager.version)
        manager.send(.getDataDevice(id: device.id, seat: seat.id))
        server.send(.receiveDrags(device: device.id))
        device.onEvent = { [unowned self] event in handle(event) }
    }

    private func handle(_ event: WlDataDevice.Event) {
        switch event {
        case .dataOffer(let id): coming[id] = DragOffer(connection, id, version: device.version)
        // The clipboard has a device of its own.
        case .selection(let id): drop(id)
        case .enter(_, _, _, _, let id): drop(id)
        case .motion(_, let x, let y): onMotion?(x.double, y.double)
        case .leave: onLeave?()
        case .drop: onDrop?()
        }
    }

    private func drop(_ id: ObjectID?) {
        if let id { coming.removeValue(forKey: id)?.end() }
    }

    /// The offer that a drag has entered a window with.
    func take(_ id: ObjectID) -> DragOffer? { coming.removeValue(forKey: id) }

    /// A source for a program's drag.
    func source(_ types: [String], _ actions: DragActionMask) -> Proxy<WlDataSource> {
        let source = Proxy<WlDataSource>(connection, version: manager.version)
        manager.send(.createDataSource(id: source.id))
        for type in types { source.send(.offer(mimeType: type)) }
        source.send(.setActions(dndActions: WlDataDeviceManager.DndAction(rawValue: actions.rawValue)))
        return source
    }

    func stop() {
        device.onEvent = nil
        for offer in coming.values { offer.end() }
        coming = [:]
        device.send(.release)
    }
}

/// What a Wayland program drags.
final class DragOffer {
    private(set) var types: [String] = []
    /// What its source can do.
    private(set) var actions: DragActionMask = []
    /// What a drop would do.
    private(set) var action: DragActionMask = []
    /// Called when one of the actions changes.
    var onAction: (() -> Void)?
    private let proxy: Proxy<WlDataOffer>
    private var hasEnded = false

    init(_ connection: ClientConnection, _ id: ObjectID, version: UInt32) {
        proxy = Proxy<WlDataOffer>(connection, id: id, version: version)
        proxy.onEvent = { [unowned self] event in
            switch event {
            case .offer(let type): if types.count < SelectionTypes.maximum { types.append(type) }
            case .sourceActions(let mask):
                actions = DragActionMask(rawValue: mask.rawValue)
                onAction?()
            case .action(let mask):
                action = DragActionMask(rawValue: mask.rawValue)
                onAction?()
            }
        }
    }

    /// Accepts it with one of the actions; nil: not at all.
    func accept(_ preferred: DragActionMask?, of all: DragActionMask, serial: UInt32) {
        proxy.send(.accept(serial: serial, mimeType: preferred == nil ? nil : types.first))
        choose(preferred ?? [], of: all)
    }

    private func choose(_ preferred: DragActionMask, of all: DragActionMask) {
        proxy.send(
            .setActions(
                dndActions: WlDataDeviceManager.DndAction(rawValue: all.rawValue),
                preferredAction: WlDataDeviceManager.DndAction(rawValue: preferred.rawValue)))
    }

    func receive(_ type: String, _ descriptor: OwnedDescriptor) {
        proxy.send(.receive(mimeType: type, fd: descriptor))
    }

    /// Ends a drop that has succeeded.
    /// - Parameter done: what it did, which the source learns where its user was to choose.
    func finish(_ done: DragActionMask) {
        guard !hasEnded else { return }
        if action == .ask {
            // One that the source does not offer is no answer.
            guard done != .ask, actions.contains(done) else { return end() }
            choose(done, of: done)
        }
        proxy.send(.finish)
        end()
    }

    /// Gives the offer up; an unfinished drop fails.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        proxy.onEvent = nil
        proxy.send(.destroy)
    }
}
