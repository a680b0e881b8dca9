// Locking in the slow model (L1–L4).

import WindowModel

extension ReferenceModel {
    /// L1: whether pictures may contain it.
    func shows(_ w: Win) -> Bool { isLocked ? w.isOfLock && w.application == lockHolder : !w.isOfLock }

    /// L2, L4: whether it may receive events.
    func admits(_ w: Win) -> Bool { shows(w) && (isLocked || inputOwner == nil || w.application == inputOwner) }

    func admits(_ application: Application.ID) -> Bool {
        isLocked ? application == lockHolder : inputOwner == nil || application == inputOwner
    }

    var restriction: Routing.Reason? { isLocked ? .locked : inputOwner == nil ? nil : .reserved }

    /// Returns false if it is refused.
    func lock(_ application: Application.ID) -> Bool {
        if isLocked && lockHolder != nil { return false }
        let isNew = !isLocked
        restrict {
            isLocked = true
            lockHolder = application
        }
        if isNew { notify(.lockDidChange(isLocked: true)) }
        return true
    }

    func unlock() {
        if !isLocked { return }
        restrict {
            isLocked = false
            lockHolder = nil
        }
        notify(.lockDidChange(isLocked: false))
    }

    func abandon(_ application: Application.ID) {
        if isLocked && lockHolder == application { restrict { lockHolder = nil } }
    }

    /// Returns false if it is refused.
    func reserve(_ application: Application.ID) -> Bool {
        if inputOwner == application { return true }
        if inputOwner != nil { return false }
        restrict { inputOwner = application }
        return true
    }

    func release(_ application: Application.ID) {
        if inputOwner == application { restrict { inputOwner = nil } }
    }

    private func restrict(_ change: () -> Void) {
        let before = restriction
        change()
        cancel { aim in !(self.window(aim.window).map(self.admits) ?? false) }
        for seat in seats {
            let key = window(seat.key)
            if let key, admits(key) {
                let next = remembered(seat, able(seat).filter { $0 !== key })
                if before != nil, restriction == nil, holder(seat) == nil, let next { setKey(next, seat) }
                continue
            }
            if key == nil && before == nil { continue }
            if let key, !key.isOfLock { wish(key) }
            inherit(seat)
        }
        holdersTakeKey()
    }
}
