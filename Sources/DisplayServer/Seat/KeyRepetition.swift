// Keys that repeat while they are held.

import Wayland

/// Repeats the key that was pressed last, for wl_keyboards of version 10 on; older ones are told how to do it themselves
/// (repeat_info). Nothing runs while no such key is held.
final class KeyRepetition {
    /// The first version whose keys the server repeats.
    static let version: UInt32 = 10

    private unowned let keyboard: Keyboard
    private(set) var key: UInt32?
    private var timer: ClockTimer?

    init(_ keyboard: Keyboard) { self.keyboard = keyboard }

    /// A key was pressed for the surface that has the keyboard. One that does not repeat, such as Shift, leaves the one
    /// that does to go on. Where there is no keymap all repeat.
    func didPress(_ key: UInt32) {
        guard keyboard.configuration.repeatRate > 0, let client = listener,
            keyboard.keymap(for: client)?.repeatingKeys.contains(key) != false
        else { return }
        self.key = key
        let clock = keyboard.server.clock
        if timer == nil { timer = ClockTimer(clock) { [unowned self] in fire(at: $0, $1) } }
        timer?.arm(at: clock.now + UInt64(keyboard.configuration.repeatDelay) * 1000)
    }

    /// The client that has the keyboard, if it is to be told.
    private var listener: Client? {
        guard let surface = keyboard.surface, surface.isAlive else { return nil }
        let keyboards = surface.client.seat(keyboard.seat).keyboards
        return keyboards.contains { $0.version >= Self.version } ? surface.client : nil
    }

    func didRelease(_ key: UInt32) {
        if key == self.key { stop() }
    }

    /// Somebody else has the keyboard now, or its keys mean something else.
    func stop() {
        key = nil
        timer?.cancel()
    }

    private func fire(at deadline: UInt64, _ now: UInt64) {
        guard let key, keyboard.configuration.repeatRate > 0, listener != nil else { return stop() }
        keyboard.tellRepeated(key, time: now)
        // What a pause of the server has left out stays out.
        let period = 1_000_000 / UInt64(keyboard.configuration.repeatRate)
        timer?.arm(at: deadline + period > now ? deadline + period : now + period)
    }
}
