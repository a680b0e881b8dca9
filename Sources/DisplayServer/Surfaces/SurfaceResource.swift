// wl_surface

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

/// A piece of content: its current state, its pending state, and its role.
final class SurfaceResource: Resource {
    /// The kind of role that the surface has or had (W5).
    var roleName: RoleName?
    /// Whether any of its frame callbacks has been sent.
    var hadFrame = false
    /// The surface in the window model.
    let node: Surface.ID
    /// The screen last sent to the client (wl_surface.enter).
    var enteredScreen: Screen.ID?
    /// The scale and the transform last sent to the client; nil before.
    var preferred: PreferredBuffer?
    private(set) var role: (any SurfaceRole)?

    var pending: SurfaceState?
    /// The cached commits of a synchronised sub-surface.
    var cached: SurfaceState?
    /// Its sub-surfaces; nil for most surfaces, which have none.
    var family: SurfaceFamily?

    var contents: AttachedBuffer?
    /// Contents that were replaced while drawings read them, until the last of these ends.
    private weak var replacedContents: AttachedBuffer?
    var damage = DamageHistory()
    var opaqueRegion: KeptRegion?
    /// H1: nil for everywhere.
    var inputRegion: KeptRegion?
    var extensions: SurfaceExtensions?
    var frameCallbacks = FrameCallbacks.none
    /// This surface's place in a frame clock's list, while it waits for one.
    var framePlace: FrameClock.Place? {
        didSet {
            client.framesAwaited += (framePlace?.isOnScreen == true ? 1 : 0) - (oldValue?.isOnScreen == true ? 1 : 0)
        }
    }
    /// How the buffer is shown.
    var layout = BufferLayout()

    /// - Parameter known: an existing surface of the model.
    init(_ client: Client, id: ObjectID, version: UInt32, node known: Surface.ID? = nil) throws(ProtocolError) {
        let server = client.server
        let node = known ?? server.model.createSurface()
        self.node = node
        do {
            try super.init(client, id: id, version: version)
        } catch {
            server.logErrors { () throws(ModelError) in try server.model.destroySurface(node) }
            throw error
        }
        server.surfaces.insert(self)
        client.surfaceCount += 1
        client.x11Server?.didCreate(self)
    }

    override var mayGoLater: Bool { true }

    /// Shows another buffer, laid out anew, or none.
    func replaceContents(by new: AttachedBuffer?) {
        if !isKnownUniquelyReferenced(&contents) { replacedContents = contents }
        contents = new
    }

    /// Whether a drawing still reads a buffer that was replaced. A client with two buffers then has none to draw into.
    var isReplacedBufferDrawn: Bool { replacedContents != nil }

