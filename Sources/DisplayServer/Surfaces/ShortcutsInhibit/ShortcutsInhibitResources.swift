// zwp_keyboard_shortcuts_inhibit_manager_v1 and zwp_keyboard_shortcuts_inhibitor_v1

import MullionWayland
import WindowModel

/// zwp_keyboard_shortcuts_inhibit_manager_v1: for remote desktops and virtual machines, which want every key.
final class ShortcutsInhibitManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpKeyboardShortcutsInhibitManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .inhibitShortcuts(let id, let surfaceID, let seat):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            guard !surface.inhibitsShortcuts(of: seat.id) else {
                throw ProtocolError(
                    object: self.id, code: ZwpKeyboardShortcutsInhibitManagerV1.Error.alreadyInhibited.rawValue,
                    message: "surface \(surfaceID) already inhibits the shortcuts of the seat")
            }
            let inhibitor = try ShortcutsInhibitorResource(
                client, id: id, version: version, of: surface, seat: seat.id)
            // K4: a program that never has the keyboard receives no key.
            if client.permissions.xdg.contains(.key) || surface.role is WindowResource {
                inhibitor.send(ZwpKeyboardShortcutsInhibitorV1.Event.active)
            }
        }
    }
}

/// zwp_keyboard_shortcuts_inhibitor_v1: active from the beginning, because the server has no shortcuts: every key goes to
/// the key window (E3).
final class ShortcutsInhibitorResource: SurfaceObject {
    let seat: Seat.ID

    init(
        _ client: Client, id: ObjectID, version: UInt32, of surface: SurfaceResource?, seat: Seat.ID
    ) throws(ProtocolError) {
        self.seat = seat
        try super.init(client, id: id, version: version, of: surface)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpKeyboardShortcutsInhibitorV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }
}

extension SurfaceResource {
    func inhibitsShortcuts(of seat: Seat.ID) -> Bool {
        extensions?.objects.contains { ($0 as? ShortcutsInhibitorResource)?.seat == seat } ?? false
    }
}
