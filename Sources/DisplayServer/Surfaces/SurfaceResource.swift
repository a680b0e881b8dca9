// wl_surface

import Compositor
import Wayland
import WindowModel

/// A piece of content: what is committed, what waits for the next commit, and the role it plays.
final class SurfaceResource: Resource {
    /// The surface in the window model.
    let node: Surface.ID
    private(set) var role: (any SurfaceRole)?
    /// The kind of role that the surface has or had (W5).
    private(set) var roleName: String?
    /// The role once more where it is a sub-surface: asked at every commit.
    private(set) unowned(unsafe) var subsurface: SubsurfaceResource?

    private var pending: SurfaceState?
    /// A synchronised sub-surface's commits, waiting for the parent's.
    private var cached: SurfaceState?
    /// Sub-surfaces whose `cached` waits for this surface's commit.
    private var waitingChildren: [SubsurfaceResource] = []

    /// Sub-surfaces of this one, shown or not, in no order.
    private var children: [SubsurfaceResource] = []

    private(set) var contents: AttachedBuffer?
    private(set) var damage = DamageHistory()
    private var opaqueRegion: Region?
    private var bufferScale: Int32 = 1
    private var bufferTransform = BufferTransform.normal
    private(set) var frameCallbacks: [ObjectID] = []
    /// Whether a frame clock knows of the callbacks.
    var isAwaitingFrame = false {
        didSet { client.framesAwaited += (isAwaitingFrame ? 1 : 0) - (oldValue ? 1 : 0) }
    }
    /// The screen that the client was told the surface is on (wl_surface.enter).
    private(set) var enteredScreen: Screen.ID?

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        let server = client.server
        let node = server.model.createSurface()
        self.node = node
        do {
            try super.init(client, id: id, version: version)
        } catch {
            server.ignore { () throws(ModelError) in try server.model.destroySurface(node) }
            throw error
        }
        server.surfaces.insert(self)
        client.surfaceCount += 1
    }

    override func willDestroy() {
        server.seat.surfaceWillBeDestroyed(self)
        role?.surfaceWillBeDestroyed(self)
        role = nil
        subsurface = nil
        for child in children { child.parentWillBeDestroyed() }
        children = []
        isAwaitingFrame = false
        client.surfaceCount -= 1
        server.surfaces.remove(self)
        server.ignore { () throws(ModelError) in try server.model.destroySurface(node) }
        contents = nil
        pending = nil
        dropCached()
        for child in waitingChildren { child.isWaiting = false }
        waitingChildren = []
        server.contentsChanged(of: self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlSurface.Request.self, opcode, &reader) {
        case .destroy:
            for callback in frameCallbacks + (pending?.frameCallbacks ?? []) + (cached?.frameCallbacks ?? []) {
                connection.dropCallback(callback)
            }
            frameCallbacks = []
            destroy()
        case .attach(let buffer, let x, let y):
            guard version < 5 || (x == 0 && y == 0) else {
                throw error(.invalidOffset, "from version 5 on attach takes no offset but wl_surface.offset does")
            }
            let resource = try connection.resource(buffer, as: BufferResource.self)
            change.attachment = resource.map { .buffer($0) } ?? .removed
        case .damage(let x, let y, let width, let height):
            let state = change
            state.surfaceDamage = state.surfaceDamage.union(
                IntRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
        case .damageBuffer(let x, let y, let width, let height):
            let state = change
            state.bufferDamage = state.bufferDamage.union(
                IntRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)))
        case .frame(let callback):
            try connection.reserveCallback(callback)
            change.frameCallbacks.append(callback)
        case .setOpaqueRegion(let region):
            change.opaque = try regionChange(region)
        case .setInputRegion(let region):
            change.input = try regionChange(region)
        case .setBufferTransform(let transform):
            guard let value = BufferTransform(rawValue: transform.rawValue) else {
                throw error(.invalidTransform, "transform \(transform.rawValue) is none of 0…7")
            }
            change.transform = value
        case .setBufferScale(let scale):
            guard scale >= 1 else { throw error(.invalidScale, "a buffer scale is at least 1, not \(scale)") }
            change.scale = scale
        case .offset:
            break  // Windows stay where the server put them; only drag icons and cursors follow offsets.
        case .commit:
            try commit()
        }
    }

    // MARK: Roles

    /// Gives the surface a role.
    /// - Throws: `code` of `object` when the surface has another role, or had one (W5), or has this one already.
    func setRole<R: SurfaceRole>(_ new: R, errorOn object: ObjectID, code: UInt32) throws(ProtocolError) {
        guard role == nil, roleName == nil || R.roleNames.contains(roleName ?? "") else {
            throw ProtocolError(
                object: object, code: code,
                message: "W5: surface \(id) is or was \(roleName ?? "") and cannot become \(R.roleName)")
        }
        role = new
        roleName = roleName ?? R.roleName
        subsurface = new as? SubsurfaceResource
    }

    /// Names the role more closely: a surface that was a toplevel never becomes a pop-up (W5).
    /// - Returns: false when it was something else.
    func refineRole(_ name: String, from general: String) -> Bool {
        guard roleName == general || roleName == name else { return false }
        roleName = name
        return true
    }

    /// The role object went; the surface shows nothing until it gets the role again.
    func clearRole() {
        role = nil
        subsurface = nil
        // What waited for a parent's commit waits no more; the next role starts without it.
        for callback in cached?.frameCallbacks ?? [] { connection.dropCallback(callback) }
        dropCached()
    }

    private func dropCached() {
        if case .buffer(let buffer)? = cached?.attachment { buffer.releaseIfUnused() }
        cached = nil
    }

    /// The levels of sub-surfaces from this one down, itself included.
    var height: Int { 1 + (children.lazy.compactMap { $0.surface?.height }.max() ?? 0) }

    /// What the client has not done of what it was told by configure events, in words.
    var openConfigure: String? { (role as? XdgSurfaceResource)?.openConfigure }
    /// The window that the surface is part of.
    var window: Window.ID? { role?.containingWindow }
    /// The size of the content in points, nil without content.
    var size: Size? { contents?.size }
    var hasContents: Bool { contents != nil }

    // MARK: Commit

    private var change: SurfaceState {
        if let pending { return pending }
        let state = server.statePool.take()
        pending = state
        return state
    }

    func adopt(_ child: SubsurfaceResource) {
        child.indexInParent = children.count
        children.append(child)
    }

    func disown(_ child: SubsurfaceResource) {
        let last = children.removeLast()
        if last !== child {
            children[child.indexInParent] = last
            last.indexInParent = child.indexInParent
        }
        if child.isWaiting {
            child.isWaiting = false
            waitingChildren.removeAll { $0 === child }
        }
    }

    /// Lets the parent's next commit carry out a change to its sub-surfaces.
    func requestChild(_ request: SurfaceState.ChildChange) throws(ProtocolError) {
        guard isAlive else { return }
        let state = change
        try checkLimit(state.children.count + 1)
        state.children.append(request)
    }

    private func checkLimit(_ changes: Int) throws(ProtocolError) {
        let limit = connection.transport.limits.surfaces
        guard changes <= limit else {
            throw ProtocolError(
                .noMemory, object: id, message: "limit reached: \(limit) changes to sub-surfaces before a commit")
        }
    }

    private func commit() throws(ProtocolError) {
        let state = pending ?? server.statePool.take()
        pending = nil
        try role?.willCommit(state, on: self)
        if let subsurface, subsurface.isEffectivelySynchronized {
            if let cached {
                try checkLimit(cached.children.count + state.children.count)
                cached.merge(state)
                server.statePool.give(back: state)
            } else {
                cached = state
            }
            if !subsurface.isWaiting, let parent = subsurface.parent {
                subsurface.isWaiting = true
                parent.waitingChildren.append(subsurface)
            }
            return
        }
        if let earlier = cached {
            cached = nil
            earlier.merge(state)
            server.statePool.give(back: state)
            try apply(earlier)
        } else {
            try apply(state)
        }
    }

    /// Carries out what a synchronised sub-surface had committed, now that its parent commits.
    func applyCached() throws(ProtocolError) {
        guard let state = cached else { return }
        cached = nil
        try apply(state)
    }

    /// Carries out what waited here and in the sub-surfaces, now that this one waits for no parent any more.
    func applyAllCached() throws(ProtocolError) {
        if cached != nil { try applyCached() } else { try applyWaitingChildren() }
    }

    private func applyWaitingChildren() throws(ProtocolError) {
        let children = waitingChildren
        waitingChildren = []
        for child in children { child.isWaiting = false }
        for child in children where child.isAlive { try child.surface?.applyCached() }
    }

    private func apply(_ state: SurfaceState) throws(ProtocolError) {
        try applyContents(state)
        if case .unchanged = state.input {} else { applyInput(state.input) }
        for change in state.children { apply(change) }
        if !state.frameCallbacks.isEmpty {
            frameCallbacks += state.frameCallbacks
            server.scheduleFrame(for: self)
        }
        server.statePool.give(back: state)
        if !waitingChildren.isEmpty { try applyWaitingChildren() }
        try role?.didCommit(on: self)
    }

    private func applyContents(_ state: SurfaceState) throws(ProtocolError) {
        bufferScale = state.scale ?? bufferScale
        bufferTransform = state.transform ?? bufferTransform
        let opaqueChanged: Bool
        switch state.opaque {
        case .unchanged: opaqueChanged = false
        case .unset:
            opaqueChanged = opaqueRegion != nil
            opaqueRegion = nil
        case .region(let region):
            opaqueChanged = true
            opaqueRegion = region
        }
        let oldSize = contents?.size
        switch state.attachment {
        case .unchanged:
            guard let old = contents, state.scale != nil || state.transform != nil || opaqueChanged else { break }
            contents = try attached(old.buffer)
            damage.recordEverything()
        case .removed:
            guard contents != nil else { break }
            contents = nil
            damage.recordEverything()
        case .buffer(let buffer):
            let old = contents
            let new = try attached(buffer)
            contents = new
            if let old, old.size == new.size, old.width == new.width, old.scale == new.scale,
                old.format == new.format, old.bufferTransform == new.bufferTransform, !opaqueChanged
            {
                recordDamage(state, new)
            } else {
                damage.recordEverything()
            }
        }
        if case .unchanged = state.attachment, let contents { recordDamage(state, contents) }
        let newSize = contents?.size
        if newSize != oldSize {
            defer { server.scheduleFrame(for: self) }
            server.ignore { () throws(ModelError) in try server.model.setContent(node, size: newSize) }
            updateEnteredScreen()
        }
        server.contentsChanged(of: self)
    }

    private func recordDamage(_ state: SurfaceState, _ contents: AttachedBuffer) {
        var rect = state.bufferDamage
        if !state.surfaceDamage.isEmpty {
            rect = rect.union(contents.bufferRect(forSurfaceRect: state.surfaceDamage, surfaceSize: contents.size))
        }
        damage.record(rect)
    }

    private func attached(_ buffer: BufferResource) throws(ProtocolError) -> AttachedBuffer {
        guard buffer.width % bufferScale == 0, buffer.height % bufferScale == 0 || roleName == CursorRole.roleName
        else {
            throw error(
                .invalidSize, "a \(buffer.width)x\(buffer.height) buffer is no multiple of the scale \(bufferScale)")
        }
        return AttachedBuffer(buffer, scale: bufferScale, transform: bufferTransform, opaqueRegion: opaqueRegion)
    }

    private func applyInput(_ change: SurfaceState.RegionChange) {
        var rectangles: [Rect]?
        if case .region(let region) = change {
            rectangles = region.rectangles.map {
                Rect(
                    x: Double($0.minX), y: Double($0.minY), width: Double($0.width), height: Double($0.height))
            }
        }
        server.ignore { () throws(ModelError) in try server.model.setInputRegion(node, rectangles) }
    }

    private func apply(_ change: SurfaceState.ChildChange) {
        // A sub-surface that went, or whose sibling went, since the request has nothing to be changed any more.
        server.ignore { () throws(ModelError) in
            switch change {
            case .add(let child):
                guard let surface = child.surface else { return }
                try server.model.addSubsurface(surface.node, to: node)
                try server.model.setPosition(surface.node, child.position)
                surface.updateEnteredScreen()
                server.scheduleFrame(for: surface)
            case .position(let child, let position):
                guard let surface = child.surface else { return }
                try server.model.setPosition(surface.node, position)
            case .above(let child, let sibling):
                guard let surface = child.surface else { return }
                try server.model.place(surface.node, above: sibling.node)
            case .below(let child, let sibling):
                guard let surface = child.surface else { return }
                try server.model.place(surface.node, below: sibling.node)
            }
        }
    }

    // MARK: Screens

    /// Tells the client when the surface comes to another screen, or leaves one.
    func updateEnteredScreen() {
        let now = hasContents ? window.flatMap { server.model.visibleScreen(of: $0) } : nil
        guard now != enteredScreen else { return }
        for output in client.outputs where output.isAlive {
            if let old = enteredScreen, output.screen == old { send(WlSurface.Event.leave(output: output.id)) }
            if let now, output.screen == now { send(WlSurface.Event.enter(output: output.id)) }
        }
        enteredScreen = now
    }

    /// Tells of a screen that the client bound after the surface was on it.
    func didBind(_ output: OutputResource) {
        if let enteredScreen, output.screen == enteredScreen { send(WlSurface.Event.enter(output: output.id)) }
    }

    /// Hands out the callbacks that are due.
    func takeFrameCallbacks() -> [ObjectID] {
        isAwaitingFrame = false
        let due = frameCallbacks
        frameCallbacks.removeAll(keepingCapacity: true)
        return due
    }

    private func regionChange(_ id: ObjectID?) throws(ProtocolError) -> SurfaceState.RegionChange {
        guard let region = try connection.resource(id, as: RegionResource.self) else { return .unset }
        return .region(region.region.copy())
    }

    private func error(_ code: WlSurface.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
