// wl_keyboard

import Glibc
import MullionKeymaps
import MullionSystem
import MullionWayland

/// Remembers what was sent, so that nothing is sent twice.
final class KeyboardResource: SeatObject {
    private var sentKeymap: KeymapText?
    /// Whether it was sent that there is no keymap.
    private var hasNone = false
    /// Nil while the surface does not have the keyboard, and after a keymap that reset them.
    private var sentModifiers: ModifierState?
    private var hasSurface = false
    private var sentRepeat: (rate: Int32, delay: Int32)?

    override init(_ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat) throws(ProtocolError) {
        try super.init(client, id: id, version: version, seat: seat)
        try owner.keyboards.add(self)
        seat.keyboard.didAdd(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlKeyboard.Request.self, opcode, &reader) {
        case .release: destroy()
        }
    }

    override func willDestroy() { owner.keyboards.remove(self) }

    func set(_ keymap: KeymapText?) {
        guard let keymap else { return setNone() }
        guard keymap !== sentKeymap else { return }
        sentKeymap = keymap
        hasNone = false
        sentModifiers = nil
        send(WlKeyboard.Event.keymap(format: .xkbV1, fd: keymap.descriptor, size: keymap.size))
    }

    /// Called when there is no layout that XKB can compile: programs use the codes as they are.
    private func setNone() {
        guard !hasNone else { return }
        let nothing = unsafe OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
        guard nothing.rawValue >= 0 else { return }
        hasNone = true
        sentKeymap = nil
        send(WlKeyboard.Event.keymap(format: .noKeymap, fd: nothing, size: 0))
    }

    /// Sent only to the client that has the keyboard.
    func set(_ modifiers: ModifierState) {
        guard hasSurface, modifiers != sentModifiers else { return }
        sentModifiers = modifiers
        send(
            WlKeyboard.Event.modifiers(
                serial: seat.nextSerial(), modsDepressed: modifiers.depressed, modsLatched: modifiers.latched,
                modsLocked: modifiers.locked, group: modifiers.group))
    }

    /// `rate`: repetitions per second, 0: none; `delay`: milliseconds before the first. When the server repeats keys,
    /// the client must not.
    func setRepeat(rate: Int32, delay: Int32) {
        guard version >= 4 else { return }
        let (rate, delay) = version < KeyRepetition.version ? (rate, delay) : (0, 0)
        if let sentRepeat, sentRepeat == (rate, delay) { return }
        sentRepeat = (rate, delay)
        send(WlKeyboard.Event.repeatInfo(rate: rate, delay: delay))
    }

    func enter(_ surface: SurfaceResource, keys: [UInt8], serial: UInt32) {
        hasSurface = true
        sentModifiers = nil
        send(WlKeyboard.Event.enter(serial: serial, surface: surface.id, keys: keys))
    }

    func leave(_ surface: SurfaceResource, serial: UInt32) {
        guard hasSurface else { return }
        hasSurface = false
        send(WlKeyboard.Event.leave(serial: serial, surface: surface.id))
    }
}
