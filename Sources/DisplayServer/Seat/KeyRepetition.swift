// Repeats keys while they are held.

import MullionWayland

/// Repeats the last pressed key for wl_keyboards since version 10; earlier versions repeat keys themselves, as
/// repeat_info specifies. Nothing runs while no such key is held.
final class KeyRepetition {
    /// The first version for which the server repeats keys.
    static let version: UInt32 = 10

    private unowned let keyboard: Keyboard
    private(set) var key: UInt32?
    private var timer: ClockTimer?

    init(_ keyboard: Keyboard) { self.keyboard = keyboard }

    /// Called when a key was pressed for the surface that has the keyboard. A key that does not repeat, such as Shift,
    /// does not stop one that does. Without a keymap all keys repeat.
    func didPress(_ key: UInt32) {
        guard keyboard.configuration.repeatRate > 0, let client = listener,
            keyboard.keymap(for: client)?.repeatingKeys.contains(key) != false
        else { return }
        self.key = key
        let clock = keyboard.server.clock
        if timer == nil { timer = ClockTimer(clock) { [unowned self] in fire(at: $0, $1) } }
        timer?.arm(at: clock.now + UInt64(keyboard.configuration.repeatDelay) * 1000)
    }

    /// The client that has the keyboard, if it expects repetitions.
    private var listener: Client? {
        guard let surface = keyboard.surface, surface.isAlive else { return nil }
        let keyboards = surface.client.seat(keyboard.seat).keyboards
        return keyboards.contains { $0.version >= Self.version } ? surface.client : nil
    }

    func didRelease(_ key: UInt32) {
        if key == self.key { stop() }
    }

    /// Called when another surface gets the keyboard, or the meaning of the keys changes.
    func stop() {
        key = nil
        timer?.cancel()
    }

    private func fire(at deadline: UInt64, _ now: UInt64) {
        guard let key, keyboard.configuration.repeatRate > 0, listener != nil else { return stop() }
        keyboard.sendRepeat(key, time: now)
        // Repetitions missed while the server was delayed are skipped.
        let period = 1_000_000 / UInt64(keyboard.configuration.repeatRate)
        timer?.arm(at: deadline + period > now ? deadline + period : now + period)
    }
}
