// The general pasteboard on the wire: wl_data_device.

import MullionWayland
import System

/// One of the two selections of a seat, as the protocol has it.
@MainActor protocol PasteboardLink: AnyObject {
    /// Called while bytes are read.
    var onEvent: ((PasteboardLinkEvent) -> Void)? { get set }
    /// Offers content of these types instead of the last one; empty: nothing.
    func offer(_ types: [String])
    /// Asks the program whose content was offered to write it.
    func receive(_ type: String, _ descriptor: OwnedDescriptor)
    /// The last offer will not be used.
    func forgetOffer()
}

enum PasteboardLinkEvent {
    /// There is content of these types, or none.
    case offered([String])
    /// The content that this application offered is not current any more, or was refused.
    case replaced
    /// A program reads the content; it is to be written to the descriptor, which is then closed.
    case wanted(String, OwnedDescriptor)
}

/// The clipboard.
@MainActor final class ClipboardLink: PasteboardLink {
    var onEvent: ((PasteboardLinkEvent) -> Void)?
    private unowned let application: Application
    private weak var seat: Seat?
    private var manager: Proxy<WlDataDeviceManager>?
    private var device: Proxy<WlDataDevice>?
    private var source: Proxy<WlDataSource>?
    /// Offers whose use is not known yet: they may be of a drag.
    private var coming: [ObjectID: (offer: Proxy<WlDataOffer>, types: [String])] = [:]
    private var offer: Proxy<WlDataOffer>?

    init(_ application: Application) {
        self.application = application
        guard let seat = application.firstSeat,
            let manager = application.globals.bindOptional(WlDataDeviceManager.self)
        else { return }
        let device = Proxy<WlDataDevice>(application.connection, version: manager.version)
        device.onEvent = { [weak self] event in self?.handle(event) }
        manager.send(.getDataDevice(id: device.id, seat: seat.proxy.id))
        (self.seat, self.manager, self.device) = (seat, manager, device)
    }

    func offer(_ types: [String]) {
        guard let manager, let device, let seat else { return }
        let old = source
        source = nil
        if !types.isEmpty {
            let source = Proxy<WlDataSource>(application.connection, version: manager.version)
            source.onEvent = { [weak self, weak source] event in
                guard let self, let source else { return }
                self.handle(event, of: source)
            }
            manager.send(.createDataSource(id: source.id))
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

    private func handle(_ event: WlDataDevice.Event) {
        switch event {
        case .dataOffer(let id):
            let offer = Proxy<WlDataOffer>(application.connection, id: id, version: device?.version ?? 1)
            coming[id] = (offer, [])
            offer.onEvent = { [weak self] event in
                if case .offer(let type) = event { self?.coming[id]?.types.append(type) }
            }
        case .selection(let id):
            forgetOffer()
            let (offer, types) = id.flatMap { coming.removeValue(forKey: $0) } ?? (nil, [])
            self.offer = offer
            onEvent?(.offered(types))
        case .enter(_, _, _, _, let id):
            // Nothing is dropped on windows of this library.
            if let id { coming.removeValue(forKey: id)?.offer.send(.destroy) }
        case .leave, .motion, .drop:
            break
        }
    }

    private func handle(_ event: WlDataSource.Event, of source: Proxy<WlDataSource>) {
        switch event {
        case .send(let type, let descriptor):
            guard source === self.source else { return }
            onEvent?(.wanted(type, descriptor))
        case .cancelled:
            source.send(.destroy)
            guard source === self.source else { return }
            self.source = nil
            onEvent?(.replaced)
        case .target, .dndDropPerformed, .dndFinished, .action:
            break
        }
    }
}
