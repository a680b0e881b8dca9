// A client's objects of a seat.

import MullionKeymaps
import MullionWayland

/// The objects through which one client receives events of one seat.
final class ClientSeat {
    var pointers: [PointerResource] = []
    var relativePointers: [RelativePointerResource] = []
    var gestures: [PointerGestureResource] = []
    var keyboards: [KeyboardResource] = []
    var touches: [TouchResource] = []
    var tabletTools: [TabletToolResource] = []
    /// Those that follow the seat's keyboard.
    var textInputs: [TextField] = []
    var dataDevices: [DataDeviceResource] = []
    var primaryDevices: [PrimaryDeviceResource] = []
    var dataControls: [DataControlDeviceResource] = []
    /// The keyboards that the client simulates.
    var virtualKeyboards: [VirtualKeyboardResource] = []
    /// The state of the client's layout; nil until first needed.
    var keyboardState: KeyboardState? {
        didSet { if keyboardState == nil { extended = nil } }
    }
    /// For an X server: what it was typed beyond its layout, and the device that types it.
    var extended: (keymap: KeymapExtension, device: KeyboardDevice)?
}

/// A client's object that belongs to a seat.
class SeatObject: Resource {
    // The server never removes a seat.
    unowned final let seat: ServerSeat

    init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        self.seat = seat
        try super.init(client, id: id, version: version)
    }

    /// All of the client's objects of the seat.
    final var owner: ClientSeat { client.seat(seat) }
}

extension Array where Element: SeatObject {
    /// - Throws: `no_memory` when the client has reached the limit.
    mutating func add(_ object: Element) throws(ProtocolError) {
        try object.client.checkBindings(count)
        append(object)
    }

    mutating func remove(_ object: Element) { removeAll { $0 === object } }
}
