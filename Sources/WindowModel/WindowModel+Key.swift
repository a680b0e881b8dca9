// The key window of each seat (K1–K8, L2).

extension WindowModel {
    /// K1: the first seat's.
    public var keyWindow: Window.ID? { seatNodes[0].key?.id }

    /// K1: a seat's key window; nil when it has none, and for a seat that does not exist.
    public func keyWindow(of seat: Seat.ID) -> Window.ID? { seatNode(seat)?.key?.id }

    /// K2: increases whenever another window of the seat is made key by request; key passing on (K5), and being taken by
    /// a window that holds it (K8), do not count. 0 for a seat that does not exist.
    public func lastKeyRequest(of seat: Seat.ID) -> UInt64 { seatNode(seat)?.lastKeyRequest ?? 0 }

    /// K5: the window to make key without falling into the trap: on the main screen, visible, alpha > 0, level normal;
    /// the frontmost one that can become key.
    public func findKeyWindow() -> Window.ID? {
        screenNodes.first?.order.last { entry in
            let window = entry.window.value
            return window.level == Window.Level.normal && window.alpha > 0 && window.canBecomeKey
        }?.window.id
    }

    /// K2: makes a visible window the key window of its screen's seat; an invisible one when it becomes visible, unless
    /// another was made key, or asked to be, on that seat since. Does nothing for a window that declines (K4).
    public func makeKey(_ id: Window.ID) throws(ModelError) {
        ask(try node(id))
    }

    /// K3: shows the window, brings it to the front of its level and makes it key.
    public func makeKeyAndVisible(_ id: Window.ID) throws(ModelError) {
        let window = try node(id)
        // W3: a window that becomes visible enters once.
        if window.wantsVisible { enterFront(window) }
        // K2: request key first; becoming visible then grants it, in K3's order.
        if !window.value.isVisible { requestKey(window) }
        show(window)
        ask(window)
    }

    /// K6: gives key away; also withdraws a pending key request. Does nothing for a window that holds key (K8).
    public func resignKey(_ id: Window.ID) throws(ModelError) {
        let window = try node(id)
        guard !(window.value.isKey && window.value.holdsKey) else { return }
        resignKey(window)
    }

    /// K7, E6: text is being edited in the window: makes it key as `makeKey` does, so that it receives the following
    /// keys.
    public func beginEditing(_ id: Window.ID) throws(ModelError) {
        ask(try node(id))
    }

    /// K4: a window that declines never becomes key; the key window resigns as in `resignKey`.
    public func setCanBecomeKey(_ canBecomeKey: Bool, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        window.value.canBecomeKey = canBecomeKey
        if canBecomeKey { holdersTakeKey() } else { resignKey(window) }
    }

    /// K2: a request by the window's program. The key window stays key, but the earlier wishes of others are void.
    private func ask(_ window: WindowNode) {
        guard let seat = keySeat(of: window) else { return requestKey(window) }
        keyRequests += 1
        seat.lastWish = keyRequests
    }

    func requestKey(_ window: WindowNode) {
        guard window.value.canBecomeKey else { return }
        guard window.value.isVisible, let seat = window.screen?.seat else { return remember(window) }
        guard seat.key !== window else { return }
        guard admits(window) else { return remember(window) }
        if let holder = keyHolder(of: seat), holder !== window { return remember(window) }
        if window.value.holdsKey {
            // K8: key returns to the window that it is taken from, or to what that one has activated.
            if let key = seat.key { remember(key) }
        } else {
            keyRequests += 1
            seat.lastKeyRequest = keyRequests
        }
        setKey(window, of: seat)
    }

    /// K2, K8, L2: the request of an invisible window, or one that cannot be granted now, voids the earlier ones of its
    /// seat; as long as that seat is unknown, those of all seats.
    func remember(_ window: WindowNode) {
        keyRequests += 1
        window.keyRequest = keyRequests
        let seat = window.screen?.seat ?? window.value.awaitedScreen.map { self.seat(ofScreenNamed: $0.name) }
        for other in seatNodes where seat == nil || other === seat { other.lastWish = keyRequests }
    }

