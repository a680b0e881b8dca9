// A seat: converts pointer and keyboard events from the wire. Touches arrive as UIKit events.

import Glibc
import MullionGeometry
import MullionKeymaps
import MullionSystem
import MullionWayland

/// The devices of one seat. Windows are looked up while bytes are read, when their ids are still valid; events are
/// delivered in order later.
@MainActor final class Seat {
    private unowned let application: Application
    let proxy: Proxy<WlSeat>
    private(set) var name = ""
    /// Created when a window first edits text.
    private var textInput: TextInput?
    private(set) var pointer: Proxy<WlPointer>?
    private var keyboard: Proxy<WlKeyboard>?

    private lazy var cursorDisplay = CursorDisplay(application)
    /// The window under the pointer.
    private(set) var hovered: Window?
    private var hoverLocation = Point.zero
    private var scroll: (x: Double, y: Double, time: UInt32)?
    private var focus: Window?
    /// The serial of the pointer's last entry, which wl_pointer.set_cursor names.
    private(set) var entrySerial: UInt32 = 0
    /// The serial of the last event of the keyboard, which requests that need an input event name.
    private(set) var keyboardSerial: UInt32 = 0
    private var keymap: (descriptor: OwnedDescriptor, size: Int)?
    private var modifiers = ModifierState()
    private var translator: KeyTranslator?

    init(_ application: Application, _ proxy: Proxy<WlSeat>) {
        self.application = application
        self.proxy = proxy
        proxy.onEvent = { [weak self] event in
            switch event {
            case .capabilities(let capabilities): self?.follow(capabilities)
            case .name(let name): self?.name = name
            }
        }
    }

    /// Releases all objects; the seat is gone.
    func release() {
        follow([])
        left()
        focus(nil)
        textInput?.release()
        cursorDisplay.release()
        // wl_seat.release came with version 5.
        if proxy.version >= 5 { proxy.send(.release) }
    }

    private func follow(_ capabilities: WlSeat.Capability) {
        // The release requests came with version 3; older objects just receive no more events.
        if capabilities.contains(.pointer), pointer == nil {
            let device = Proxy<WlPointer>(application.connection, version: proxy.version)
            device.onEvent = { [weak self] event in self?.receive(event) }
            proxy.send(.getPointer(id: device.id))
            pointer = device
        } else if !capabilities.contains(.pointer), let device = pointer {
            pointer = nil
            if device.version >= 3 { device.send(.release) }
        }
        if capabilities.contains(.keyboard), keyboard == nil {
            let device = Proxy<WlKeyboard>(application.connection, version: proxy.version)
            device.onEvent = { [weak self] event in self?.receive(event) }
            proxy.send(.getKeyboard(id: device.id))
            keyboard = device
        } else if !capabilities.contains(.keyboard), let device = keyboard {
            keyboard = nil
            if device.version >= 3 { device.send(.release) }
        }
    }

    /// Called when the state of the text edited in a window has changed.
    func textDidChange(in window: Window, isNew: Bool) {
        if textInput == nil, isNew { textInput = TextInput(application, seat: proxy) }
        if isNew { translator?.resetComposition() }
        textInput?.textDidChange(in: window, isNew: isNew)
    }

    // MARK: Pointer

    private func receive(_ event: WlPointer.Event) {
        var window: Window?
        if case .enter(let serial, let id, _, _) = event {
            window = application.surfaces[id]?.window
            entrySerial = serial
        }
        application.enqueue { [weak self] in self?.handle(event, in: window) }
    }

    private func handle(_ event: WlPointer.Event, in window: Window?) {
        switch event {
        case .enter(_, _, let x, let y):
            hovered = window
            hoverLocation = Point(x: x.double, y: y.double)
            updateCursor()
            deliver(.entered, 0)
        case .leave:
            left()
        case .motion(let time, let x, let y):
            hoverLocation = Point(x: x.double, y: y.double)
            updateCursor()
            deliver(.moved, time)
        case .button(_, let time, let button, let state):
            deliver(.button(code: button, isPressed: state == .pressed), time)
        case .axis(let time, let axis, let value):
            var sum = scroll ?? (0, 0, time)
            if axis == .horizontalScroll { sum.x += value.double } else { sum.y += value.double }
            sum.time = time
            scroll = sum
            // wl_pointer.frame, which ends a group, came with version 5.
            if proxy.version < 5 { deliverScroll() }
        case .frame:
            deliverScroll()
        case .axisStop(let time, _):
            deliverScroll()
            deliver(.scrollEnded, time)
        case .axisSource, .axisDiscrete, .axisValue120, .axisRelativeDirection:
            break
        }
    }

    private func left() {
        deliver(.left, 0)
        hovered = nil
        scroll = nil
    }

