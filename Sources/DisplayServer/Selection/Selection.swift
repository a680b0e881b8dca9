// The clipboard and the primary selection.

import System
import Wayland

/// What offers data: its client sends them.
protocol SelectionSource: Resource {
    var types: OfferedTypes { get }
    /// The source is of no use any more.
    func cancel()
    /// Asks the client to write the data of a type; the descriptor goes with the question and is not kept.
    func provide(_ type: String, to descriptor: OwnedDescriptor)
}

/// What a client is told by of a selection.
protocol SelectionDevice: Resource {
    /// Tells of a source, by an offer of its own, or that there is none.
    func offer(_ source: (any SelectionSource)?)
}

/// Who offers a selection, and who is told of it: the client that has the keyboard. The data flow from client to client.
///
/// An offer that a client got goes on to work when the client has lost the keyboard, so that a paste that was under way
/// is not cut off; it reaches that source and no later one.
final class Selection {
    private unowned let seat: ServerSeat
    private let devices: (ClientSeat) -> [any SelectionDevice]
    /// Whether who loses the keyboard is told that its offer is over.
    private let tellsLoss: Bool
    private(set) var source: (any SelectionSource)?
    /// Of the input event by which the source was set.
    private(set) var serial: UInt32 = 0
    /// The client that has the keyboard.
    var focus: Client? {
        didSet {
            guard focus !== oldValue else { return }
            if tellsLoss, source != nil, let oldValue { offer(nil, to: oldValue) }
            if let focus { offer(source, to: focus) }
        }
    }

    init(_ seat: ServerSeat, tellsLoss: Bool, _ devices: @escaping (ClientSeat) -> [any SelectionDevice]) {
        self.seat = seat
        self.tellsLoss = tellsLoss
        self.devices = devices
    }

    func didAdd(_ device: any SelectionDevice) {
        if device.connection === focus { device.offer(source) }
    }

    /// Only the client that has the keyboard sets the selection, by the serial of an event of this seat (K1), not older
    /// than the one that set it last; what others ask, or ask too late, is ignored and their source is cancelled.
    func set(_ new: (any SelectionSource)?, serial: UInt32, by client: Client) {
        let isLate = source != nil && serial.isBefore(self.serial)
        guard client === focus, !isLate, !seat.server.serial.isBefore(serial), !seat.isForeign(serial) else {
            if new !== source { new?.cancel() }
            return
        }
        self.serial = serial
        guard source !== new else { return }
        source?.cancel()
        source = new
        offer(new, to: client)
    }

    /// Goes on with what another server had told.
    func restore(_ source: (any SelectionSource)?, serial: UInt32) {
        self.source = source
        self.serial = serial
    }

    /// The source goes, and the selection with it.
    func sourceWillBeDestroyed(_ old: any SelectionSource) {
        guard source === old else { return }
        source = nil
        if let focus { offer(nil, to: focus) }
    }

    private func offer(_ source: (any SelectionSource)?, to client: Client) {
        for device in devices(client.seat(seat)) { device.offer(source) }
    }
}

/// The two selections of a seat.
final class Selections {
    /// wl_data_device
    let clipboard: Selection
    /// zwp_primary_selection_device_v1
    let primary: Selection
    /// The client that has the keyboard; to be set before that is told.
    var focus: Client? {
        didSet {
            clipboard.focus = focus
            primary.focus = focus
        }
    }

    init(_ seat: ServerSeat) {
        clipboard = Selection(seat, tellsLoss: false) { $0.dataDevices }
        primary = Selection(seat, tellsLoss: true) { $0.primaryDevices }
    }

    func clientDidClose(_ client: Client) {
        if focus === client { focus = nil }
    }
}

extension SelectionSource {
    /// Has the client write the data of a type. What is not offered, or not any more, is an empty pipe; so is what a
    /// client is asked for that reads nothing.
    func write(_ type: String, to descriptor: OwnedDescriptor) {
        guard types.contains(type), !client.isFullOfDescriptors else { return }
        provide(type, to: descriptor)
    }
}

extension UInt32 {
    /// Whether this serial was given out before another; serials count up and wrap around.
    func isBefore(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) < 0 }
}
