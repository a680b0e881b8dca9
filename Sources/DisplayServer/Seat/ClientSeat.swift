// What a client has of a seat.

import Keymaps
import Wayland

/// The objects of one client that one seat tells things.
final class ClientSeat {
    var pointers: [PointerResource] = []
    var relativePointers: [RelativePointerResource] = []
    var gestures: [PointerGestureResource] = []
    var keyboards: [KeyboardResource] = []
    var touches: [TouchResource] = []
    var textInputs: [TextInputResource] = []
    var dataDevices: [DataDeviceResource] = []
    var primaryDevices: [PrimaryDeviceResource] = []
    /// Those that it plays.
    var virtualKeyboards: [VirtualKeyboardResource] = []
    /// Of the client's layout, once it was wanted.
    var keyboardState: KeyboardState?
}

/// An object of a client that belongs to a seat.
class SeatObject: Resource {
    // Seats stay as long as the server does.
    unowned final let seat: ServerSeat

    init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        self.seat = seat
        try super.init(client, id: id, version: version)
    }

    /// What else its client has of the seat.
    final var owner: ClientSeat { client.seat(seat) }
}

extension Array where Element: SeatObject {
    /// - Throws: `no_memory` when the client has as many as it may have.
    mutating func add(_ object: Element) throws(ProtocolError) {
        try object.client.checkBindings(count)
        append(object)
    }

    mutating func remove(_ object: Element) { removeAll { $0 === object } }
}
