// zwp_virtual_keyboard_manager_v1 and zwp_virtual_keyboard_v1

import Glibc
import MullionKeymaps
import MullionSystem
import MullionWayland
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
    /// The keymap that is being compiled. The client's further requests wait for it.
    private var compilation: KeymapCompiler.Job?

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
            let text = try text(descriptor, size: size)
            // Nothing else of this client is handled in this turn.
            server.turns.stopwatch.end()
            if let known = keyboard.keymap(of: text) { return try use(known) }
            try compile(text)
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
        if let compilation {
            server.keymapCompiler.cancel(compilation)
            server.turns.unfreeze(client)
        }
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

    /// The text of the keymap that is being compiled.
    var pendingText: String? { compilation?.text }

    /// Compiles a keymap. Until it is in use, none of the client's requests is handled.
    func compile(_ text: String) throws(ProtocolError) {
        try client.checkRoom(for: text.utf8.count)
        charge.bytes = text.utf8.count
        server.turns.freeze(client)
        compilation = server.keymapCompiler.compile(
            text, of: client.credentials.uid, isTrusted: client.isTrusted
        ) { [unowned self] outcome in
            didCompile(outcome)
        }
    }

    private func didCompile(_ outcome: KeymapCompilation.Outcome) {
        compilation = nil
        server.turns.unfreeze(client)
        do throws(ProtocolError) {
            switch outcome {
            case .keymap(let keymap): try use(keymap)
            case .refused(let reason): throw refusal(reason)
            }
        } catch {
            client.post(error)
        }
    }

    /// Uses XKB's own complete text of the keymap, without includes; clients receive that.
    private func use(_ keymap: KeymapText) throws(ProtocolError) {
        try client.checkRoom(for: Int(keymap.size))
        charge.bytes = Int(keymap.size)
        let keyboard = seat.keyboard
        // Held keys belong to the old keymap.
        keyboard.releaseAll(of: device)
        device.keymap = keyboard.known(keymap)
        if keyboard.active == device { keyboard.update() }
    }

    /// Reads the text, which ends at its first NUL or with the given size.
    private func text(_ descriptor: OwnedDescriptor, size: UInt32) throws(ProtocolError) -> String {
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
        let bytes = DescriptorIO.read(descriptor.rawValue, count: Int(size))
        guard bytes.count == Int(size) else { throw refusal("the keymap cannot be read") }
        // The protocol gives a size only: some programs count a NUL, and wvkbd 0.15 does not write one.
        let end = bytes.firstIndex(of: 0) ?? bytes.endIndex
        guard let text = String(validating: bytes[..<end], as: UTF8.self) else {
            throw refusal("the keymap is not UTF-8")
        }
        guard IncludeCheck.isModest(bytes[..<end]) else {
            throw refusal(
                "the keymap has escapes, includes more than \(IncludeCheck.maximum) parts, or leaves XKB's folders")
        }
        return text
    }
}
