// The results of injected events, in JSON (H3).

import ControlProtocol
import DisplayServer
import WindowModel

/// How many windows are listed that did not receive events: clients decide how many there are, and how long their
/// titles.
struct CandidateBudget {
    /// For one event or touch.
    static let each = 32
    /// For all events of a list.
    private var rest = 1000

    mutating func take(
        _ candidates: [Routing.Candidate], in model: WindowModel, _ disclosure: Disclosure
    ) -> (candidates: [API.InputCandidate], more: Int?) {
        let count = min(candidates.count, Self.each, rest)
        rest -= count
        return (
            candidates.prefix(count).map { API.InputCandidate($0, in: model, disclosure) },
            candidates.count > count ? candidates.count - count : nil
        )
    }
}

extension API.Hit {
    init(_ hit: Routing.Hit, in model: WindowModel, _ disclosure: Disclosure) {
        let owner = model.window(hit.window)
        self.init(
            window: hit.window.rawValue, title: disclosure.ofWindows(owner?.title ?? ""),
            application: owner?.application.rawValue, surface: hit.surface?.text,
            // With the place on the screen it tells where the window is.
            location: disclosure.ofWindows(API.Point(hit.location)), screenLocation: API.Point(hit.screenLocation),
            screen: hit.screen?.rawValue)
    }
}

extension API.Reason {
    init(_ reason: Routing.Reason) { self.init(rawValue: reason.rawValue) }
}

extension API.InputCandidate {
    init(_ candidate: Routing.Candidate, in model: WindowModel, _ disclosure: Disclosure) {
        self.init(
            window: candidate.window?.rawValue,
            title: disclosure.ofWindows(Self.name(of: candidate, in: model).shortened),
            application: candidate.application.rawValue,
            reason: disclosure.ofWindows(API.Reason(candidate.reason)))
    }

    private static func name(of candidate: Routing.Candidate, in model: WindowModel) -> String {
        candidate.window.map { model.window($0)?.title ?? "" } ?? model.application(candidate.application)?.name
            ?? ""
    }
}

extension API.Receiver {
    init(_ id: Application.ID, in model: WindowModel, _ disclosure: Disclosure) {
        self.init(application: id.rawValue, name: disclosure.ofWindows(model.application(id)?.name ?? ""))
    }
}

/// The receiver of an event, or the reason it was not delivered. Without the right to view, windows and applications have
/// only ids.
extension API.InputReport {
    init(_ report: InputInjector.Report, in model: WindowModel, _ disclosure: Disclosure) {
        var budget = CandidateBudget()
        self.init(report, in: model, disclosure, &budget)
    }

    init(
        _ report: InputInjector.Report, in model: WindowModel, _ disclosure: Disclosure,
        _ budget: inout CandidateBudget
    ) {
        self.init(
            type: API.InputType(rawValue: report.type), candidates: [], steps: report.steps,
            delivered: report.delivered)
        // Switches directly: the optimiser of Swift 6.3.1 crashes on the copies that Routing's properties make.
        switch report.routing?.outcome {
        case .hit(let taken): hit = API.Hit(taken, in: model, disclosure)
        case .received(let applications): receivers = applications.map { API.Receiver($0, in: model, disclosure) }
        case .dropped(let why):
            reason = API.Reason(why)
            if report.type == "remote" { receivers = [] }
        case nil: break
        }
        (candidates, moreCandidates) = budget.take(report.routing?.candidates ?? [], in: model, disclosure)
        if !report.touches.isEmpty {
            touches = zip(report.touches, report.routings).map { id, routing in
                let (listed, more) = budget.take(routing.candidates, in: model, disclosure)
                return API.TouchReport(
                    id: id, hit: routing.hit.map { API.Hit($0, in: model, disclosure) },
                    reason: routing.reason.map { API.Reason($0) },
                    candidates: listed, moreCandidates: more)
            }
        }
        if (touches?.first?.reason ?? reason) == .outsideScreen {
            bounds = report.screen.flatMap { model.screen($0) }.map { API.Rect($0.bounds) }
        }
        receipts = report.receipts?.answers.map { application, answer in
            let receiver = API.Receiver(application, in: model, disclosure)
            var receipt = API.Receipt(application: receiver.application, name: receiver.name, read: false)
            switch answer {
            case .read(let microseconds): (receipt.read, receipt.microseconds) = (true, microseconds)
            case .unread(let reason): receipt.reason = reason
            }
            return receipt
        }
    }
}
