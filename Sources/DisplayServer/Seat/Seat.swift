// The seat: turns the model's events into those of wl_keyboard and wl_touch, and hands the pointer's on.

import Wayland
import WindowModel

/// One pointer, one keyboard and any number of touches. The model decides who gets an event; this tells the client.
final class Seat {
    static let name = "seat0"
    private unowned let server: DisplayServer

    /// Compiled when the first keyboard wants it: it takes longer than everything else a start does.
    private(set) lazy var keymap = Keymap(layout)
    var layout = KeyboardLayout()
    private var modifiers = ModifierState()

    /// The surface that has the keyboard.
    private(set) var keyboardSurface: SurfaceResource? {
        // The selection is offered before the keyboard enters, and is nobody's while nobody has the keyboard.
        didSet { server.selection.focus = keyboardSurface?.client }
    }
    /// A pop-up that grabbed the keyboard, before the key window.
    var keyboardGrab: SurfaceResource? { didSet { updateKeyboard() } }
    private(set) lazy var pointer = Pointer(server)
    /// The touches that each client holds, for wl_touch.cancel, which ends all of one client's.
    private var touches: [Int32: Application.ID] = [:]

    init(_ server: DisplayServer) { self.server = server }

    // MARK: Keyboard

    /// The key window (K1).
    var keyboardFocus: Window.ID? { didSet { updateKeyboard() } }

    func didResignKey(_ window: Window.ID) {
        if keyboardFocus == window { keyboardFocus = nil }
    }

    private func updateKeyboard() {
        let root = keyboardFocus.flatMap { server.model.root(of: $0) }.flatMap { server.surfaces[$0] }
        // E3: keys are the key window's; a pop-up takes them within it.
        let grabs = keyboardGrab?.isAlive == true && keyboardFocus != nil && keyboardGrab?.window == keyboardFocus
        let next = grabs ? keyboardGrab : root
        guard next !== keyboardSurface else { return }
        if let old = keyboardSurface, old.isAlive {
            let serial = server.nextSerial()
            for keyboard in old.client.seat.keyboards {
                keyboard.send(WlKeyboard.Event.leave(serial: serial, surface: old.id))
            }
        }
        keyboardSurface = next
        guard let next else { return }
        for keyboard in next.client.seat.keyboards { enter(keyboard, next) }
    }

    private func enter(_ keyboard: KeyboardResource, _ surface: SurfaceResource) {
        let keys = server.model.pressedKeys.flatMap { key in (0..<4).map { UInt8(truncatingIfNeeded: key >> ($0 * 8)) }
        }
        keyboard.send(WlKeyboard.Event.enter(serial: server.nextSerial(), surface: surface.id, keys: keys))
        send(modifiers, to: keyboard)
    }

    private func send(_ state: ModifierState, to keyboard: KeyboardResource) {
        keyboard.send(
            WlKeyboard.Event.modifiers(
                serial: server.nextSerial(), modsDepressed: state.depressed, modsLatched: state.latched,
                modsLocked: state.locked, group: state.group))
    }

    private func deliverKey(_ key: UInt32, _ event: Event) {
        let now = keymap?.update(key: key, pressed: event.phase == .began) ?? modifiers
        let changed = now != modifiers
        modifiers = now
        // A cancelled key is up without being told: the leave that follows says so.
        guard event.phase != .cancelled, let surface = keyboardSurface, surface.isAlive else { return }
        let serial = server.nextSerial()
        let time = UInt32(truncatingIfNeeded: event.timestamp / 1000)
        for keyboard in surface.client.seat.keyboards {
            keyboard.send(
                WlKeyboard.Event.key(
                    serial: serial, time: time, key: key, state: event.phase == .began ? .pressed : .released))
            if changed { send(now, to: keyboard) }
        }
    }

    // MARK: Events

    /// Sends one event to the client that the model chose.
    func deliver(_ event: Event) {
        let time = UInt32(truncatingIfNeeded: event.timestamp / 1000)
        switch event.detail {
        case .key(let key): deliverKey(key, event)
        case .touch(let id): deliverTouch(id, event, time)
        case .pointer, .button, .scroll, .transform: pointer.deliver(event, to: target(event))
        case .shake, .remoteControl: break  // Wayland has no such things.
        }
    }

    private func target(_ event: Event) -> SurfaceResource? {
        let id = event.surface ?? event.window.flatMap { server.model.root(of: $0) }
        return id.flatMap { server.surfaces[$0] }
    }

    private func deliverTouch(_ id: Int32, _ event: Event, _ time: UInt32) {
        guard let client = server.client(event.application) else {
            touches[id] = nil
            return
        }
        let x = Fixed(rounding: event.location.x)
        let y = Fixed(rounding: event.location.y)
        switch event.phase {
        case .began:
            guard let surface = target(event) else { return }
            touches[id] = event.application
            let serial = server.nextSerial()
            for touch in client.seat.touches {
                touch.send(
                    WlTouch.Event.down(serial: serial, time: time, surface: surface.id, id: id, x: x, y: y))
                touch.send(WlTouch.Event.frame)
            }
        case .moved, .stationary:
            guard touches[id] != nil else { return }
            for touch in client.seat.touches {
                touch.send(WlTouch.Event.motion(time: time, id: id, x: x, y: y))
                touch.send(WlTouch.Event.frame)
            }
        case .ended:
            guard touches.removeValue(forKey: id) != nil else { return }
            let serial = server.nextSerial()
            for touch in client.seat.touches {
                touch.send(WlTouch.Event.up(serial: serial, time: time, id: id))
                touch.send(WlTouch.Event.frame)
            }
        case .cancelled:
            guard touches[id] != nil else { return }
            // E2: wl_touch knows only one cancel, for all touches of the client: none of them may read as a tap.
            touches = touches.filter { $0.value != event.application }
            for touch in client.seat.touches { touch.send(WlTouch.Event.cancel) }
        }
    }

    /// What the pointer is over (E5).
    var pointerFocus: PointerFocus? { didSet { pointer.focus(on: pointerFocus) } }

    // MARK: New objects

    /// A client bound a keyboard while one of its surfaces has the focus.
    func didAdd(_ keyboard: KeyboardResource) {
        if let surface = keyboardSurface, surface.isAlive, surface.connection === keyboard.connection {
            enter(keyboard, surface)
        }
    }

    /// The surface goes; nothing is sent for it any more.
    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        if keyboardGrab === surface { keyboardGrab = nil }
        if keyboardSurface === surface { keyboardSurface = nil }
        pointer.surfaceWillBeDestroyed(surface)
    }
}
