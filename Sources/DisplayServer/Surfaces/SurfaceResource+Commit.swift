// A surface's commits: applied immediately, after others (`QueuedCommit`), or with the parent's (C4).

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

extension SurfaceResource {
    func commit() throws(ProtocolError) {
        server.turns.clientWillCommit()
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
            subsurface.parent?.family?.waiting.append(subsurface)
            return
        }
        if let earlier = takeCached() {
            earlier.merge(state)
            server.statePool.give(back: state)
            try applyInOrder(earlier)
        } else {
            try applyInOrder(state)
        }
    }

    /// Applies the cached state of this surface and its sub-surfaces, when this one stops waiting for a parent.
    func applyAllCached() throws(ProtocolError) {
        if let state = takeCached() { return try applyInOrder(state) }
        try forEachWaitingChild { (child) throws(ProtocolError) in try child.applyAllCached() }
    }

    private func forEachWaitingChild(
        _ body: (SurfaceResource) throws(ProtocolError) -> Void
    ) throws(ProtocolError) {
        guard let family, !family.waiting.isEmpty else { return }
        for case let child? in family.waiting.takeAll() where child.isAlive {
            if let surface = child.surface { try body(surface) }
        }
    }

    /// Applies a commit, and those of the sub-surfaces that wait for it.
    func apply(_ state: SurfaceState) throws(ProtocolError) { try apply(state, with: nil, of: role) }

    /// - Parameters:
    ///   - parts: the commits of sub-surfaces that are applied as well; nil for those that wait for the next commit.
    ///   - role: the role for which it was committed.
    func apply(_ state: SurfaceState, with parts: [QueuedCommit]?, of role: (any SurfaceRole)?) throws(ProtocolError) {
        role?.willApply(state, to: self)
        try applyContents(state)
        if case .unchanged = state.input {} else { applyInput(state.input) }
        for change in state.children { apply(change) }
        if !state.frameCallbacks.isEmpty {
            frameCallbacks.append(state.frameCallbacks)
            server.scheduleFrame(for: self)
        }
        if state.extensions != nil || extensions?.followCommits == true {
            (state.extensions ?? SurfaceExtensionStates()).didApplyContents(to: self)
        }
        server.statePool.give(back: state)
        if let parts {
            for part in parts { try part.surface?.apply(through: part) }
        } else {
            try forEachWaitingChild { (child) throws(ProtocolError) in
                if let state = child.takeCached() { try child.apply(state) }
            }
        }
        try role?.didCommit(on: self)
    }

    private func applyContents(_ state: SurfaceState) throws(ProtocolError) {
        let oldLayout = layout
        layout.scale = state.scale ?? layout.scale
        layout.transform = state.transform ?? layout.transform
        try state.extensions?.willApplyContents(to: self)
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
        let oldDamage = damage.serial
        // Nearly every commit of an animation: the buffer was checked, and the size stays.
        if case .buffer(let buffer) = state.attachment, !opaqueChanged, contents?.isLike(buffer, layout) == true {
            let contents = replaceBuffer(by: buffer)
            recordDamage(state, contents)
            if damage.serial != oldDamage { server.contentsChanged(of: self) }
            return
        }
        let oldSize = contents?.size
        switch state.attachment {
        case .unchanged:
            guard let old = contents, layout != oldLayout || opaqueChanged else { break }
            replaceContents(by: try attached(old.buffer))
            damage.recordEverything()
        case .removed:
            guard contents != nil else { break }
            replaceContents(by: nil)
            damage.recordEverything()
        case .buffer(let buffer):
            replaceContents(by: try attached(buffer))
            damage.recordEverything()
        }
        if case .unchanged = state.attachment, let contents { recordDamage(state, contents) }
        let newSize = contents?.size
        if newSize != oldSize {
            defer { server.scheduleFrame(for: self) }
            server.logErrors { () throws(ModelError) in try server.model.setContent(node, size: newSize) }
            updateEnteredScreen()
        }
        if damage.serial != oldDamage { server.contentsChanged(of: self) }
    }

    /// Replaces the buffer by one that is shown like it.
    private func replaceBuffer(by buffer: BufferResource) -> AttachedBuffer {
        if isKnownUniquelyReferenced(&contents), let contents {
            contents.replaceBuffer(by: buffer)
            return contents
        }
        let new = AttachedBuffer(buffer, layout: layout, opaqueRegion: opaqueRegion)
        replaceContents(by: new)
        return new
    }

    private func recordDamage(_ state: SurfaceState, _ contents: AttachedBuffer) {
        var rect = state.bufferDamage
        if !state.surfaceDamage.isEmpty {
            rect = rect.union(contents.bufferRect(forSurfaceRect: state.surfaceDamage, surfaceSize: contents.size))
        }
        damage.record(rect)
    }

    private func attached(_ buffer: BufferResource) throws(ProtocolError) -> AttachedBuffer {
        let scale = layout.scale
        let isWhole = buffer.width % scale == 0 && buffer.height % scale == 0
        // As in other servers: cursors are often like this, and not yet cursors when they get their contents.
        guard isWhole || roleName == nil || roleName == CursorRole.roleName || layout.viewport.source != nil else {
            throw error(
                .invalidSize,
                "the size of a \(buffer.width)x\(buffer.height) buffer is not a multiple of the scale \(scale)")
        }
        try checkViewport(of: buffer)
        return AttachedBuffer(buffer, layout: layout, opaqueRegion: opaqueRegion)
    }

    private func applyInput(_ change: SurfaceState.RegionChange) {
        var rectangles: [Rect]?
        inputRegion = nil
        if case .region(let region) = change {
            inputRegion = region
            rectangles = region.rectangles
        }
        server.logErrors { () throws(ModelError) in try server.model.setInputRegion(node, rectangles) }
    }
}
