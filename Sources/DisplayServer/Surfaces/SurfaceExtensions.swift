// The extensions of wl_surface.

import MullionWayland

/// What extensions keep with a surface. Each property belongs to the extension's folder. Few surfaces have one.
final class SurfaceExtensions {
    /// At most one per seat's pointer.
    var pointerConstraints: [PointerConstraint] = []
    /// The commits that wait to be applied, in order.
    var queue: [QueuedCommit] = []
    /// Whether these go on in the client's next slice.
    var isQueueHeld = false
    /// When the first of these is due, if it waits for a time.
    var dueTime: UInt64?
    /// Whether a commit has set a barrier that no frame has lifted yet (wp_fifo_v1).
    var hasBarrier = false
    /// The feedback objects waiting for the current commit to be presented.
    var feedbacks: [PresentationFeedbackResource] = []

    /// The other objects of the client that belong to the surface: at most one of each kind, or one for each seat.
    var objects: [SurfaceObject] = []

    /// Whether one of them waits for the surface's next frame.
    var wantFrame: Bool { !feedbacks.isEmpty || hasBarrier }
    /// Whether each commit has consequences for one of them, whatever it changes.
    var followCommits: Bool { !feedbacks.isEmpty || !pointerConstraints.isEmpty }
}

extension SurfaceResource {
    /// Notifies all extensions that the surface is being destroyed.
    func endExtensions() {
        for object in extensions?.objects ?? [] { object.surface = nil }
        extensions?.objects = []
        for constraint in constraints { constraint.surfaceWillBeDestroyed() }
    }

    /// The object of a kind of which a surface has at most one.
    func object<Object: SurfaceObject>() -> Object? {
        guard let extensions else { return nil }
        for case let object as Object in extensions.objects { return object }
        return nil
    }

    /// `extensions`, created on first use.
    var ownExtensions: SurfaceExtensions {
        if let extensions { return extensions }
        let new = SurfaceExtensions()
        extensions = new
        return new
    }
}

/// A client's object that belongs to a surface, and is inert once that is destroyed.
class SurfaceObject: Resource {
    // Set to nil when the surface is destroyed. Not weak, see `SubsurfaceResource`.
    final var surface: SurfaceResource?

    init(_ client: Client, id: ObjectID, version: UInt32, of surface: SurfaceResource?) throws(ProtocolError) {
        self.surface = surface
        try super.init(client, id: id, version: version)
        surface?.ownExtensions.objects.append(self)
    }

    override func willDestroy() {
        surface?.extensions?.objects.removeAll { $0 === self }
        surface = nil
    }
}

/// What the extensions of wl_surface add to its double-buffered state. A new extension is a property here, and a line
/// in each method. Few commits have one.
final class SurfaceExtensionStates {
    var viewport = ViewportState()
    var pointerConstraints = PointerConstraintState()
    var presentation = PresentationState()
    var alphaModifier = AlphaModifierState()
    var constraints = CommitConstraints()

    init() {}

    func merge(_ later: SurfaceExtensionStates) {
        viewport.merge(later.viewport)
        pointerConstraints.merge(later.pointerConstraints)
        presentation.merge(later.presentation)
        alphaModifier.merge(later.alphaModifier)
        constraints.merge(later.constraints)
    }

    func discard() {
        viewport.discard()
        pointerConstraints.discard()
        presentation.discard()
        alphaModifier.discard()
        constraints.discard()
    }

    func willApplyContents(to surface: SurfaceResource) throws(ProtocolError) {
        try viewport.willApplyContents(to: surface)
        try pointerConstraints.willApplyContents(to: surface)
        try presentation.willApplyContents(to: surface)
        try alphaModifier.willApplyContents(to: surface)
        try constraints.willApplyContents(to: surface)
    }

    func didApplyContents(to surface: SurfaceResource) {
        viewport.didApplyContents(to: surface)
        presentation.didApplyContents(to: surface)
        alphaModifier.didApplyContents(to: surface)
        constraints.didApplyContents(to: surface)
        pointerConstraints.didApplyContents(to: surface)
    }
}

extension SurfaceExtensionStates {
    struct SavedState: ObjectState {
        var viewport: ViewportState.SavedState
        var pointerConstraints: PointerConstraintState.SavedState
        var presentation: PresentationState.SavedState
        var alphaModifier: AlphaModifierState.SavedState
        /// Nil from a server that did not know them.
        var constraints: CommitConstraints.SavedState?

        var variableSize: Int {
            viewport.variableSize + pointerConstraints.variableSize + presentation.variableSize
                + alphaModifier.variableSize + (constraints?.variableSize ?? 0)
        }
    }

    var savedState: SavedState {
        SavedState(
            viewport: viewport.savedState, pointerConstraints: pointerConstraints.savedState,
            presentation: presentation.savedState, alphaModifier: alphaModifier.savedState,
            constraints: constraints.savedState)
    }

    convenience init(_ saved: SavedState, for client: Client) {
        self.init()
        viewport = ViewportState(saved.viewport, for: client)
        pointerConstraints = PointerConstraintState(saved.pointerConstraints, for: client)
        presentation = PresentationState(saved.presentation, for: client)
        alphaModifier = AlphaModifierState(saved.alphaModifier, for: client)
        constraints = CommitConstraints(saved.constraints ?? CommitConstraints.SavedState(), for: client)
    }
}