    /// Shows the cursor of the view under the pointer.
    func updateCursor() {
        guard Cursor.isUsed, let pointer, let window = hovered, !window.isClosed else { return }
        cursorDisplay.show(
            window.cursor(at: hoverLocation), scale: window.contentScale, at: pointer, serial: entrySerial)
    }

    private func deliverScroll() {
        guard let sum = scroll else { return }
        scroll = nil
        deliver(.scrolled(x: sum.x, y: sum.y), sum.time)
    }

    private func deliver(_ kind: PointerEvent.Kind, _ time: UInt32) {
        guard let window = hovered, !window.isClosed else { return }
        let event = PointerEvent(kind: kind, window: window, location: hoverLocation, timestamp: Double(time) / 1000)
        window.notify(.pointer(event), .pointer(event))
    }

    // MARK: Keyboard

    /// Keys get their meaning while bytes are read, when the modifiers are those of the moment.
    private func receive(_ event: WlKeyboard.Event) {
        switch event {
        case .keymap(let format, let descriptor, let size):
            keymap = format == .xkbV1 ? (descriptor, Int(size)) : nil
            translator = nil
        case .enter(let serial, let id, _):
            keyboardSerial = serial
            let window = application.surfaces[id]?.window
            application.enqueue { [weak self] in self?.focus(window) }
        case .leave:
            application.enqueue { [weak self] in self?.focus(nil) }
        case .key(let serial, let time, let code, let state):
            keyboardSerial = serial
            let key = key(code)
            application.enqueue { [weak self] in self?.deliver(key, state, time) }
        case .modifiers(_, let depressed, let latched, let locked, let group):
            modifiers = ModifierState(depressed: depressed, latched: latched, locked: locked, group: group)
            translator?.update(modifiers)
        case .repeatInfo:
            break
        }
    }

    private func focus(_ window: Window?) {
        deliverFocus(false)
        translator?.resetComposition()
        focus = window
        deliverFocus(true)
    }

    /// Compiling a keymap takes milliseconds: only the first key does it.
    private func loadTranslator() -> KeyTranslator? {
        if translator == nil, let keymap {
            translator = KeyTranslator(keymap.descriptor, size: keymap.size, locale: Self.locale)
            translator?.update(modifiers)
            if translator == nil { self.keymap = nil }
        }
        return translator
    }

    /// The locale whose compositions apply.
    private static var locale: String {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            if let value = unsafe getenv(name).map({ unsafe String(cString: $0) }), !value.isEmpty { return value }
        }
        return "C"
    }

    /// A key (evdev code) with its meaning in the current layout.
    func key(_ code: UInt32) -> Key {
        guard let translator = loadTranslator() else { return .unknown(code) }
        return Key(code, translator.meaning(of: code), translator.modifiers)
    }

    private func deliver(_ key: Key, _ state: WlKeyboard.KeyState, _ time: UInt32) {
        guard let window = focus, !window.isClosed else { return }
        let text = state == .released ? "" : text(of: key)
        let event = KeyEvent(
            window: window, key: key, text: text, isPressed: state != .released, isRepeat: state == .repeated,
            timestamp: Double(time) / 1000)
        window.notify(.key(event), .key(event))
        if event.isPressed, let responder = window.textResponder { enter(event, responder) }
    }

    /// The text that pressing the key enters.
    private func text(of key: Key) -> String {
        let text = loadTranslator()?.press(key.keysym, key.characters) ?? ""
        guard key.isWithoutShortcut else { return "" }
        switch key.keysym {
        case 0xff0d, 0xff8d: return "\n"
        case 0xff09: return "\t"
        // Escape, delete and their like are control characters.
        default: return text.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "" : text
        }
    }

    /// Enters what the key types into the edited text.
    private func enter(_ event: KeyEvent, _ responder: Responder) {
        if event.key.keysym == 0xff08, event.key.isWithoutShortcut { responder.deleteBackward() }
        if !event.text.isEmpty { responder.insertText(event.text) }
    }

    private func deliverFocus(_ hasFocus: Bool) {
        guard let window = focus, !window.isClosed else { return }
        window.notify(.keyboardFocusDidChange(hasFocus), .keyboardFocusDidChange(window, hasFocus))
    }
}

extension Key {
    init(_ code: UInt32, _ meaning: KeyTranslator.Meaning, _ modifiers: Set<KeyTranslator.Modifier>) {
        self.init(
            keyCode: code, keysym: meaning.symbol, characters: meaning.characters,
            charactersIgnoringModifiers: meaning.plainCharacters, modifierFlags: KeyModifierFlags(modifiers))
    }

    /// Whether no modifier is active that makes it a shortcut.
    fileprivate var isWithoutShortcut: Bool { modifierFlags.isDisjoint(with: [.control, .command]) }

    /// A key of a keyboard without keymap.
    static func unknown(_ code: UInt32) -> Key {
        Key(keyCode: code, keysym: 0, characters: "", charactersIgnoringModifiers: "", modifierFlags: [])
    }
}
