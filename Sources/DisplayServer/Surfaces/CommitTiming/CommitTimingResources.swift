// wp_commit_timing_manager_v1 and wp_commit_timer_v1

import MullionWayland

/// wp_commit_timing_manager_v1: creates the objects of surfaces.
final class CommitTimingManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpCommitTimingManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getTimer(let id, let surfaceID):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            guard surface.commitTimer == nil else {
                throw ProtocolError(
                    object: self.id, code: WpCommitTimingManagerV1.Error.commitTimerExists.rawValue,
                    message: "surface \(surfaceID) already has a commit timer")
            }
            _ = try CommitTimerResource(client, id: id, version: version, of: surface)
        }
    }
}

/// wp_commit_timer_v1: lets a surface's commits wait for a time (`CommitConstraints`).
final class CommitTimerResource: SurfaceObject {
    override init(_ client: Client, id: ObjectID, version: UInt32, of surface: SurfaceResource?) throws(ProtocolError) {
        try super.init(client, id: id, version: version, of: surface)
        client.queuesCommits = true
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpCommitTimerV1.Request.self, opcode, &reader) {
        case .setTimestamp(let secondsHigh, let secondsLow, let nanoseconds):
            guard let surface else {
                throw error(.surfaceDestroyed, "the surface was destroyed; its commit timer can only be destroyed")
            }
            guard
                let time = SplitTime(secondsHigh: secondsHigh, secondsLow: secondsLow, nanoseconds: nanoseconds)
            else {
                throw error(.invalidTimestamp, "\(nanoseconds) is not a number of nanoseconds; use at most 999999999")
            }
            let state = surface.change.ownExtensions
            guard state.constraints.time == nil else {
                throw error(.timestampExists, "the next commit of surface \(surface.id) already has a timestamp")
            }
            state.constraints.time = time.microseconds
        case .destroy: destroy()
        }
    }

    private func error(_ code: WpCommitTimerV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}

extension SurfaceResource {
    var commitTimer: CommitTimerResource? { object() }
}
