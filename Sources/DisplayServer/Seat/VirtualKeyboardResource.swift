// zwp_virtual_keyboard_manager_v1 and zwp_virtual_keyboard_v1

import Glibc
import Keymaps
import MullionWayland
import System
import WindowModel

/// Creates virtual keyboards for clients with the right to inject.
final class VirtualKeyboardManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwpVirtualKeyboardManagerV1.Request.self, opcode, &reader) {
        case .createVirtualKeyboard(let seat, let id):
            let seat = try connection.resource(seat, as: SeatResource.self).seat
            _ = try VirtualKeyboardResource(client, id: id, version: version, seat: seat)
        }
    }
}

/// A keyboard that a client simulates. Its keys go to the seat's key window (E3), with the device's keymap.
final class VirtualKeyboardResource: SeatObject {
    let device = KeyboardDevice()
    /// The memory charged for the keymap.
    private var charge: MemoryCharge

    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        charge = MemoryCharge(to: client.holdings)
        try super.init(client, id: id, version: version, seat: seat)
        try owner.virtualKeyboards.add(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        let keyboard = seat.keyboard
        switch try decode(ZwpVirtualKeyboardV1.Request.self, opcode, &reader) {
        case .keymap(let format, let descriptor, let size):
            guard format == WlKeyboard.KeymapFormat.xkbV1.rawValue else {
                throw refusal("\(format) is not a keymap format; use xkb_v1 (1)")
            }
            let keymap = try keymap(descriptor, size: size)
            try client.checkRoom(for: Int(keymap.size))
            charge.bytes = Int(keymap.size)
            // Held keys belong to the old keymap.
            keyboard.releaseAll(of: device)
            device.keymap = keyboard.known(keymap)
            if keyboard.active == device { keyboard.update() }
        case .key(_, let key, let state):
            try needKeymap()
            guard state <= 1 else {
                throw ProtocolError(
                    .invalidMethod, object: id, message: "\(state) is not a key state; use released (0) or pressed (1)")
            }
            // Ignore invalid codes, and presses of keys that are already down.
            guard key < KeySet.count else { return }
            do {
                try server.injector.perform(.key(key, pressed: state == 1, from: device), by: seat)
            } catch {
                server.log(.debug, "virtual keyboard of \(client.description): \(error)")
            }
        case .modifiers(let depressed, let latched, let locked, let group):
            try needKeymap()
            device.modifiers = ModifierState(depressed: depressed, latched: latched, locked: locked, group: group)
            // The modifiers are for the client that has the keyboard after earlier effects.
            server.deliverEffects()
            keyboard.use(device)
            keyboard.update()
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        owner.virtualKeyboards.remove(self)
        let keyboard = seat.keyboard
        keyboard.releaseAll(of: device)
        if keyboard.active == device { keyboard.use(nil) }
    }

    private func needKeymap() throws(ProtocolError) {
        guard device.keymap != nil else { throw refusal("a virtual keyboard needs a keymap first") }
    }

    private func refusal(_ message: String) -> ProtocolError {
        ProtocolError(object: id, code: ZwpVirtualKeyboardV1.Error.noKeymap.rawValue, message: message)
    }

    // MARK: Keymaps of clients

    /// Reads and compiles the text; clients receive XKB's own complete text of the keymap, without includes.
    private func keymap(_ descriptor: OwnedDescriptor, size: UInt32) throws(ProtocolError) -> KeymapText {
        guard (1...KeymapText.maximumSize).contains(Int(size)) else {
            throw refusal("a keymap has 1 to \(KeymapText.maximumSize) bytes, not \(size)")
        }
        // wtype stores its keymap in a file in /tmp.
        let kind = DescriptorKind(descriptor)
        guard kind == .memory || kind.isLocalFile else {
            throw refusal("the descriptor is \(kind); use a memfd, or a file on tmpfs or a local disk")
        }
        var status = stat()
        guard unsafe fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Int(status.st_size) >= Int(size)
        else { throw refusal("the descriptor is not a file of at least \(size) bytes") }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        guard unsafe pread(descriptor.rawValue, &bytes, bytes.count, 0) == bytes.count else {
            throw refusal("the keymap cannot be read")
        }
        guard let end = bytes.firstIndex(of: 0) else { throw refusal("the keymap does not end with NUL") }
        guard let text = String(validating: bytes[..<end], as: UTF8.self) else {
            throw refusal("the keymap is not UTF-8")
        }
        guard IncludeCheck.isModest(bytes[..<end]) else {
            throw refusal(
                "the keymap has escapes, includes more than \(IncludeCheck.maximum) parts, or leaves XKB's folders")
        }
        let user = client.credentials.uid
        guard server.keymapBudget.admits(user, at: server.loop.now) else {
            throw refusal(
                "the keymaps of user \(user) took more than \(KeymapBudget.time / 1000) ms within "
                    + "\(KeymapBudget.window / 1_000_000) s; wait that long")
        }
        let compilation = KeymapCompilation(text)
        server.keymapBudget.spend(compilation.time, of: user)
        switch compilation.outcome {
        case .keymap(let keymap): return keymap
        case .refused(let reason): throw refusal(reason)
        }
    }
}
