// Checks a scenario before its first step.

import DisplayServer
import WindowModel

extension Scenario {
    /// The titles of the windows that are claimed before a step.
    struct Claims {
        var titles: Set<String> = []
        /// Whether all steps before it could be read.
        var isComplete: Bool
    }
}

extension Scenario.Step {
    /// Throws for a step that cannot succeed in any state of the screens: unknown display models, windows that were
    /// never claimed, keys that the keyboard lacks, and waiting for idle in real time.
    func check(on server: DisplayServer, _ claims: inout Scenario.Claims) throws {
        switch self {
        case .plug(let specification):
            _ = try specification.description(from: server.displays, names: [], right: 0).checked()
        case .input(let events):
            do {
                _ = try InputRequest.schedule(events)
            } catch {
                throw error.reason
            }
            for request in events {
                // The receivers of other events are not known yet.
                switch request.event {
                case .key, .text, .remote:
                    var planner = InputPlanner(server: server, state: InputState(seatCount: server.seats.count))
                    _ = try planner.plan(request)
                default: break
                }
            }
        case .claim(let claim):
            try claim.values.check(titleBytes: server.limits.titleBytes)
            guard claims.titles.insert(claim.title).inserted else {
                throw Problem(.invalidValue, "a window with this title is already claimed; use a unique title")
            }
        case .window(let title, let patch):
            try patch.check(titleBytes: server.limits.titleBytes)
            try Self.find(title, claims)
        case .release(let title):
            try Self.find(title, claims)
            claims.titles.remove(title)
        case .wait(.idle):
            guard server.clock.mode == .manual else {
                throw Problem(
                    .realClock, "the real clock is never idle; use the manual clock, or wait for a time or \"settled\"")
            }
        case .unplug, .flap, .change, .wait, .expect, .pause, .screenshot, .compare: break
        }
    }

    private static func find(_ title: String, _ claims: Scenario.Claims) throws(Problem) {
        let claimed = claims.titles
        guard claims.isComplete, !claimed.contains(title) else { return }
        // A scenario may have thousands of windows, and many mistakes.
        let known =
            switch claimed.count {
            case 0: "claim it first"
            case ...8: "use one of \(claimed.sorted().map(\.shortened).joined(separator: ", "))"
            default: "use the title of a window that an earlier step claims"
            }
        throw Problem(.invalidValue, "\"\(title.shortened)\" is not a claimed window at this step; \(known)")
    }
}

extension Scenario.Claim {
    fileprivate var values: WindowPatch {
        var patch = WindowPatch()
        patch.frame = frame.map { Strict(RectPayload($0)) }
        patch.level = LevelPayload(level)
        patch.alpha = alpha
        patch.title = title
        return patch
    }
}
