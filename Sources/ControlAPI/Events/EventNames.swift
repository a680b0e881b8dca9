// The names of the subjects of events.

import DisplayServer
import WindowModel

/// The names of applications, windows and screens, kept while events are recorded, because the subject of an event may no
/// longer exist when the event is delivered.
struct EventNames {
    /// The names that belong to one event.
    struct Subject {
        var screen: String?
        var title: String?
        var application: String?
        var applicationID: String?
        /// Of an application that connects or disconnects; nil for those of scenarios.
        var pid: Int32?
        var ending: ClientEnding?
    }

    private var screens: [Screen.ID: String] = [:]
    private var titles: [Window.ID: String] = [:]
    private var applications: [Application.ID: String] = [:]

    /// Knows nothing.
    init() {}

    init(_ server: DisplayServer) {
        let model = server.model
        for id in model.screens { screens[id] = model.screen(id)?.name }
        for id in model.windows { titles[id] = model.window(id)?.title }
        for id in model.applications { applications[id] = model.application(id)?.name }
    }

    func name(of application: Application.ID) -> String? { applications[application] }
    func title(of window: Window.ID) -> String? { titles[window] }

    /// Learns from an effect, and returns the names at that time.
    mutating func note(_ effect: Effect, on server: DisplayServer) -> Subject {
        let model = server.model
        var subject = Subject()
        var gone: (Screen.ID?, Window.ID?, Application.ID?)
        let place = effect.place
        switch effect {
        case .screenDidConnect(let id): screens[id] = model.screen(id)?.name
        case .screenDidDisconnect(let id): gone.0 = id
        case .applicationDidConnect(let id):
            let ending = server.ending(of: id)
            applications[id] = model.application(id)?.name ?? ending?.name
            subject.pid = server.client(id)?.credentials.pid ?? ending?.pid
        case .applicationNameDidChange(let id): applications[id] = model.application(id)?.name ?? applications[id]
        case .applicationDidDisconnect(let id):
            subject.ending = server.ending(of: id)
            subject.pid = subject.ending?.pid
            gone.2 = id
        case .windowDidOpen(let id, _):
            titles[id] = model.window(id)?.title ?? ""
            subject.applicationID = server.applicationID(of: id)
        case .windowDidChange(let id, _, .title): titles[id] = model.window(id)?.title ?? titles[id]
        case .windowDidChange(let id, _, .applicationID): subject.applicationID = server.applicationID(of: id)
        case .windowDidClose(let id, _): gone.1 = id
        default: break
        }
        subject.screen = place.screen.flatMap { screens[$0] }
        subject.title = place.window.flatMap { titles[$0] }
        subject.application = place.application.flatMap { applications[$0] }
        if let screen = gone.0 { screens[screen] = nil }
        if let window = gone.1 { titles[window] = nil }
        if let application = gone.2 { applications[application] = nil }
        return subject
    }
}

extension Effect {
    /// What it is about.
    fileprivate var place: (screen: Screen.ID?, window: Window.ID?, application: Application.ID?) {
        switch self {
        case .screenDidConnect(let id), .screenDidDisconnect(let id), .modeDidChange(let id),
            .screenPropertiesDidChange(let id), .orientationWillChange(let id, _, _, _),
            .orientationDidChange(let id, _, _), .needsDisplay(let id):
            (id, nil, nil)
        case .mainScreenDidChange(let id): (id, nil, nil)
        case .applicationDidConnect(let id), .applicationDidDisconnect(let id), .applicationNameDidChange(let id):
            (nil, nil, id)
        case .windowDidOpen(let id, let owner), .windowDidClose(let id, let owner),
            .didBecomeVisible(let id, let owner),
            .didBecomeHidden(let id, let owner), .didBecomeKey(let id, let owner, _),
            .didResignKey(let id, let owner, _),
            .frameDidChange(let id, let owner), .windowDidChange(let id, let owner, _), .cameToFront(let id, let owner),
            .orderDidChange(let id, let owner):
            (nil, id, owner)
        case .screenDidChange(let id, let owner, let screen): (screen, id, owner)
        case .lockDidChange: (nil, nil, nil)
        case .deliver(let event): (event.screen, event.window, event.application)
        case .pointerFocus(let focus, _): (focus?.screen, focus?.window, focus?.application)
        }
    }
}
