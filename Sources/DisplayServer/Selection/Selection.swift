// The clipboard.

import Wayland

/// Who offers the selection, and who is told of it: the client that has the keyboard.
final class Selection {
    private unowned let server: DisplayServer
    private(set) var source: DataSourceResource?
    /// The client that has the keyboard.
    var focus: Client? {
        didSet { if focus !== oldValue { offer() } }
    }

    init(_ server: DisplayServer) { self.server = server }

    func didAdd(_ device: DataDeviceResource) {
        if device.connection === focus { offer(to: device) }
    }

    /// Only the client that has the keyboard sets the selection; what others ask is too late and is ignored.
    func set(_ new: DataSourceResource?, by client: Client) {
        guard client === focus else {
            new?.send(WlDataSource.Event.cancelled)
            return
        }
        replace(new)
    }

    /// The source goes, and the selection with it.
    func sourceWillBeDestroyed(_ old: DataSourceResource) {
        if source === old {
            source = nil
            offer()
        }
    }

    func clientDidClose(_ client: Client) {
        if focus === client { focus = nil }
    }

    private func replace(_ new: DataSourceResource?) {
        guard source !== new else { return }
        source?.send(WlDataSource.Event.cancelled)
        source = new
        offer()
    }

    private func offer() {
        for device in focus?.dataDevices ?? [] { offer(to: device) }
    }

    private func offer(to device: DataDeviceResource) {
        guard let source else {
            device.send(WlDataDevice.Event.selection(id: nil))
            return
        }
        let offer = DataOfferResource(device.client, version: device.version, source: source)
        device.send(WlDataDevice.Event.dataOffer(id: offer.id))
        for type in source.types { offer.send(WlDataOffer.Event.offer(mimeType: type)) }
        device.send(WlDataDevice.Event.selection(id: offer.id))
    }
}
