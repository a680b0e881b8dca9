// The results of injected events, in JSON (H3).

import DisplayServer
import WindowModel

struct InputList: Encodable, Sendable { var events: [InputPayload] }

/// How many windows are listed that did not receive events: clients decide how many there are, and how long their
/// titles.
struct CandidateBudget {
    /// For one event or touch.
    static let each = 32
    /// For all events of a list.
    private var rest = 1000

    mutating func take(
        _ candidates: [Routing.Candidate], in model: WindowModel, _ disclosure: Disclosure
    ) -> (candidates: [InputPayload.Candidate], more: Int?) {
        let count = min(candidates.count, Self.each, rest)
        rest -= count
        return (
            candidates.prefix(count).map { InputPayload.Candidate($0, in: model, disclosure) },
            candidates.count > count ? candidates.count - count : nil
        )
    }
}

/// The receiver of an event, or the reason it was not delivered. Without the right to view, windows and applications have
/// only ids.
struct InputPayload: Encodable, Equatable, Sendable {
    var type: String
    /// Absent if the event was not delivered, and for remote control (E4).
    var hit: Hit?
    /// E4: the receivers of a command, in order of delivery; absent for other events.
    var receivers: [Receiver]?
    /// Why it was not delivered.
    var reason: String?
    /// If the point is not on the screen: where the screen is, in its points.
    var bounds: RectPayload?
    /// The windows in front of the receiver, front to back, with the reason each did not receive it.
    var candidates: [Candidate]
    /// The number of those that are not listed; nil for 0.
    var moreCandidates: Int?
    /// One per touch, if there are several.
    var touches: [Touch]?
    /// The number of steps, and how many of them were delivered.
    var steps: Int
    var delivered: Int
    /// Whether the receivers have read it, if requested.
    var receipts: [Receipt]?

    struct Hit: Encodable, Equatable, Sendable {
        var window: UInt32
        var title: String?
        var application: UInt32?
        var surface: String?
        /// In the surface's points, or the window's without a surface.
        var location: PointPayload?
        /// In the screen's points.
        var screenLocation: PointPayload
        var screen: UInt32?

        init(_ hit: Routing.Hit, in model: WindowModel, _ disclosure: Disclosure) {
            let owner = model.window(hit.window)
            (window, application) = (hit.window.rawValue, owner?.application.rawValue)
            (surface, screen) = (hit.surface?.text, hit.screen?.rawValue)
            screenLocation = PointPayload(hit.screenLocation)
            title = disclosure.ofWindows(owner?.title ?? "")
            // With the place on the screen it tells where the window is.
            location = disclosure.ofWindows(PointPayload(hit.location))
        }
    }

    struct Candidate: Encodable, Equatable, Sendable {
        /// Absent for an application as a whole (E4).
        var window: UInt32?
        /// The window's title, or the application's name; shortened.
        var title: String?
        var application: UInt32
        var reason: String?

        init(_ candidate: Routing.Candidate, in model: WindowModel, _ disclosure: Disclosure) {
            window = candidate.window?.rawValue
            application = candidate.application.rawValue
            title = disclosure.ofWindows(Self.name(of: candidate, in: model).shortened)
            reason = disclosure.ofWindows(candidate.reason.rawValue)
        }

        private static func name(of candidate: Routing.Candidate, in model: WindowModel) -> String {
            candidate.window.map { model.window($0)?.title ?? "" } ?? model.application(candidate.application)?.name
                ?? ""
        }
    }

    struct Touch: Encodable, Equatable, Sendable {
        var id: Int32
        var hit: Hit?
        var reason: String?
        var candidates: [Candidate]
        var moreCandidates: Int?
    }

    struct Receiver: Encodable, Equatable, Sendable {
        var application: UInt32
        var name: String?

        init(_ id: Application.ID, in model: WindowModel, _ disclosure: Disclosure) {
            application = id.rawValue
            name = disclosure.ofWindows(model.application(id)?.name ?? "")
        }
    }

    struct Receipt: Encodable, Equatable, Sendable {
        var application: UInt32
        var name: String?
        var read: Bool
        /// From the injection to the answer, in real time.
        var microseconds: UInt64?
        /// Why it was not read.
        var reason: String?
    }

    init(_ report: InputInjector.Report, in model: WindowModel, _ disclosure: Disclosure) {
        var budget = CandidateBudget()
        self.init(report, in: model, disclosure, &budget)
    }

    init(
        _ report: InputInjector.Report, in model: WindowModel, _ disclosure: Disclosure,
        _ budget: inout CandidateBudget
    ) {
        type = report.type
        // Switches directly: the optimiser of Swift 6.3.1 crashes on the copies that Routing's properties make.
        switch report.routing?.outcome {
        case .hit(let taken): hit = Hit(taken, in: model, disclosure)
        case .received(let applications): receivers = applications.map { Receiver($0, in: model, disclosure) }
        case .dropped(let why):
            reason = why.rawValue
            if report.type == "remote" { receivers = [] }
        case nil: break
        }
        (candidates, moreCandidates) = budget.take(report.routing?.candidates ?? [], in: model, disclosure)
        if !report.touches.isEmpty {
            touches = zip(report.touches, report.routings).map { id, routing in
                let (listed, more) = budget.take(routing.candidates, in: model, disclosure)
                return Touch(
                    id: id, hit: routing.hit.map { Hit($0, in: model, disclosure) }, reason: routing.reason?.rawValue,
                    candidates: listed, moreCandidates: more)
            }
        }
        steps = report.steps
        delivered = report.delivered
        if (touches?.first?.reason ?? reason) == Routing.Reason.outsideScreen.rawValue {
            bounds = report.screen.flatMap { model.screen($0) }.map { RectPayload($0.bounds) }
        }
        receipts = report.receipts?.answers.map { application, answer in
            let receiver = Receiver(application, in: model, disclosure)
            var receipt = Receipt(application: receiver.application, name: receiver.name, read: false)
            switch answer {
            case .read(let microseconds): (receipt.read, receipt.microseconds) = (true, microseconds)
            case .unread(let reason): receipt.reason = reason
            }
            return receipt
        }
    }
}
