// The two selections of a seat, as Wayland has them.

import MullionWayland
import System

/// One of the two selections.
protocol SelectionLink: AnyObject {
    /// Called when there is other content of another program: with its types, none when there is none.
    var onOffer: (([String]) -> Void)? { get set }
    /// Called when a program wants what was offered: it is to be written to the descriptor.
    var onWanted: ((String, OwnedDescriptor) -> Void)? { get set }
    /// Offers content of these types; none: takes the offer back.
    func offer(_ types: [String])
    /// Asks the program whose content was offered last to write it.
    func receive(_ type: String, _ descriptor: OwnedDescriptor)
    /// Gives everything up.
    func stop()
}

/// The clipboard: wl_data_device.
final class ClipboardLink: SelectionLink {
    var onOffer: (([String]) -> Void)?
    var onWanted: ((String, OwnedDescriptor) -> Void)?
    private let connection: ClientConnection
    private let manager: Proxy<WlDataDeviceManager>
    private let device: Proxy<WlDataDevice>
    private var source: Proxy<WlDataSource>?
    private var coming: [ObjectID: (offer: Proxy<WlDataOffer>, types: [String])] = [:]
    private var current: Proxy<WlDataOffer>?

    init?(_ link: ServerLink) {
        guard let manager = link.dataDevices, let seat = link.seat else { return nil }
        connection = link.connection
        self.manager = manager
        device = Proxy<WlDataDevice>(connection, version: manager.version)
        manager.send(.getDataDevice(id: device.id, seat: seat.id))
        device.onEvent = { [unowned self] event in handle(event) }
    }

    private func handle(_ event: WlDataDevice.Event) {
        switch event {
        case .dataOffer(let id):
            let offer = Proxy<WlDataOffer>(connection, id: id, version: device.version)
            coming[id] = (offer, [])
            offer.onEvent = { [weak self] event in
                if case .offer(let type) = event, (self?.coming[id]?.types.count ?? .max) < SelectionBridge.mostTypes {
                    self?.coming[id]?.types.append(type)
                }
            }
        case .selection(let id):
            current?.send(.destroy)
            let found = id.flatMap { coming.removeValue(forKey: $0) }
            current = found?.offer
            // What an X11 program owns comes back as an offer.
            if source == nil { onOffer?(found?.types ?? []) }
        case .enter(_, _, _, _, let id):
            if let id { coming.removeValue(forKey: id)?.offer.send(.destroy) }
        case .leave, .motion, .drop: break
        }
    }

    func offer(_ types: [String]) {
        let old = source
        source = nil
        if !types.isEmpty {
            let source = Proxy<WlDataSource>(connection, version: manager.version)
            manager.send(.createDataSource(id: source.id))
            for type in types { source.send(.offer(mimeType: type)) }
            source.onEvent = { [weak self, weak source] event in
                guard let self, let source else { return }
                switch event {
                case .send(let type, let descriptor): onWanted?(type, descriptor)
                case .cancelled:
                    source.send(.destroy)
                    if source === self.source { self.source = nil }
                case .target, .dndDropPerformed, .dndFinished, .action: break
                }
            }
            self.source = source
        }
        guard source != nil || old != nil else { return }
        // The server takes any serial from the manager of the X server that has the keyboard.
        device.send(.setSelection(source: source?.id, serial: 0))
        old?.send(.destroy)
    }

    func receive(_ type: String, _ descriptor: OwnedDescriptor) {
        current?.send(.receive(mimeType: type, fd: descriptor))
    }

    func stop() {
        device.onEvent = nil
        offer([])
        current?.send(.destroy)
        for (_, value) in coming { value.offer.send(.destroy) }
        coming = [:]
        if device.version >= 2 { device.send(.release) }
    }
}

/// What was selected last: zwp_primary_selection_device_v1.
final class PrimaryLink: SelectionLink {
    var onOffer: (([String]) -> Void)?
    var onWanted: ((String, OwnedDescriptor) -> Void)?
    private let connection: ClientConnection
    private let manager: Proxy<ZwpPrimarySelectionDeviceManagerV1>
    private let device: Proxy<ZwpPrimarySelectionDeviceV1>
    private var source: Proxy<ZwpPrimarySelectionSourceV1>?
    private var coming: [ObjectID: (offer: Proxy<ZwpPrimarySelectionOfferV1>, types: [String])] = [:]
    private var current: Proxy<ZwpPrimarySelectionOfferV1>?

    init?(_ link: ServerLink) {
        guard let manager = link.primaryDevices, let seat = link.seat else { return nil }
        connection = link.connection
        self.manager = manager
        device = Proxy<ZwpPrimarySelectionDeviceV1>(connection, version: manager.version)
        manager.send(.getDevice(id: device.id, seat: seat.id))
        device.onEvent = { [unowned self] event in handle(event) }
    }

    private func handle(_ event: ZwpPrimarySelectionDeviceV1.Event) {
        switch event {
        case .dataOffer(let id):
            let offer = Proxy<ZwpPrimarySelectionOfferV1>(connection, id: id, version: device.version)
            coming[id] = (offer, [])
            offer.onEvent = { [weak self] event in
                if case .offer(let type) = event, (self?.coming[id]?.types.count ?? .max) < SelectionBridge.mostTypes {
                    self?.coming[id]?.types.append(type)
                }
            }
        case .selection(let id):
            current?.send(.destroy)
            let found = id.flatMap { coming.removeValue(forKey: $0) }
            current = found?.offer
            if source == nil { onOffer?(found?.types ?? []) }
        }
    }

    func offer(_ types: [String]) {
        let old = source
        source = nil
        if !types.isEmpty {
            let source = Proxy<ZwpPrimarySelectionSourceV1>(connection, version: manager.version)
            manager.send(.createSource(id: source.id))
            for type in types { source.send(.offer(mimeType: type)) }
            source.onEvent = { [weak self, weak source] event in
                guard let self, let source else { return }
                switch event {
                case .send(let type, let descriptor): onWanted?(type, descriptor)
                case .cancelled:
                    source.send(.destroy)
                    if source === self.source { self.source = nil }
                }
            }
            self.source = source
        }
        guard source != nil || old != nil else { return }
        device.send(.setSelection(source: source?.id, serial: 0))
        old?.send(.destroy)
    }

    func receive(_ type: String, _ descriptor: OwnedDescriptor) {
        current?.send(.receive(mimeType: type, fd: descriptor))
    }

    func stop() {
        device.onEvent = nil
        offer([])
        current?.send(.destroy)
        for (_, value) in coming { value.offer.send(.destroy) }
        coming = [:]
        device.send(.destroy)
    }
}
