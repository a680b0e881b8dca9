// A client's side of the clipboard and the primary selection.

import MullionSystem

/// One of the two selections of a seat.
package protocol SelectionLink: AnyObject {
    /// Called when the content has changed: with its types, best first; empty when there is none. It may be this client's
    /// own.
    var onOffer: (([String]) -> Void)? { get set }
    /// Called when the content that this client offered was replaced or refused.
    var onReplace: (() -> Void)? { get set }
    /// Called when a client reads the content, which is to be written to the descriptor.
    var onWanted: ((String, OwnedDescriptor) -> Void)? { get set }
    /// Whether this client's content is the last it has offered, and was not replaced or refused.
    var isOffering: Bool { get }
    /// Replaces the content by this client's, of these types; empty: by nothing.
    /// - Parameter serial: of the input event that causes it.
    func offer(_ types: [String], serial: UInt32)
    /// Clears the selection if it is still this client's own: what another client has offered meanwhile stays.
    func withdraw()
    /// Asks the client whose content was offered last to write it to the descriptor.
    func receive(_ type: String, _ descriptor: OwnedDescriptor)
    /// Gives up what another client offered last.
    func forgetOffer()
    /// Gives everything up.
    func stop()
}

/// A selection, by the objects of one of the two protocols.
package final class ClientSelection<Kind: SelectionProtocol>: SelectionLink {
    package var onOffer: (([String]) -> Void)?
    package var onReplace: (() -> Void)?
    package var onWanted: ((String, OwnedDescriptor) -> Void)?
    private let manager: Proxy<Kind.Manager>
    private let device: Proxy<Kind.Device>
    private let maximumTypes: Int
    private var source: Proxy<Kind.Source>?
    /// Offers whose use is not known yet: they may belong to a drag.
    private var coming: [ObjectID: (offer: Proxy<Kind.Offer>, types: [String])] = [:]
    private var current: Proxy<Kind.Offer>?

    /// - Parameter maximumTypes: of one offer; later ones are ignored.
    package init(_ manager: Proxy<Kind.Manager>, seat: Proxy<WlSeat>, maximumTypes: Int = .max) {
        self.manager = manager
        self.maximumTypes = maximumTypes
        device = Proxy<Kind.Device>(manager.connection, version: manager.version)
        manager.send(Kind.getDevice(device.id, seat: seat.id))
        device.onEvent = { [weak self] event in self?.handle(Kind.event(event)) }
    }

    package var isOffering: Bool { source != nil }

    package func offer(_ types: [String], serial: UInt32) {
        let old = source
        source = types.isEmpty ? nil : makeSource(types)
        device.send(Kind.setSelection(source?.id, serial: serial))
        old?.send(Kind.destroySource)
    }

    package func withdraw() {
        source?.send(Kind.destroySource)
        source = nil
    }

    private func makeSource(_ types: [String]) -> Proxy<Kind.Source> {
        let source = Proxy<Kind.Source>(manager.connection, version: manager.version)
        manager.send(Kind.createSource(source.id))
        for type in types { source.send(Kind.offer(type)) }
        source.onEvent = { [weak self, weak source] event in
            guard let self, let source else { return }
            handle(Kind.event(event), of: source)
        }
        return source
    }

    package func receive(_ type: String, _ descriptor: OwnedDescriptor) {
        current?.send(Kind.receive(type, descriptor))
    }

    package func forgetOffer() {
        current?.send(Kind.destroyOffer)
        current = nil
    }

    package func stop() {
        device.onEvent = nil
        withdraw()
        forgetOffer()
        for (_, value) in coming { value.offer.send(Kind.destroyOffer) }
        coming = [:]
        if let request = Kind.release(version: device.version) { device.send(request) }
    }

    private func handle(_ event: SelectionDeviceEvent?) {
        switch event {
        case .offer(let id):
            let offer = Proxy<Kind.Offer>(manager.connection, id: id, version: device.version)
            coming[id] = (offer, [])
            offer.onEvent = { [weak self] event in
                guard let self, let type = Kind.type(event), let count = coming[id]?.types.count,
                    count < maximumTypes
                else { return }
                coming[id]?.types.append(type)
            }
        case .selection(let id):
            forgetOffer()
            let found = id.flatMap { coming.removeValue(forKey: $0) }
            current = found?.offer
            onOffer?(found?.types ?? [])
        case .drag(let id): coming.removeValue(forKey: id)?.offer.send(Kind.destroyOffer)
        case nil: break
        }
    }

    private func handle(_ event: SelectionSourceEvent?, of source: Proxy<Kind.Source>) {
        switch event {
        case .send(let type, let descriptor):
            if source === self.source { onWanted?(type, descriptor) }
        case .cancelled:
            source.send(Kind.destroySource)
            guard source === self.source else { return }
            self.source = nil
            onReplace?()
        case nil: break
        }
    }
}
