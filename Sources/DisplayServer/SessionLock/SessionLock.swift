// The lock of the server, and input reserved for a client: what both protocols share.

import MullionWayland
import WindowModel

/// Who holds the lock (L1–L3). The model knows whether the server is locked, and by whom; this object knows the protocol
/// object.
package final class SessionLock {
    private unowned let server: DisplayServer
    /// Nil when the server is not locked, and when the lock is abandoned.
    private(set) var current: SessionLockResource?

    init(_ server: DisplayServer) { self.server = server }

    // MARK: The lock

    /// Locks the server, or takes over an abandoned lock. If another client holds the lock, the new one is finished.
    func begin(_ new: SessionLockResource) {
        new.takesOver = server.model.isLocked
        do throws(ModelError) {
            try server.model.lock(by: new.client.application)
        } catch {
            return new.finish()
        }
        current = new
        receiversDidChange()
        server.log(.info, "client \(new.client.description) locked the server", about: new.client.subject(rule: .l1))
        // Pictures that show the windows may not be complete yet.
        server.captures.afterCurrentDrawings { [weak new] in new?.didLock() }
    }

    /// Called when the client withdraws its lock before it was confirmed.
    func withdraw(_ lock: SessionLockResource) {
        guard lock === current else { return }
        current = nil
        // L3: a lock that was taken over is abandoned again: withdrawing it does not unlock.
        if lock.takesOver { server.model.abandonLock(by: lock.client.application) } else { server.model.unlock() }
    }

    /// Called when the client unlocks. A finished lock has no effect.
    func unlock(by lock: SessionLockResource) {
        guard lock === current else { return }
        current = nil
        server.model.unlock()
        server.log(
            .info, "client \(lock.client.description) unlocked the server", about: lock.client.subject(rule: .l3))
    }

    /// L3: ends the lock, regardless of which client holds it.
    /// - Returns: false when the server is not locked.
    package func unlock() -> Bool {
        guard server.model.isLocked else { return false }
        server.model.unlock()
        let held = current
        current = nil
        held?.finish()
        server.log(.info, "an administrator unlocked the server")
        return true
    }

    /// L3: called when the object is destroyed. Without unlocking, the lock is abandoned.
    func forget(_ lock: SessionLockResource) {
        guard lock === current else { return }
        current = nil
        // At a restart the model has not changed: the next server continues the lock.
        guard server.model.isLocked, server.model.lockHolder == nil else { return }
        server.log(
            .info, "client \(lock.client.description) ended without unlocking: the server stays locked",
            about: lock.client.subject(rule: .l3))
    }

    /// Continues the lock of another server.
    func restore(_ lock: SessionLockResource) {
        if current == nil, server.model.lockHolder == lock.client.application { current = lock }
    }

    /// Ends the windows of the lock on a screen that is unplugged.
    func screenWillDisconnect(_ screen: Screen.ID) {
        for surface in current?.surfaces ?? [] where surface.screen == screen { surface.end() }
    }

    // MARK: Receivers

    /// Called when the windows that may receive input have changed. The model has ended what went on in the others; grabs
    /// of menus and input methods that are not in the key window end here.
    func receiversDidChange() {
        for seat in server.seats {
            seat.popupGrabs.receiversDidChange()
            seat.textInputs.receiversDidChange()
        }
    }
}
