// The clipboard and the primary selection.

import MullionSystem
import MullionWayland

/// A client's data source.
protocol SelectionSource: Resource {
    var types: OfferedTypes { get }
    /// Called when the source is no longer needed.
    func cancel()
    /// Asks the client to write the data of a type; the descriptor is sent with the request and not kept.
    func provide(_ type: String, to descriptor: OwnedDescriptor)
}

/// An object that receives a selection's changes.
protocol SelectionDevice: Resource {
    /// Sends a new offer of the source, or that there is none.
    func offer(_ source: (any SelectionSource)?)
}

/// The source of a selection and its receiver: the client that has the keyboard. The data flow from client to client.
/// Clients with the right `clipboard` receive and set it as well, with or without the keyboard. The manager of an X server
/// does so while that has the keyboard.
///
/// A client that loses the keyboard is sent nothing and its offer stays valid, so that a paste in progress is not cut
/// off: programs paste while they close the window that got them the offer. An offer always refers to its source and no
/// later one.
final class Selection {
    enum Kind: String, CaseIterable, Codable { case clipboard, primary }

    private let kind: Kind
    private unowned let seat: ServerSeat
    private let devices: (ClientSeat) -> [any SelectionDevice]
    private(set) var source: (any SelectionSource)?
    /// The serial of the input event with which the source was set, or the last one when it was set without.
    private(set) var serial: UInt32 = 0
    /// The client that has the keyboard.
    var focus: Client? {
        didSet {
            guard focus !== oldValue else { return }
            offer()
        }
    }
    /// Whether the client that has the keyboard has yet to receive the selection, which another one has changed.
    private(set) var isUnsent = false

    init(_ seat: ServerSeat, _ kind: Kind, _ devices: @escaping (ClientSeat) -> [any SelectionDevice]) {
        self.seat = seat
        self.kind = kind
        self.devices = devices
    }

    func didAdd(_ device: any SelectionDevice) {
        if device.connection === focus || device.connection === manager { device.offer(source) }
    }

    /// The manager of the X server that has the keyboard.
    private var manager: Client? { focus?.x11Server?.client }

    /// Sets the selection. Only the client that has the keyboard may, with the serial of an event of this seat (K1)
    /// that is not older than the last one used; other requests are ignored and their source is cancelled.
    func set(_ new: (any SelectionSource)?, serial: UInt32, by client: Client) {
        // A manager receives no input events.
        if client === manager {
            self.serial = seat.server.serial
            return changeAndOffer(new)
        }
        let isLate = source != nil && serial.isBefore(self.serial)
        guard client === focus, !isLate, !seat.server.serial.isBefore(serial), !seat.isForeign(serial) else {
            if new !== source { new?.cancel() }
            return
        }
        self.serial = serial
        changeAndOffer(new)
    }

    private func changeAndOffer(_ new: (any SelectionSource)?) {
        change(to: new)
        if isUnsent { offer() }
    }

    /// Sets the selection for a client with the right `clipboard`. A later request of the client that has the keyboard
    /// is ignored if its event was an earlier one.
    func replace(with new: (any SelectionSource)?) {
        serial = seat.server.serial
        change(to: new)
    }

    /// Restores the state of another server.
    func restore(_ source: (any SelectionSource)?, serial: UInt32, isUnsent: Bool) {
        self.source = source
        self.serial = serial
        self.isUnsent = isUnsent
    }

    /// Called when a source is destroyed, which clears its selection.
    func sourceWillBeDestroyed(_ old: any SelectionSource) {
        guard source === old else { return }
        source = nil
        didChange()
    }

    private func change(to new: (any SelectionSource)?) {
        guard source !== new else { return }
        source?.cancel()
        source = new
        didChange()
    }

    private func didChange() {
        isUnsent = focus != nil
        seat.selections.didChange(kind)
    }

    /// Sends the client that has the keyboard what another one has changed: at the end of the turn, only the last of
    /// several changes, and once a client that does not read has caught up. Otherwise a client with the right
    /// `clipboard` could fill the connection of any other.
    func update() {
        guard isUnsent, let focus, !focus.isClosed else { return }
        guard !focus.transport.isCongested, manager?.transport.isCongested != true else {
            seat.server.watchersWait = true
            return
        }
        offer()
    }

    private func offer() {
        isUnsent = false
        guard let focus else { return }
        for device in devices(focus.seat(seat)) { device.offer(source) }
        guard let manager, !manager.isClosed else { return }
        for device in devices(manager.seat(seat)) { device.offer(source) }
    }
}

/// The two selections of a seat.
final class Selections {
    private unowned let server: DisplayServer
    /// wl_data_device
    let clipboard: Selection
    /// zwp_primary_selection_device_v1
    let primary: Selection
    /// The objects of clients that control the selections.
    var controls: [DataControlDeviceResource] = []
    /// The client that has the keyboard; set it before notifying the client.
    var focus: Client? {
        didSet {
            clipboard.focus = focus
            primary.focus = focus
            server.watchersNeedUpdate = true
        }
    }

    init(_ seat: ServerSeat) {
        server = seat.server
        clipboard = Selection(seat, .clipboard) { $0.dataDevices }
        primary = Selection(seat, .primary) { $0.primaryDevices }
    }

    subscript(kind: Selection.Kind) -> Selection {
        switch kind {
        case .clipboard: clipboard
        case .primary: primary
        }
    }

    fileprivate func didChange(_ kind: Selection.Kind) {
        server.watchersNeedUpdate = true
        for device in controls { device.didChange(kind) }
    }

    /// Sends what has changed to the client that has the keyboard, and to those that control the selections.
    func update() {
        clipboard.update()
        primary.update()
        for device in controls { device.update() }
    }

    func clientDidClose(_ client: Client) {
        if focus === client { focus = nil }
    }
}

extension SelectionSource {
    /// Asks the client to write the data of a type. For types that are no longer offered, and clients that do not
    /// read, the receiver gets an empty pipe. A file on a file system that may wait, such as FUSE, is not passed on: even
    /// closing it could hold the client up.
    func write(_ type: String, to descriptor: OwnedDescriptor) {
        guard types.contains(type), !client.isFullOfDescriptors, DescriptorKind(descriptor).canBeNamed else { return }
        provide(type, to: descriptor)
    }
}

extension UInt32 {
    /// Whether this serial was issued before another; serials count up and wrap around.
    func isBefore(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) < 0 }
}
