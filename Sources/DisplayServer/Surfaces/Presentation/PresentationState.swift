// The feedback objects waiting for a commit's presentation.

/// wp_presentation's part of a surface's double-buffered state.
struct PresentationState: SurfaceExtensionState {
    var feedbacks: [PresentationFeedbackResource] = []

    /// A later commit replaces the previous one, which will never be presented.
    mutating func merge(_ later: PresentationState) {
        discard()
        feedbacks = later.feedbacks
    }

    mutating func discard() {
        guard !feedbacks.isEmpty else { return }
        let dropped = feedbacks
        feedbacks = []
        for feedback in dropped { feedback.discard() }
    }

    func didApplyContents(to surface: SurfaceResource) {
        guard !feedbacks.isEmpty || surface.extensions?.feedbacks.isEmpty == false else { return }
        surface.replaceFeedbacks(with: feedbacks)
    }
}

extension SurfaceResource {
    /// A commit replaces the previous one, which will never be presented if it has not been yet.
    fileprivate func replaceFeedbacks(with next: [PresentationFeedbackResource]) {
        let replaced = extensions?.feedbacks ?? []
        ownExtensions.feedbacks = next
        for feedback in replaced { feedback.discard() }
        // C2: a window's colour is content too.
        guard hasContents || role is WindowResource else { return discardFeedbacks() }
        server.scheduleFrame(for: self)
    }

    /// Called when a screen shows a frame: the surface's, or one that it was on when it asked for the frame.
    func present(_ presentation: Presentation) {
        guard let extensions, !extensions.feedbacks.isEmpty else { return }
        // What was hidden or moved to another screen since is presented when it is shown there.
        guard let shownScreen else {
            // A cursor has the frames of the pointer's screen while it is not shown, too, and keeps its feedback.
            if !(role is CursorRole) { server.scheduleFrame(for: self) }
            return
        }
        guard shownScreen == presentation.screen else { return server.scheduleFrame(for: self) }
        let shown = extensions.feedbacks
        extensions.feedbacks = []
        for feedback in shown { feedback.present(presentation) }
    }

    /// V3: called when no screen has shown the surface for up to a second; its client may wait for this.
    func missPresentation() {
        guard let missed = extensions?.feedbacks, !missed.isEmpty else { return }
        extensions?.feedbacks = []
        for feedback in missed { feedback.discard() }
    }

    /// Called when neither the current commit nor the pending one will be presented.
    func discardFeedbacks() {
        let dropped = extensions?.feedbacks ?? []
        extensions?.feedbacks = []
        for feedback in dropped { feedback.discard() }
        pending?.extensions?.presentation.discard()
        cached?.extensions?.presentation.discard()
    }
}
