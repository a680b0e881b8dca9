// What became of injected events, in JSON (H3).

import WindowModel

struct InputList: Encodable { var events: [InputPayload] }

/// Who took an event, or why nobody did.
struct InputPayload: Encodable {
    var type: String
    /// Left out when nobody took it.
    var hit: Hit?
    /// Why nobody took it.
    var reason: String?
    /// The windows in front of the one that took it, front to back, and why they did not.
    var candidates: [Candidate]
    /// How many single steps it consisted of, and how many of those somebody took.
    var steps: Int
    var delivered: Int

    struct Hit: Encodable {
        var window: UInt32
        var title: String
        var application: UInt32?
        var surface: String?
        /// In the surface's points, or the window's without a surface.
        var location: PointPayload
        /// In the screen's points.
        var screenLocation: PointPayload
        var screen: UInt32?
    }

    struct Candidate: Encodable {
        /// Left out for an application as a whole (E4).
        var window: UInt32?
        var title: String
        var reason: String
    }

    init(_ report: InputInjector.Report, in model: WindowModel) {
        type = report.type
        reason = report.routing?.reason?.rawValue
        hit = report.routing?.hit.map { hit in
            let window = model.window(hit.window)
            return Hit(
                window: hit.window.rawValue, title: window?.title ?? "",
                application: window?.application.rawValue, surface: hit.surface?.text,
                location: PointPayload(hit.location), screenLocation: PointPayload(hit.screenLocation),
                screen: hit.screen?.rawValue)
        }
        candidates = (report.routing?.candidates ?? []).map {
            Candidate(
                window: $0.window?.rawValue, title: $0.window.flatMap { model.window($0) }?.title ?? "",
                reason: $0.reason.rawValue)
        }
        steps = report.steps
        delivered = report.delivered
    }
}