    /// K2: when a window becomes visible, grants its pending request, unless a later one voids it. The window of a
    /// program that cannot ask (K7) takes key if no window of the seat has it, or one of its own program does.
    func takeKeyWhenVisible(_ window: WindowNode) {
        let request = window.keyRequest
        window.keyRequest = nil
        guard let seat = window.screen?.seat else { return }
        if let request, request >= max(seat.lastKeyRequest, seat.lastWish) { return requestKey(window) }
        guard admits(window) else { return }
        if window.value.holdsKey { return requestKey(window) }
        guard window.value.keyOnTouch else { return }
        guard let key = seat.key else { return requestKey(window) }
        // W3: a dialog keeps key when its parent returns.
        if window.isOfProgram(of: key), !window.isSelfOrAncestor(of: key) { requestKey(window) }
    }

    /// K5: the key window, if there is one, resigns, and key passes to its heir.
    /// - Parameter leaving: the windows that are about to leave the seat, and do not inherit.
    func passKey(of seat: SeatNode, leaving: [WindowNode] = []) {
        setKey(heir(of: seat.key, on: seat, leaving: leaving), of: seat)
    }

    /// L4: key goes to the window that asked last while it could not be key, if there is one.
    func returnKey(of seat: SeatNode) {
        let next = lastToAsk(on: seat) { self.canBeKey($0, after: seat.key, on: seat) }
        if let next { setKey(next, of: seat) }
    }

    private func resignKey(_ window: WindowNode) {
        window.keyRequest = nil
        if let seat = keySeat(of: window) { passKey(of: seat) }
    }

    private func setKey(_ window: WindowNode?, of seat: SeatNode) {
        if let old = seat.key {
            // E3: a window must not keep keys pressed whose release it will not receive.
            cancelPresses(of: seat)
            old.value.isKey = false
            seat.key = nil
            record(.didResignKey(old.id, old.value.application, seat: seat.id))
        }
        // K8, L2: what was remembered has had its turn.
        if restriction == nil, window?.value.holdsKey != true { seat.forgotten = keyRequests }
        guard let window else { return }
        seat.key = window
        window.keyRequest = nil
        window.value.isKey = true
        record(.didBecomeKey(window.id, window.value.application, seat: seat.id))
    }

    private func canBeKey(_ other: WindowNode, after window: WindowNode?, on seat: SeatNode) -> Bool {
        other !== window && other.value.isVisible && other.value.canBecomeKey && !other.application.isEnding
            && other.screen?.seat === seat && admits(other)
    }

    /// K5: of the windows visible on the seat's screens that can become key and take interaction, the one with the
    /// highest level, frontmost within it; those of the same application come first. K8, L2: before them, the one that
    /// asked last while it could not be key, or that key was taken from, whether it takes interaction or not.
    private func heir(of window: WindowNode?, on seat: SeatNode, leaving: [WindowNode]) -> WindowNode? {
        func canBeKey(_ other: WindowNode) -> Bool {
            self.canBeKey(other, after: window, on: seat) && !leaving.contains { $0 === other }
        }
        func canInherit(_ other: WindowNode) -> Bool { other.value.takesInteraction && canBeKey(other) }
        func front(_ a: WindowNode?, _ b: WindowNode?) -> WindowNode? {
            guard let a, let b else { return a ?? b }
            return b.isInFront(of: a) ? b : a
        }
        if let holder = keyHolder(of: seat, except: window, leaving) { return holder }
        if let next = lastToAsk(on: seat, canBeKey) { return next }
        var best: WindowNode?
        for other in window?.application.windows ?? [] where canInherit(other) { best = front(best, other) }
        if let best { return best }
        for screen in screenNodes where screen.seat === seat {
            best = front(best, screen.order.last { canInherit($0.window) }?.window)
        }
        return best
    }
}
