// wp_commit_timing_manager_v1 and its objects of surfaces for a server that takes over.

import MullionWayland

extension CommitTimingManagerResource: RestorableGlobal {
    typealias Interface = WpCommitTimingManagerV1
}

extension CommitTimerResource: RestorableSurfaceObject {
    typealias Interface = WpCommitTimerV1
}
