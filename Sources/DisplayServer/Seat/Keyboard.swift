// A seat's keyboard: focus, pressed keys, and the events of wl_keyboard.

import MullionKeymaps
import MullionWayland
import WindowModel

/// Keys go to the key window (E3), and have the meaning given by the keymap that its client was last sent.
///
/// A key is down from its first report until its release, even when key passes on meanwhile: for the old key window it
/// is cancelled, for the new one it is among the keys of `enter`, and the new one gets the release.
package final class Keyboard {
    unowned let server: DisplayServer
    unowned let seat: ServerSeat
    package var configuration = KeyboardConfiguration()
    /// By layout. All of them follow every key of the seat's own keyboard. Created on first use, because compiling a
    /// layout takes longer than the rest of the start.
    var states: [KeyboardLayout: KeyboardState] = [:]
    /// The device whose keymap the client with the keyboard currently has; nil: the seat's own keyboard.
    private(set) var active: KeyboardDevice?
    private var held: [HeldKey] = []
    /// The device whose key is being pressed; nil: the seat's own keyboard.
    private(set) var pressing: KeyboardDevice?
    /// Whether a key is only passing to another device, which clients do not notice.
    private var isHandingOver = false
    private(set) lazy var repetition = KeyRepetition(self)

    private struct HeldKey {
        let key: UInt32
        /// Nil: the seat's own keyboard.
        let device: KeyboardDevice?
        /// Whether the surface that has the keyboard knows of it.
        var isSent: Bool
        /// Whether its press went to an input method's grab: its release goes there too, or nowhere when that is gone.
        let isGrabbed: Bool
        weak var grab: InputMethodGrabResource?
    }

    /// The surface that has the keyboard.
    private(set) var surface: SurfaceResource? {
        // The selection is offered before the keyboard enters; without keyboard focus, no client has the selection.
        didSet { seat.selections.focus = surface?.client }
    }
    /// The key window (K1).
    var focus: Window.ID? { didSet { updateSurface() } }

    init(_ seat: ServerSeat) {
        server = seat.server
        self.seat = seat
    }

    /// The pressed keys of the seat's own keyboard, by evdev code.
    package var heldKeys: [UInt32] { heldKeys(of: nil) }

    /// The pressed keys of a device; nil: of the seat's own keyboard.
    func heldKeys(of device: KeyboardDevice?) -> [UInt32] { held.filter { $0.device == device }.map(\.key) }

    // MARK: Focus

    /// Called when the key window, or the pop-up that has the keyboard, changes.
    func updateSurface() {
        let (server, seat) = (server, seat)
        let root = focus.flatMap { server.model.root(of: $0) }.flatMap { server.surfaces[$0] }
        let grab = seat.grabs.keyboardSurface
        // E3: keys belong to the key window; a pop-up receives them only within it.
        let grabs = grab?.isAlive == true && focus != nil && grab?.window == focus
        let next = grabs ? grab : root
        guard next !== surface else { return }
        repetition.stop()
        // The text focus follows; programs expect the keyboard to enter first.
        defer { seat.textInputs.focus = surface }
        sendLeave()
        // Another device's keymap applies only to the keys that it presses.
        if let device = active, !held.contains(where: { $0.device == device }) { active = nil }
        for index in held.indices {
            held[index].isSent = next != nil && held[index].device == active && !held[index].isGrabbed
        }
        surface = next
        guard let next else { return }
        for keyboard in next.client.seat(seat).keyboards { enter(keyboard, next) }
    }

    private func sendLeave() {
        guard let surface else { return }
        let serial = seat.nextSerial()
        for keyboard in surface.client.seat(seat).keyboards { keyboard.leave(surface, serial: serial) }
    }

    private func enter(_ keyboard: KeyboardResource, _ surface: SurfaceResource) {
        keyboard.set(keymap(for: surface.client))
        let keys = held.filter(\.isSent).flatMap { held in
            (0..<4).map { UInt8(truncatingIfNeeded: held.key >> ($0 * 8)) }
        }
        keyboard.enter(surface, keys: keys, serial: seat.nextSerial())
        keyboard.set(modifiers(for: surface.client))
    }

    /// Called when a client has made a wl_keyboard.
    func didAdd(_ keyboard: KeyboardResource) {
        keyboard.set(state(for: keyboard.client)?.keymap.text)
        keyboard.setRepeat(rate: configuration.repeatRate, delay: configuration.repeatDelay)
        if let surface, surface.isAlive, surface.connection === keyboard.connection { enter(keyboard, surface) }
    }

    /// Called when the surface is being destroyed: the keyboard leaves it now, because the leave names it.
    func surfaceWillBeDestroyed(_ gone: SurfaceResource) {
        guard surface === gone else { return }
        repetition.stop()
        sendLeave()
        for index in held.indices { held[index].isSent = false }
        surface = nil
        seat.textInputs.focus = nil
    }

    // MARK: Keymaps and modifiers

    func keymap(for client: Client) -> KeymapText? {
        if let extended = client.seat(seat).extended, active == nil || active?.kind == .extension {
            return extended.device.keymap
        }
        return active?.keymap ?? state(for: client)?.keymap.text
    }

    private func modifiers(for client: Client) -> ModifierState {
        let isOwn = active?.kind == .extension && client.seat(seat).extended != nil
        return (isOwn ? nil : active?.modifiers) ?? state(for: client)?.modifiers ?? ModifierState()
    }

    /// The layout's keymap whose text a client sends back. It need not be compiled, after which another version of XKB
    /// might write it differently.
    func keymap(of text: String) -> KeymapText? {
        states.values.lazy.map(\.keymap.text).first { $0.isEqual(to: text) }
    }

    /// An equal keymap of one of the layouts, if there is one, so that clients are not sent again what they have.
    func known(_ keymap: KeymapText) -> KeymapText {
        states.values.first { $0.keymap.text.isEqual(keymap) }?.keymap.text ?? keymap
    }

    /// Sends the client with the keyboard the keymap and the modifiers, if they differ from what it knows.
    func update() {
        guard let surface, surface.isAlive else { return }
        let client = surface.client
        for keyboard in client.seat(seat).keyboards {
            keyboard.set(keymap(for: client))
            keyboard.set(modifiers(for: client))
        }
    }

    /// Called before keys of a device; nil: of the seat's own keyboard.
    func use(_ device: KeyboardDevice?) {
        guard device != active else { return }
        active = device
        repetition.stop()
        if let device, device.kind != .virtual {
            // Held modifiers also apply to typed characters; locks and latches belong to the layout. The first eight
            // modifiers, Shift to Mod5, are the same in every keymap.
            let client = surface?.client
            let own = client.flatMap { state(for: $0) } ?? state
            device.modifiers = ModifierState(depressed: (own?.modifiers.depressed ?? 0) & 0xff)
        }
        update()
    }

    /// Restores the keymap that was replaced for typing. An X server keeps the one that was extended.
    func endTyping() {
        guard let active, active.kind != .virtual else { return }
        // The keymap is for the client that has the keyboard after earlier effects.
        server.deliverEffects()
        use(nil)
    }

    // MARK: Keys

    /// - Throws: E3 for a press of a key that the device already holds down; keys held by other devices do not matter.
    func check(key code: UInt32, pressed: Bool, from device: KeyboardDevice?) throws(ModelError) {
        if pressed, index(of: code, device) != nil { throw .keyIsDown(code) }
    }

    /// Presses or releases a key of a device. All injected keys pass through here, after earlier effects have been
    /// delivered.
    ///
    /// Programs know a key only by its code, so it belongs to the device that pressed it last. Programs do not know a
    /// key grabbed by an input method, so it stays down beside the one that the method presses instead.
    /// - Throws: E3 for a key that the device already holds down.
    @discardableResult
    func press(
        key code: UInt32, pressed: Bool, from device: KeyboardDevice? = nil, explain: Bool = false
    ) throws(ModelError) -> Routing {
        let own = index(of: code, device)
        guard pressed else {
            let isOthers = own == nil && held.contains { $0.key == code }
            return isOthers ? Routing(dropped: .cancelled) : try release(code, of: device)
        }
        try check(key: code, pressed: pressed, from: device)
        pressing = device
        defer { pressing = nil }
        let isGrabbed = seat.grabs.inputMethod(takingKeysFrom: device) != nil
        if let other = held.first(where: { $0.key == code && $0.isGrabbed == isGrabbed }) {
            _ = try release(code, of: other.device)
        }
        // Only for keys that programs receive.
        if !isGrabbed { use(device) }
        try handOver(code)
        let routing = try server.model.press(
            key: code, pressed: true, seat: seat.id, time: server.clock.now, explain: explain)
        // While the pressing device is known.
        server.deliverEffects()
        return routing
    }

    private func release(_ code: UInt32, of device: KeyboardDevice?) throws(ModelError) -> Routing {
        let now = server.clock.now
        var routing = Routing(dropped: .cancelled)
        // The model has one key per code, which is released with the last device that holds it.
        if !held.contains(where: { $0.key == code && $0.device != device }) {
            routing = try server.model.press(key: code, pressed: false, seat: seat.id, time: now)
            // If the key window received the key, this releases it here too.
            server.deliverEffects()
        }
        // E3: the model cancelled its press when key passed on, but the client that now has the keyboard knows the key
        // from `enter`.
        if let index = index(of: code, device) { lift(index, time: now) }
        return routing
    }

    /// Passes a key to another device: the model has one key per code, so the held key is released there first.
    private func handOver(_ code: UInt32) throws(ModelError) {
        guard held.contains(where: { $0.key == code }) else { return }
        isHandingOver = true
        defer { isHandingOver = false }
        _ = try server.model.press(key: code, pressed: false, seat: seat.id, time: server.clock.now)
        // While it is known that the key stays down.
        server.deliverEffects()
    }

    private func index(of code: UInt32, _ device: KeyboardDevice?) -> Int? {
        held.firstIndex { $0.key == code && $0.device == device }
    }

    /// Releases all keys of a device.
    func releaseAll(of device: KeyboardDevice) {
        guard held.contains(where: { $0.device == device }) else { return }
        // Pending changes first, so that the present holder of the keyboard receives the releases.
        server.deliverEffects()
        for entry in held where entry.device == device {
            server.logErrors { () throws(ModelError) in _ = try press(key: entry.key, pressed: false, from: device) }
        }
    }

    /// Releases all keys of all devices.
    func releaseAll() {
        // Notifies the client that now has the keyboard.
        server.deliverEffects()
        for entry in held {
            server.logErrors { () throws(ModelError) in
                _ = try press(key: entry.key, pressed: false, from: entry.device)
            }
        }
        held.removeAll()
        repetition.stop()
        use(nil)
    }

    /// Delivers a key event of the model.
    /// - Returns: whether the grab or an object of the client has received it.
    func deliver(_ key: UInt32, _ event: Event, takenBy grab: Grab?) -> Bool {
        switch event.phase {
        case .began:
            var inputMethod: InputMethodGrabResource?
            if case .inputMethod(let taker) = grab { inputMethod = taker }
            held.append(
                HeldKey(
                    key: key, device: pressing, isSent: surface != nil && inputMethod == nil,
                    isGrabbed: inputMethod != nil, grab: inputMethod))
            if pressing == nil { follow(key, pressed: true) }
            if let inputMethod {
                inputMethod.send(key, .pressed, time: event.timestamp)
                return true
            }
            let isSent = sendKey(key, .pressed, time: event.timestamp)
            repetition.didPress(key)
            return isSent
        case .ended:
            guard !isHandingOver, let index = held.firstIndex(where: { $0.key == key }) else { return false }
            return lift(index, time: event.timestamp)
        // The key was not released; the leave that follows ends it for the old key window.
        case .cancelled, .moved, .stationary: return hasReceivers
        }
    }

    /// Whether the client with the keyboard has an object that receives its keys.
    private var hasReceivers: Bool { surface?.client.seat(seat).keyboards.isEmpty == false }

    /// - Returns: whether an input method or the client has received it.
    @discardableResult
    private func lift(_ index: Int, time: UInt64) -> Bool {
        let entry = held.remove(at: index)
        if entry.isSent { repetition.didRelease(entry.key) }
        if entry.device == nil { follow(entry.key, pressed: false) }
        entry.grab?.send(entry.key, .released, time: time)
        var isReceived = entry.grab != nil
        if entry.isSent {
            isReceived = sendKey(entry.key, .released, time: time)
        } else if seat.grabs.receivingInputMethod == nil {
            // The client did not know the key, but its modifiers may have changed.
            update()
        }
        seat.grabs.receivingInputMethod?.sendModifiers()
        return isReceived
    }

    private func follow(_ key: UInt32, pressed: Bool) {
        for state in states.values { state.update(key: key, pressed: pressed) }
        seat.dragAndDrop.modifiers = state?.modifiers.depressed ?? 0
    }

    /// - Returns: whether the client has an object for it.
    private func sendKey(_ key: UInt32, _ state: WlKeyboard.KeyState, time: UInt64) -> Bool {
        guard let surface, surface.isAlive else { return false }
        let serial = seat.nextSerial()
        let milliseconds = UInt32(truncatingIfNeeded: time / 1000)
        let modifiers = modifiers(for: surface.client)
        for keyboard in surface.client.seat(seat).keyboards {
            keyboard.send(WlKeyboard.Event.key(serial: serial, time: milliseconds, key: key, state: state))
            keyboard.set(modifiers)
        }
        return hasReceivers
    }

    /// Repeats a key for wl_keyboards that do not repeat keys themselves.
    func sendRepeat(_ key: UInt32, time: UInt64) {
        // A client that does not read would only get more to read.
        guard let surface, surface.isAlive, !surface.client.transport.isCongested else { return }
        let serial = seat.nextSerial()
        for keyboard in surface.client.seat(seat).keyboards where keyboard.version >= KeyRepetition.version {
            keyboard.send(
                WlKeyboard.Event.key(
                    serial: serial, time: UInt32(truncatingIfNeeded: time / 1000), key: key, state: .repeated))
        }
    }
}
