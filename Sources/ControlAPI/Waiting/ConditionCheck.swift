// Checks conditions as windows, applications and screens change.

import DisplayServer
import TextPatterns
import WindowModel

/// What may have changed since a condition was last checked.
struct ConditionChanges {
    private(set) var windows: Set<Window.ID> = []
    private(set) var applications: Set<Application.ID> = []
    /// Screens came or went.
    private(set) var screens = false

    var isEmpty: Bool { windows.isEmpty && applications.isEmpty && !screens }

    mutating func note(_ effect: Effect, in model: WindowModel) {
        switch effect {
        case .applicationDidConnect(let id), .applicationDidDisconnect(let id): applications.insert(id)
        case .applicationNameDidChange(let id):
            applications.insert(id)
            windows.formUnion(model.windows(of: id))
        case .windowDidOpen(let id, let owner), .windowDidClose(let id, let owner),
            .windowDidChange(let id, let owner, .applicationID):
            windows.insert(id)
            applications.insert(owner)
        case .didBecomeVisible(let id, _), .didBecomeHidden(let id, _), .didBecomeKey(let id, _, _),
            .didResignKey(let id, _, _), .screenDidChange(let id, _, _), .windowDidChange(let id, _, .title),
            .windowDidChange(let id, _, .hidden):
            windows.insert(id)
        case .screenDidConnect, .screenDidDisconnect, .mainScreenDidChange: screens = true
        default: break
        }
    }
}

/// The objects that match, checked one by one as they change.
struct Matches<ID: Hashable & Comparable> {
    private(set) var all: Set<ID> = []
    private var unchecked: Set<ID>

    init(_ unchecked: [ID] = []) { self.unchecked = Set(unchecked) }

    mutating func didChange(_ ids: Set<ID>) { unchecked.formUnion(ids) }

    /// - Returns: false if time ran out before every object was checked.
    mutating func update(until isOver: () -> Bool, matches: (ID) -> Bool) -> Bool {
        while let id = unchecked.popFirst() {
            if matches(id) { all.insert(id) } else { all.remove(id) }
            if isOver(), !unchecked.isEmpty { return false }
        }
        return true
    }
}

/// One condition of a wait, and what matches it now.
final class ConditionCheck {
    let condition: Condition
    private(set) var windows = Matches<Window.ID>()
    private(set) var applications = Matches<Application.ID>()
    private let server: DisplayServer

    init(_ condition: Condition, on server: DisplayServer) {
        self.condition = condition
        self.server = server
        switch condition {
        case .window, .gone: windows = Matches(server.model.windows)
        case .application, .client: applications = Matches(server.model.applications)
        case .screen, .idle, .still, .pixel: break
        }
    }

    func note(_ changes: ConditionChanges) {
        switch condition {
        case .window, .gone: windows.didChange(changes.windows)
        case .application, .client: applications.didChange(changes.applications)
        case .screen, .idle, .still, .pixel: break
        }
    }

    /// - Returns: false if time ran out before everything was checked.
    func update(until isOver: () -> Bool) -> Bool {
        switch condition {
        case .window(let pattern, _), .gone(let pattern):
            windows.update(until: isOver) { id in
                server.model.window(id).map { pattern.matches($0, on: server) } ?? false
            }
        case .application(let name): applications.update(until: isOver) { server.application($0, isCalled: name) }
        case .client(let pid):
            applications.update(until: isOver) { id in
                guard let client = server.client(id) else { return false }
                return pid == nil || client.credentials.pid == pid
            }
        case .screen, .idle, .still, .pixel: true
        }
    }

    /// Whether it holds, as far as that is known without settling and drawing. Call it after `update`.
    var holds: Bool {
        switch condition {
        case .window(_, let count): count.map { windows.all.count == $0 } ?? !windows.all.isEmpty
        case .gone: windows.all.isEmpty
        case .application, .client: !applications.all.isEmpty
        case .screen(let screen, let isConnected, let isMain):
            if let found = try? server.screen(screen.text) {
                isConnected && (isMain == nil || isMain == (server.model.mainScreen == found.id))
            } else {
                !isConnected
            }
        case .idle: server.hasPrograms
        case .still(let screen, _): server.screen(screen) != nil
        case .pixel(let pixel): server.screen(pixel.screen) != nil
        }
    }
}

extension WindowPattern {
    func matches(_ window: Window, on server: DisplayServer) -> Bool { failures(window, on: server).isEmpty }

    /// What keeps a window from matching.
    enum Failure { case title, application, screen, visibility, key }

    func failures(_ window: Window, on server: DisplayServer) -> [Failure] {
        var failures: [Failure] = []
        // The cheap ones first.
        if let isVisible, window.isVisible != isVisible { failures.append(.visibility) }
        if let isKey, window.isKey != isKey { failures.append(.key) }
        if let screen, server.screen(screen)?.id != window.screen || window.screen == nil { failures.append(.screen) }
        if let application, !server.window(window, isOf: application) { failures.append(.application) }
        if let title, !title.matches(window.title) { failures.append(.title) }
        return failures
    }
}

extension DisplayServer {
    /// The connected screen, or the main one; nil if there is none.
    func screen(_ reference: ScreenReference?) -> Screen? {
        guard let reference else { return model.mainScreen.flatMap { model.screen($0) } }
        return try? screen(reference.text)
    }

    fileprivate func window(_ window: Window, isOf name: TextPattern) -> Bool {
        if let application = model.application(window.application), name.matches(application.name) { return true }
        return applicationID(of: window.id).map { name.matches($0) } ?? false
    }

    fileprivate func application(_ id: Application.ID, isCalled name: TextPattern) -> Bool {
        guard let application = model.application(id) else { return false }
        return name.matches(application.name)
            || model.windows(of: id).contains { applicationID(of: $0).map { name.matches($0) } ?? false }
    }
}
