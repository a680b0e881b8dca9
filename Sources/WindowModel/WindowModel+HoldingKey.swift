// Windows that hold key while they are visible (K8).

extension WindowModel {
    /// K8: whether the window keeps key while it is visible.
    public func setHoldsKey(_ holdsKey: Bool, of id: Window.ID) throws(ModelError) {
        let window = try node(id)
        guard holdsKey != window.value.holdsKey else { return }
        window.value.holding = holdsKey ? true : nil
        keyHolderCount += holdsKey ? 1 : -1
        holdersTakeKey()
    }

    /// K7: whether a touch or a click makes the window key and brings it to the front.
    public func setKeyOnTouch(_ keyOnTouch: Bool, of id: Window.ID) throws(ModelError) {
        try node(id).value.keyOnTouch = keyOnTouch
    }

    /// K8: the window that has to be key: of those that hold key and are visible on the seat's screens, the frontmost.
    func keyHolder(of seat: SeatNode, except excluded: WindowNode? = nil, _ leaving: [WindowNode] = []) -> WindowNode? {
        guard keyHolderCount > 0 else { return nil }
        var best: WindowNode?
        // From the front, where layers with an exclusive keyboard are: a client may have thousands of them.
        for screen in screenNodes where screen.seat === seat {
            let front = screen.order.last { entry in
                let window = entry.window
                return window.value.holdsKey && window.value.isVisible && window.value.canBecomeKey
                    && !window.application.isEnding && window !== excluded && admits(window)
                    && !leaving.contains { $0 === window }
            }
            if let window = front?.window, best.map(window.isInFront) ?? true { best = window }
        }
        return best
    }

    /// K8: called when another window may have to be key.
    func holdersTakeKey() {
        guard keyHolderCount > 0, returning == nil else { return }
        for seat in seatNodes {
            if let holder = keyHolder(of: seat), holder !== seat.key { requestKey(holder) }
        }
    }

    /// K8, L2: of the windows that have asked since key was taken by force, and those that it was taken from, the last
    /// one that can be key now. What has become invisible, or declines, is passed over.
    func lastToAsk(on seat: SeatNode, _ canBeKey: (WindowNode) -> Bool) -> WindowNode? {
        guard keyRequests > seat.forgotten else { return nil }
        var last: (window: WindowNode, request: UInt64)?
        for screen in screenNodes where screen.seat === seat {
            for entry in screen.order {
                guard let request = entry.window.keyRequest, request > last?.request ?? seat.forgotten,
                    canBeKey(entry.window)
                else { continue }
                last = (entry.window, request)
            }
        }
        return last?.window
    }
}
