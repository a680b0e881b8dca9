// The primary pasteboard on the wire: zwp_primary_selection_device_v1.

import MullionWayland
import System

/// The primary selection.
@MainActor final class PrimaryLink: PasteboardLink {
    var onEvent: ((PasteboardLinkEvent) -> Void)?
    private unowned let application: Application
    private weak var seat: Seat?
    private var manager: Proxy<ZwpPrimarySelectionDeviceManagerV1>?
    private var device: Proxy<ZwpPrimarySelectionDeviceV1>?
    private var source: Proxy<ZwpPrimarySelectionSourceV1>?
    private var coming: [ObjectID: (offer: Proxy<ZwpPrimarySelectionOfferV1>, types: [String])] = [:]
    private var offer: Proxy<ZwpPrimarySelectionOfferV1>?

    init(_ application: Application) {
        self.application = application
        guard let seat = application.firstSeat,
            let manager = application.globals.bindOptional(ZwpPrimarySelectionDeviceManagerV1.self)
        else { return }
        let device = Proxy<ZwpPrimarySelectionDeviceV1>(application.connection, version: manager.version)
        device.onEvent = { [weak self] event in self?.handle(event) }
        manager.send(.getDevice(id: device.id, seat: seat.proxy.id))
        (self.seat, self.manager, self.device) = (seat, manager, device)
    }

    func offer(_ types: [String]) {
        guard let manager, let device, let seat else { return }
        let old = source
        source = nil
        if !types.isEmpty {
            let source = Proxy<ZwpPrimarySelectionSourceV1>(application.connection, version: manager.version)
            source.onEvent = { [weak self, weak source] event in
                guard let self, let source else { return }
                self.handle(event, of: source)
            }
            manager.send(.createSource(id: source.id))
            for type in types { source.send(.offer(mimeType: type.forWire)) }
            self.source = source
        }
        device.send(.setSelection(source: source?.id, serial: seat.keyboardSerial))
        old?.send(.destroy)
    }

    func receive(_ type: String, _ descriptor: OwnedDescriptor) {
        offer?.send(.receive(mimeType: type, fd: descriptor))
    }

    func forgetOffer() {
        offer?.send(.destroy)
        offer = nil
    }

    private func handle(_ event: ZwpPrimarySelectionDeviceV1.Event) {
        switch event {
        case .dataOffer(let id):
            let offer = Proxy<ZwpPrimarySelectionOfferV1>(application.connection, id: id, version: device?.version ?? 1)
            coming[id] = (offer, [])
            offer.onEvent = { [weak self] event in
                if case .offer(let type) = event { self?.coming[id]?.types.append(type) }
            }
        case .selection(let id):
            forgetOffer()
            let (offer, types) = id.flatMap { coming.removeValue(forKey: $0) } ?? (nil, [])
            self.offer = offer
            onEvent?(.offered(types))
        }
    }

    private func handle(_ event: ZwpPrimarySelectionSourceV1.Event, of source: Proxy<ZwpPrimarySelectionSourceV1>) {
        switch event {
        case .send(let type, let descriptor):
            guard source === self.source else { return }
            onEvent?(.wanted(type, descriptor))
        case .cancelled:
            source.send(.destroy)
            guard source === self.source else { return }
            self.source = nil
            onEvent?(.replaced)
        }
    }
}
