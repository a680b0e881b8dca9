// A client's keyboard that follows keymaps as programs do, with xkbcommon.

import CMullionXKBCommon
import Glibc
import MullionSystem
import MullionWayland

/// Records the events of wl_keyboard and the text that they type.
public final class KeyboardReader {
    public let seat: Proxy<WlSeat>
    public let keyboard: Proxy<WlKeyboard>
    public private(set) var text = ""
    public private(set) var keymaps = 0
    /// The size of the last keymap.
    public private(set) var keymapSize: UInt32 = 0
    public private(set) var keymapName = ""
    public private(set) var descriptor: OwnedDescriptor?
    public private(set) var repetition: (rate: Int32, delay: Int32)?
    private var events: [String] = []
    private let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS)
    private var keymap: OpaquePointer?
    private var state: OpaquePointer?

    /// - Parameter version: up to 9 the client repeats keys itself, and receives no repeated ones.
    public init(_ client: TestClient, version: UInt32 = 9) throws {
        seat = try client.bind(WlSeat.self, version: version)
        keyboard = Proxy(client.connection, version: version)
        seat.send(.getKeyboard(id: keyboard.id))
        keyboard.onEvent = { [weak self] in self?.handle($0) }
    }

    deinit {
        xkb_state_unref(state)
        xkb_keymap_unref(keymap)
        xkb_context_unref(context)
    }

    /// Takes the events since the last call.
    public func takeEvents() -> [String] {
        defer { events = [] }
        return events
    }

    public func takeText() -> String {
        defer { text = "" }
        return text
    }

    private func handle(_ event: WlKeyboard.Event) {
        switch event {
        case .keymap(_, let descriptor, let size): read(descriptor, size)
        case .enter(_, let surface, let keys): events.append("enter \(surface) \(keys.filter { $0 != 0 })")
        case .leave(_, let surface): events.append("leave \(surface)")
        case .key(_, _, let key, let pressed):
            events.append("key \(key) \(pressed.rawValue)")
            guard pressed == .pressed, let state else { return }
            var buffer = [CChar](repeating: 0, count: 16)
            xkb_state_key_get_utf8(state, key + 8, &buffer, buffer.count)
            text += String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        case .modifiers(_, let depressed, let latched, let locked, let group):
            events.append("modifiers \(depressed) \(latched) \(locked) \(group)")
            if let state { xkb_state_update_mask(state, depressed, latched, locked, 0, 0, group) }
        case .repeatInfo(let rate, let delay): repetition = (rate, delay)
        }
    }

    private func read(_ descriptor: OwnedDescriptor, _ size: UInt32) {
        events.append("keymap")
        keymaps += 1
        keymapSize = size
        self.descriptor = descriptor
        // Mapped as shared, as clients below version 7 do.
        let memory = mmap(nil, Int(size), PROT_READ, MAP_SHARED, descriptor.rawValue, 0)
        guard let memory, memory != MAP_FAILED else { return events.append("unreadable") }
        defer { munmap(memory, Int(size)) }
        xkb_state_unref(state)
        xkb_keymap_unref(keymap)
        keymap = xkb_keymap_new_from_string(
            context, memory.assumingMemoryBound(to: CChar.self), XKB_KEYMAP_FORMAT_TEXT_V1,
            XKB_KEYMAP_COMPILE_NO_FLAGS)
        state = xkb_state_new(keymap)
        keymapName = keymap.flatMap { xkb_keymap_layout_get_name($0, 0) }.map { String(cString: $0) } ?? ""
        if keymap == nil { events.append("no keymap") }
    }
}