    override func willDestroy() {
        // First, so that nothing enters it again.
        server.surfaces.remove(self)
        for seat in server.seats { seat.surfaceWillBeDestroyed(self) }
        role?.surfaceWillBeDestroyed(self)
        role = nil
        endExtensions()
        for child in children { child.parentWillBeDestroyed() }
        family?.children = []
        framePlace?.clock.forget(self)
        client.surfaceCount -= 1
        server.logErrors { () throws(ModelError) in try server.model.destroySurface(node) }
        contents = nil
        pending = nil
        if let state = takeCached() { drop(state) }
        _ = family?.waiting.takeAll()
        dropQueue()
        server.contentsChanged(of: self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlSurface.Request.self, opcode, &reader) {
        case .destroy:
            for callbacks in [frameCallbacks, pending?.frameCallbacks] {
                callbacks?.forEach { connection.dropCallback($0) }
            }
            frameCallbacks = .none
            discardFeedbacks()
            destroy()
        case .attach(let buffer, let x, let y):
            guard version < 5 || (x == 0 && y == 0) else {
                throw error(.invalidOffset, "attach takes no offset since version 5; use wl_surface.offset")
            }
            let resource = try connection.resource(buffer, as: BufferResource.self)
            if let resource { try role?.willAttach(resource) }
            change.attachment = resource.map { .buffer($0) } ?? .removed
            move(x, y)
        case .damage(let x, let y, let width, let height):
            let state = change
            state.surfaceDamage = state.surfaceDamage.union(
                IntRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
        case .damageBuffer(let x, let y, let width, let height):
            let state = change
            state.bufferDamage = state.bufferDamage.union(
                IntRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
        case .frame(let callback):
            let limit = connection.transport.limits.frameCallbacks
            let waiting = queue.reduce(frameCallbacks.count + (cached?.frameCallbacks.count ?? 0)) {
                $0 + $1.state.frameCallbacks.count
            }
            guard waiting + (pending?.frameCallbacks.count ?? 0) < limit else {
                throw ProtocolError(
                    .noMemory, object: id, message: "limit reached: \(limit) frame callbacks of a surface")
            }
            try connection.reserveCallback(callback)
            change.frameCallbacks.append(callback)
        case .setOpaqueRegion(let region):
            change.opaque = try regionChange(region)
        case .setInputRegion(let region):
            change.input = try regionChange(region)
        case .setBufferTransform(let transform):
            guard let value = BufferTransform(rawValue: transform.rawValue) else {
                throw error(.invalidTransform, "\(transform.rawValue) is not a transform; use 0 to 7")
            }
            change.transform = value
        case .setBufferScale(let scale):
            guard scale >= 1 else { throw error(.invalidScale, "\(scale) is not a buffer scale; use at least 1") }
            change.scale = scale
        case .offset(let x, let y): move(x, y)
        case .commit:
            try commit()
        }
    }

    // MARK: Roles

    /// Gives the surface a role.
    /// - Throws: `code` of `object` when the surface has or had another role (W5), or already has this one.
    func setRole<R: SurfaceRole>(_ new: R, errorOn object: ObjectID, code: UInt32) throws(ProtocolError) {
        guard role == nil, roleName.map(R.roleNames.contains) ?? true else {
            let (old, new) = (roleName?.rawValue ?? "", R.roleName.rawValue)
            throw ProtocolError(
                object: object, code: code,
                message: "\(Rule.w5): surface \(id) is or was \(old) and cannot become \(new)")
        }
        role = new
        roleName = roleName ?? R.roleName
    }

    /// The role if it is a sub-surface.
    var subsurface: SubsurfaceResource? {
        // Most surfaces are none, and comparing names costs less than a cast.
        guard case .subsurface? = roleName, let role else { return nil }
        return role as? SubsurfaceResource
    }

    /// Replaces the role name by a more specific one: a surface that was a toplevel never becomes a pop-up (W5).
    /// - Returns: false when it was something else.
    func refineRole(_ name: RoleName, from general: RoleName) -> Bool {
        guard roleName == general || roleName == name else { return false }
        roleName = name
        return true
    }

    /// Called when the role object is destroyed; the surface shows nothing until it gets the role again.
    func clearRole() {
        role = nil
        // The cached state is discarded; the next role starts without it, and with the sub-surfaces as they were changed.
        leaveParentsQueue(cached: takeCached())
    }

    func takeCached() -> SurfaceState? {
        defer { cached = nil }
        return cached
    }

    /// Ends what waits for a state that will not be applied.
    func drop(_ state: SurfaceState) {
        state.frameCallbacks.forEach { connection.dropCallback($0) }
        state.extensions?.discard()
        if case .buffer(let buffer) = state.attachment { buffer.releaseIfUnused() }
    }

    /// The number of levels of its tree of sub-surfaces, including itself.
    var height: Int { 1 + (family?.heights.maximum ?? 0) }

    /// A description of the configure event that the client has not completely handled.
    var openConfigure: String? {
        switch role {
        case let role as XdgSurfaceResource: role.openConfigure
        case let role as LayerSurfaceResource: role.openConfigure
        case let role as X11WindowResource: role.openConfigure
        case let role as LockSurfaceResource: role.openConfigure
        default: nil
        }
    }
    /// The window that the surface is part of.
    var window: Window.ID? { role?.containingWindow }
    /// The size of the content in points, nil without content.
    var size: Size? { contents?.size }
    var hasContents: Bool { contents != nil }
    /// The screen that shows the surface: its window's or, for a cursor or a drag icon, the pointer's.
    var shownScreen: Screen.ID? {
        guard let window else { return (role as? CursorRole)?.screen ?? server.model.overlayScreen(of: node) }
        return server.model.visibleScreen(of: window)
    }

    // MARK: Requests

    /// The pending state for the next commit.
    var change: SurfaceState {
        if let pending { return pending }
        let state = server.statePool.take()
        pending = state
        return state
    }

    /// Moves cursors and drag icons; windows stay where the server placed them.
    private func move(_ x: Int32, _ y: Int32) {
        guard x != 0 || y != 0 else { return }
        change.offset = change.offset + Point(x: Double(x), y: Double(y))
    }

    private func regionChange(_ id: ObjectID?) throws(ProtocolError) -> SurfaceState.RegionChange {
        guard let region = try connection.resource(id, as: RegionResource.self) else { return .unset }
        return .region(try region.keep())
    }

    func error(_ code: WlSurface.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
