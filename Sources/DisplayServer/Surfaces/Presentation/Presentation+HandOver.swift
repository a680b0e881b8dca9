// wp_presentation for a server that takes over.

import MullionWayland

extension PresentationResource: RestorableGlobal {
    typealias Interface = WpPresentation
}

extension PresentationState {
    // Empty: feedback is discarded before the server ends, since it cannot know whether the commit shows in time.
    var savedState: NoState { NoState() }
    init(_ saved: NoState, for client: Client) {}
}
