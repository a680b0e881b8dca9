// The lock (L1–L3), and input reserved for one application (L4).

extension WindowModel {
    /// L1: whether the server is locked.
    public var isLocked: Bool { lock != nil }

    /// L3: the application that holds the lock; nil without a lock, and when its application has ended.
    public var lockHolder: Application.ID? { lock?.holder }

    /// L4: the application for which input is reserved.
    public var inputHolder: Application.ID? { inputOwner }

    /// L1–L3: locks the server, or takes over an abandoned lock. Throws L3 when an application holds the lock.
    public func lock(by id: Application.ID) throws(ModelError) {
        _ = try node(id)
        if let holder = lockHolder {
            throw .notAllowed(.l3, "application \(holder) holds the lock")
        }
        let wasLocked = isLocked
        changeReceivers { lock = Lock(holder: id) }
        if !wasLocked { record(.lockDidChange(isLocked: true)) }
    }

    /// L3: ends the lock. Its windows are no longer shown. Does nothing when the server is not locked.
    public func unlock() {
        guard isLocked else { return }
        changeReceivers { lock = nil }
        record(.lockDidChange(isLocked: false))
    }

    /// L3: the application that holds the lock gives it up without unlocking. Does nothing for any other application.
    public func abandonLock(by id: Application.ID) {
        guard lockHolder == id else { return }
        changeReceivers { lock = Lock(holder: nil) }
    }

    /// L4: reserves input for an application. Throws L4 when it is reserved for another one.
    public func reserveInput(for id: Application.ID) throws(ModelError) {
        _ = try node(id)
        guard inputOwner != id else { return }
        if let owner = inputOwner { throw .notAllowed(.l4, "input is reserved for application \(owner)") }
        changeReceivers { inputOwner = id }
    }

    /// L4: no longer reserves input for an application. Does nothing for any other one.
    public func releaseInput(of id: Application.ID) {
        guard inputOwner == id else { return }
        changeReceivers { inputOwner = nil }
    }

    /// L1: whether a window is visible and part of pictures, covered or not.
    public func isShown(_ id: Window.ID) -> Bool { windowNodes[id].map { $0.value.isVisible && shows($0) } ?? false }

    /// L2, L4: whether an application's ordinary windows – while locked, its windows of the lock – may receive events.
    public func admitsInput(of id: Application.ID) -> Bool {
        if let lock { return lock.holder == id }
        return inputOwner.map { $0 == id } ?? true
    }

    /// L2, L4: whether a window may receive events and become key.
    func admits(_ window: WindowNode) -> Bool {
        shows(window) && (lock != nil || inputOwner.map { $0 == window.value.application } ?? true)
    }

    /// L1: whether pictures contain a visible window.
    func shows(_ window: WindowNode) -> Bool {
        guard let lock else { return !window.value.isOfLock }
        return window.value.isOfLock && window.value.application == lock.holder
    }

    /// L2, L4: why a window that is not admitted receives nothing; nil when only the window itself could be the reason.
    var restriction: Routing.Reason? {
        if lock != nil { return .locked }
        return inputOwner == nil ? nil : .reserved
    }

    /// Changes who may receive input: ends what goes on in windows that no longer may, and moves key.
    private func changeReceivers(_ change: () -> Void) {
        let wasRestricted = restriction != nil
        change()
        structureChanged = true
        for screen in screenNodes { changed(screen) }
        for window in windowNodes.values where window.isWatched { changedWatchedWindows.insert(window.id) }
        cancelSequences { !self.admits($0.window) }
        for seat in seatNodes { cancelCarried(of: seat) { !self.admits($1.window) } }
        let isEnd = wasRestricted && restriction == nil
        for seat in seatNodes {
            guard let key = seat.key else {
                if wasRestricted { passKey(of: seat) }
                continue
            }
            if admits(key) {
                // L4: a window of the application that reserved input keeps it.
                if isEnd, keyHolder(of: seat) == nil { returnKey(of: seat) }
                continue
            }
            // L2: key returns to it. A window of the lock cannot have it afterwards.
            if !key.value.isOfLock { remember(key) }
            passKey(of: seat)
        }
        holdersTakeKey()
    }
}

/// L1: the state of a lock.
struct Lock: Hashable, Codable {
    /// L3: nil once its application has ended.
    var holder: Application.ID?
}
