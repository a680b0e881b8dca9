// Who wants to know when a commit shows.

/// wp_presentation's part of a surface's double-buffered state.
struct PresentationState: SurfaceExtensionState {
    var feedbacks: [PresentationFeedbackResource] = []

    /// A commit takes the place of the one before: that never shows.
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

    mutating func reset() {
        if !feedbacks.isEmpty { feedbacks = [] }
    }

    func didApplyContents(to surface: SurfaceResource) {
        guard !feedbacks.isEmpty || !surface.extensions.feedbacks.isEmpty else { return }
        surface.replaceFeedbacks(with: feedbacks)
    }
}

extension SurfaceResource {
    /// A commit takes the place of the one before: if that has not shown yet it never will.
    fileprivate func replaceFeedbacks(with next: [PresentationFeedbackResource]) {
        let replaced = extensions.feedbacks
        extensions.feedbacks = next
        for feedback in replaced { feedback.discard() }
        // C2: a window's colour is content too.
        guard hasContents || role is WindowResource else { return discardFeedbacks() }
        server.scheduleFrame(for: self)
    }

    /// The surface's screen shows a frame.
    func present(_ presentation: Presentation) {
        guard !extensions.feedbacks.isEmpty else { return }
        let (shown, screen) = (extensions.feedbacks, shownScreen)
        extensions.feedbacks = []
        for feedback in shown { feedback.present(presentation, on: screen) }
    }

    /// What was committed will not show, nor what waits for a commit.
    func discardFeedbacks() {
        let dropped = extensions.feedbacks
        extensions.feedbacks = []
        for feedback in dropped { feedback.discard() }
        pending?.extensions.presentation.discard()
        cached?.extensions.presentation.discard()
    }
}
