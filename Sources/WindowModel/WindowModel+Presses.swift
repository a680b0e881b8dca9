// Keys and shaking: to the key window only (E3).

extension WindowModel {
    /// E3: the keys that the key window holds down, by evdev code.
    public var pressedKeys: [UInt32] { input.keys }

    /// Injects a key, `key` as in evdev; `time` in microseconds. A key that goes up is told to the window that was told
    /// it went down, unless that is not key any more: then it was told *cancelled* already. Throws E3 for a key that is
    /// down already.
    @discardableResult
    public func press(key code: UInt32, pressed: Bool, time: UInt64) throws(ModelError) -> Routing {
        let held = input.keys.firstIndex(of: code)
        guard !(pressed && held != nil) else {
            throw .notAllowed("E3", "key \(code) is down already; it goes down and up in turn")
        }
        advance(to: time)
        guard let key else { return dropPress() }
        guard pressed || held != nil else { return Routing(outcome: .dropped(.cancelled)) }
        if let held { input.keys.remove(at: held) } else { input.keys.append(code) }
        return deliver(.presses, pressed ? .began : .ended, .key(code), to: target(key), on: key.value.screen)
    }

    /// Injects a shake (E3).
    @discardableResult
    public func shake(time: UInt64) -> Routing {
        advance(to: time)
        guard let key else { return dropPress() }
        return deliver(.motion, .began, .shake, to: target(key), on: key.value.screen)
    }

    /// E3: the key window is about to lose key: no key stays down in it.
    func cancelPresses() {
        guard let key, !input.keys.isEmpty else { return }
        let keys = input.keys
        input.keys = []
        for code in keys {
            deliver(.presses, .cancelled, .key(code), to: target(key), on: key.value.screen)
        }
    }

    private func target(_ window: WindowNode) -> Input.Target {
        Input.Target(window: window, surface: window.value.root)
    }

    private func dropPress() -> Routing {
        droppedPresses += 1
        return Routing(outcome: .dropped(.noKeyWindow))
    }
}
