// Clients' seat objects, for a server that takes over.

import MullionKeymaps
import MullionWayland
import WindowModel

extension VirtualKeyboardManagerResource: RestorableGlobal {
    typealias Interface = ZwpVirtualKeyboardManagerV1
}

extension KeyboardResource: RestorableSeatObject {
    typealias Interface = WlKeyboard
}

extension TouchResource: RestorableSeatObject {
    typealias Interface = WlTouch
}

extension SeatResource: RestorableSeatObject {
    typealias Interface = WlSeat
    static var restorationPhase: RestorationPhase { .independent }
}

extension VirtualKeyboardResource: Restorable {
    struct SavedState: ObjectState {
        var seat: Seat.ID
        var keymap: String?
        var repeatingKeys: KeySet
        var modifiers: ModifierState
        /// The text of a keymap that was being compiled.
        var pendingText: String?

        var variableSize: Int { (keymap?.utf8.count ?? 0) + (pendingText?.utf8.count ?? 0) + KeySet.count / 4 }
    }

    static var interfaces: [any WaylandInterface.Type] { [ZwpVirtualKeyboardV1.self] }
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedState {
        SavedState(
            seat: seat.id, keymap: device.keymap.map { String(decoding: $0.bytes.dropLast(), as: UTF8.self) },
            repeatingKeys: device.keymap?.repeatingKeys ?? KeySet(), modifiers: device.modifiers,
            pendingText: pendingText)
    }

    static func restore(_ state: SavedState, id: ObjectID, version: UInt32, _ reader: HandOverReader) throws {
        let seat = try reader.seat(state.seat)
        let object = try VirtualKeyboardResource(reader.client, id: id, version: version, seat: seat)
        if let keymap = state.keymap {
            guard keymap.utf8.count < KeymapText.maximumSize else {
                throw HandOverError(
                    "a keymap has \(keymap.utf8.count) bytes; the limit is \(KeymapText.maximumSize - 1)")
            }
            guard let text = unsafe KeymapText(keymap, repeatingKeys: state.repeatingKeys) else {
                throw HandOverError("no memory is left for a keymap")
            }
            object.device.keymap = text
        }
        object.device.modifiers = state.modifiers
        if let text = state.pendingText {
            // Another process has encoded it, but it comes from a client.
            guard text.utf8.count <= KeymapText.maximumSize else {
                throw HandOverError("a keymap's text has more than \(KeymapText.maximumSize) bytes")
            }
            try object.compile(text)
        }
    }
}
