// Explains to people why no client received an event (H3).

import DisplayServer
import WindowModel

extension InputPayload {
    /// The most windows that an explanation names, the front-most ones.
    private static let maximumWindows = 8

    /// "no client received the tap: no window takes input at this point; not window 7 "Editor": the point is outside its frame".
    var explanation: String {
        let first = touches?.first
        let reason = (first?.reason ?? self.reason).flatMap(Routing.Reason.init(rawValue:)) ?? .noWindow
        // The common reason is stated once, at the beginning.
        let passed = (first?.candidates ?? candidates).filter { $0.reason != reason.rawValue }
        var parts = ["no client received the \(type): \(reason.explanation)"]
        for candidate in passed.prefix(Self.maximumWindows) {
            let who = candidate.window.map { "window \($0)" } ?? "application \(candidate.application)"
            let name = candidate.title.isEmpty ? "" : " \"\(candidate.title)\""
            let why = Routing.Reason(rawValue: candidate.reason)?.explanationOfOne ?? candidate.reason
            parts.append("not \(who)\(name): \(why)")
        }
        let more = max(0, passed.count - Self.maximumWindows) + ((first?.moreCandidates ?? moreCandidates) ?? 0)
        if more > 0 { parts.append("nor \(more) others") }
        return parts.joined(separator: "; ")
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
        case .notReceiving: "no application receives remote-control events"
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
        case .notReceiving: "it does not receive remote-control events"
        case .locked: "it does not belong to the lock"
        case .outsideScreen, .screenNotInteractive, .cancelled, .reserved: explanation
        }
    }
}
