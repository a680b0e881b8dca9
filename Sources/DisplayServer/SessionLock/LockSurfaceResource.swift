// ext_session_lock_surface_v1

import MullionGeometry
import MullionWayland
import WindowModel

/// The window of a lock on one screen, which it fills (L1).
package final class LockSurfaceResource: Resource, SurfaceRole {
    static let roleName = RoleName.lockSurface

    /// A size that was sent.
    struct Configure: Codable {
        var serial: UInt32
        var width: UInt32
        var height: UInt32
    }

    /// Nil once its screen is unplugged or the lock has ended: all requests but destroy are then ignored.
    private(set) var window: Window.ID?
    var screen: Screen.ID?
    private(set) var surface: SurfaceResource?
    private(set) weak var lock: SessionLockResource?
    /// Those sent but not acknowledged.
    var sent: [Configure] = []
    /// The size last sent.
    var last: Configure?
    /// The one last acknowledged.
    var acknowledged: Configure?
    /// Acknowledged but not yet followed by a commit.
    var uncommitted: UInt32?
    private var charge: MemoryCharge

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        charge = MemoryCharge(to: client.holdings, bytes: MemoryCost.window)
        try super.init(client, id: id, version: version)
    }

    /// - Parameter screen: nil when it was unplugged meanwhile (S9).
    func start(_ surface: SurfaceResource, of lock: SessionLockResource, on screen: Screen.ID?) {
        self.surface = surface
        guard let screen, !lock.isFinished else { return }
        server.logErrors { () throws(ModelError) in
            var options = Window.Options.plain
            options.level = Window.Level.lock
            options.isOfLock = true
            let id = try server.model.createWindow(application: client.application, screen: screen, options: options)
            attach(to: lock, window: id, on: screen)
            try server.model.setRoot(surface.node, of: id)
            try server.model.setHidden(false, of: id)
            configure()
        }
    }

    /// Connects it with its lock and its window.
    func attach(to lock: SessionLockResource, window: Window.ID, on screen: Screen.ID?) {
        self.lock = lock
        self.window = window
        self.screen = screen
        server.windows[window] = .lock(self)
        lock.add(self)
    }

    func restore(_ surface: SurfaceResource) { self.surface = surface }

    package override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ExtSessionLockSurfaceV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .ackConfigure(let serial):
            guard window != nil else { return }
            guard let index = sent.firstIndex(where: { $0.serial == serial }) else {
                throw error(.invalidSerial, "\(serial) is not the serial of an unacknowledged configure")
            }
            acknowledged = sent[index]
            uncommitted = serial
            sent.removeFirst(index + 1)
        }
    }

    package override func willDestroy() {
        surface?.clearRole()
        end()
        surface = nil
    }

    /// W7: destroys the window. The object remains until the client destroys it.
    func end() {
        lock?.remove(self)
        guard let window else { return }
        self.window = nil
        screen = nil
        server.windows[window] = nil
        server.captures.windowDidEnd(window)
        server.logErrors { () throws(ModelError) in try server.model.destroyWindow(window) }
    }

    private func error(_ code: ExtSessionLockSurfaceV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }

    // MARK: Configure

    /// Sends the size of the screen, unless it is the same as before.
    func configure() {
        guard let window, let frame = server.model.frame(of: window),
            let scale = server.model.screen(of: window).flatMap({ server.model.screen($0)?.scale })
        else { return }
        // S4
        func length(_ end: Double) -> UInt32 {
            UInt32(Int32(clamped: max(1, Screen.wholePoints(from: 0, to: end, scale: scale))))
        }
        let (width, height) = (length(frame.width), length(frame.height))
        guard last?.width != width || last?.height != height else { return }
        let new = Configure(serial: server.nextSerial(), width: width, height: height)
        last = new
        sent.append(new)
        // Bounds the list: a client that has ignored this many sizes acknowledges one of the last.
        if sent.count > 64 { sent.removeFirst() }
        send(ExtSessionLockSurfaceV1.Event.configure(serial: new.serial, width: width, height: height))
    }

    /// A description of the configure event that the client has not completely handled; nil when there is none.
    var openConfigure: String? {
        guard let window else { return nil }
        if let serial = sent.last?.serial { return "has not acknowledged configure \(serial) of window \(window)" }
        // A client that waits for a frame callback draws and commits when it arrives.
        guard surface?.frameCallbacks.isEmpty != false else { return nil }
        return uncommitted.map { "has not committed after acknowledging configure \($0) of window \(window)" }
    }

    // MARK: Role

    var containingWindow: Window.ID? { window }

    func willCommit(_ state: SurfaceState, on surface: SurfaceResource) throws(ProtocolError) {
        uncommitted = nil
        guard window != nil else { return }
        guard acknowledged != nil else {
            throw error(.commitBeforeFirstAck, "the surface was committed before the first configure was acknowledged")
        }
        guard state.attaches ?? surface.willHaveContents else {
            throw error(.nullBuffer, "the surface was committed without a buffer")
        }
    }

    func didCommit(on surface: SurfaceResource) throws(ProtocolError) {
        guard window != nil, let acknowledged, let size = surface.size else { return }
        guard size.width == Double(acknowledged.width), size.height == Double(acknowledged.height) else {
            throw error(
                .dimensionsMismatch,
                "the surface is \(Int(size.width))x\(Int(size.height)), not \(acknowledged.width)x"
                    + "\(acknowledged.height) as acknowledged")
        }
    }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        end()
        self.surface = nil
    }
}
