// ext_session_lock_manager_v1 and ext_session_lock_v1

import MullionWayland
import WindowModel

/// Locks the server, for clients with the right to (`Rights.lock`).
final class SessionLockManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtSessionLockManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .lock(let id):
            let lock = try SessionLockResource(client, id: id, version: version)
            server.sessionLock.begin(lock)
        }
    }
}

/// A client's lock (L1–L3): from the request until it is destroyed.
final class SessionLockResource: Resource {
    /// Whether `locked` was sent: from then on the client has to unlock.
    var isConfirmed = false
    /// Whether `finished` was sent: the lock is another client's, or has ended.
    var isFinished = false
    /// Whether the server was locked before.
    var takesOver = false
    private(set) var surfaces: [LockSurfaceResource] = []

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtSessionLockV1.Request.self, opcode, &reader) {
        case .destroy:
            guard !isConfirmed else {
                throw error(.invalidDestroy, "the server is locked; use unlock_and_destroy")
            }
            server.sessionLock.withdraw(self)
            destroy()
        case .getLockSurface(let id, let surface, let output):
            try addSurface(
                id, connection.resource(surface, as: SurfaceResource.self),
                on: connection.resource(output, as: OutputResource.self))
        case .unlockAndDestroy:
            guard isConfirmed else {
                throw error(.invalidUnlock, "the server is not locked yet; use destroy")
            }
            server.sessionLock.unlock(by: self)
            destroy()
        }
    }

    override func willDestroy() {
        let left = surfaces
        surfaces = []
        for surface in left { surface.end() }
        server.sessionLock.forget(self)
    }

    private func addSurface(
        _ id: ObjectID, _ surface: SurfaceResource, on output: OutputResource
    ) throws(ProtocolError) {
        guard !surface.willHaveContents, surface.pending?.attaches != true else {
            throw error(.alreadyConstructed, "surface \(surface.id) already has a buffer")
        }
        if let screen = output.screen, surfaces.contains(where: { $0.screen == screen }) {
            throw error(.duplicateOutput, "output \(output.id) already has a surface of this lock")
        }
        try client.checkWindow(on: output.screen, errorOn: self.id)
        let object = try LockSurfaceResource(client, id: id, version: version)
        try surface.setRole(object, errorOn: self.id, code: ExtSessionLockV1.Error.role.rawValue)
        object.start(surface, of: self, on: output.screen)
    }

    func add(_ surface: LockSurfaceResource) { surfaces.append(surface) }
    func remove(_ surface: LockSurfaceResource) { surfaces.removeAll { $0 === surface } }

    /// Called when no picture shows the windows of others any more.
    func didLock() {
        guard isAlive, !isConfirmed, !isFinished else { return }
        isConfirmed = true
        send(ExtSessionLockV1.Event.locked)
    }

    /// Called when the lock is another client's, or was ended by an administrator.
    func finish() {
        guard !isFinished else { return }
        isFinished = true
        send(ExtSessionLockV1.Event.finished)
        for surface in surfaces { surface.end() }
    }

    private func error(_ code: ExtSessionLockV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
