// Explains to people why no client received an event (H3).

import ControlProtocol
import DisplayServer
import WindowModel

extension API.InputReport {
    /// "no client received the tap: no window takes input at this point; not window 7 "Editor": the point is outside its
    /// frame".
    var explanation: String {
        let first = touches?.first
        let reason = (first?.reason ?? self.reason).flatMap { Routing.Reason(rawValue: $0.rawValue) } ?? .noWindow
        let more = (first?.moreCandidates ?? moreCandidates) ?? 0
        let candidates = first?.candidates ?? candidates
        let passed = candidates.explanations(but: reason, more: more)
        let place = bounds.map { ", whose bounds are \(TreeText.text($0))" } ?? ""
        let why = reason == .notReceiving ? candidates.last?.refusal : nil
        return (["no client received the \(noun): \(why ?? reason.explanation)\(place)"] + passed)
            .joined(separator: "; ")
    }

    /// What an event of the type is.
    private var noun: String {
        switch type.rawValue {
        case "type": "text"
        case "remote": "remote-control command"
        default: type.rawValue
        }
    }
}

extension Routing {
    /// The window that receives what begins at a point, otherwise why none does: "Front (window 3); not window 7
    /// "Editor": the point is outside its frame".
    func explanation(in model: WindowModel) -> String {
        var budget = CandidateBudget()
        let (candidates, more) = budget.take(candidates, in: model, .all)
        guard let hit else {
            let reason = reason ?? .noWindow
            return (["none, \(reason.explanation)"] + candidates.explanations(but: reason, more: more ?? 0)).joined(
                separator: "; ")
        }
        let title = model.window(hit.window)?.title ?? ""
        let name = title.isEmpty ? "window \(hit.window.rawValue)" : "\(title) (window \(hit.window.rawValue))"
        return ([name] + candidates.explanations(more: more ?? 0)).joined(separator: "; ")
    }
}

extension [API.InputCandidate] {
    /// The most windows that an explanation names, the front-most ones.
    private static let maximum = 8

    /// Why each did not receive an event.
    /// - Parameters:
    ///   - reason: the common reason, which is stated once, at the beginning.
    ///   - more: the number of candidates that are not in this list.
    fileprivate func explanations(but reason: Routing.Reason? = nil, more: Int) -> [String] {
        let passed = filter { $0.reason == nil || $0.reason?.rawValue != reason?.rawValue }
        var parts: [String] = []
        for candidate in passed.prefix(Self.maximum) {
            let why = candidate.reason.map { Routing.Reason(rawValue: $0.rawValue)?.explanationOfOne ?? $0.rawValue }
            parts.append("not \(candidate.name)" + (why.map { ": \($0)" } ?? ""))
        }
        let others = Swift.max(0, passed.count - Self.maximum) + more
        if others > 0 { parts.append("nor \(others) others") }
        return parts
    }
}

extension API.InputCandidate {
    fileprivate var name: String {
        let who = window.map { "window \($0)" } ?? "application \(application)"
        return who + (title.map { $0.isEmpty ? "" : " \"\($0)\"" } ?? "")
    }

    /// If it is the window that an event was for.
    fileprivate var refusal: String? {
        guard window != nil, reason == .notReceiving else { return nil }
        return "\(name) does not receive such events"
    }
}

extension Routing.Reason {
    /// Why no window or application at all received an event.
    fileprivate var explanation: String {
        switch self {
        case .noWindow, .outsideFrame, .inputRegion, .hidden, .alpha, .interactionDisabled:
            "no window takes input at this point"
        case .outsideScreen: "the point is not on the screen"
        case .noKeyWindow: "no window is key"
        case .ignoring: "the application ignores interaction events"
        case .screenNotInteractive: "the screen is not interactive"
        case .cancelled: "the touch or gesture that it continues was cancelled, or had no receiver"
        case .notReceiving: "no application receives such events"
        case .locked: "the server is locked"
        case .reserved: "input is reserved for another application"
        }
    }

    /// Why a single window or application did not receive an event.
    fileprivate var explanationOfOne: String {
        switch self {
        case .hidden: "it is hidden"
        case .alpha: "its alpha is less than 0.01"
        case .interactionDisabled: "its user interaction is disabled"
        case .outsideFrame: "the point is outside its frame"
        case .inputRegion: "the point is outside its input region"
        case .noWindow: "it does not exist"
        case .noKeyWindow: "it is not key"
        case .ignoring: "it ignores interaction events"
        case .notReceiving: "it does not receive such events"
        case .locked: "it does not belong to the lock"
        case .outsideScreen, .screenNotInteractive, .cancelled, .reserved: explanation
        }
    }
}
