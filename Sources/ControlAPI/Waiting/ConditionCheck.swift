// Checks conditions as windows, applications and screens change.

import DisplayServer
import MullionSystem
import TextPatterns
import WindowModel

/// One condition of a wait, and what matches it now. Windows and applications are checked one by one.
final class ConditionCheck {
    let condition: Condition
    /// The windows that match.
    private(set) var windows: Set<Window.ID> = []
    /// Applications whose own names match; windows are matched in `windows`.
    private var named: Set<Application.ID> = []
    /// The windows that make their applications match, and the number of these for each of them.
    private var owners: [Window.ID: Application.ID] = [:]
    private var counts: [Application.ID: Int] = [:]
    private let server: DisplayServer
    /// Objects not yet checked.
    private var openWindows: [Window.ID] = []
    private var openApplications: [Application.ID] = []
    /// The applications of which all windows are to be checked again.
    private var renamed: Set<Application.ID> = []
    /// The places up to which changes have been read; nil if they do not matter.
    private(set) var windowPlace: UInt64?
    private(set) var applicationPlace: UInt64?
    /// The kind of object that is checked next: clients that change something all the time do not keep others waiting.
    private var nextSource = 0
    /// Whether everything that there was in the beginning has been checked.
    private(set) var isComplete = false

    /// - Parameters:
    ///   - windows: all that there are.
    ///   - changes: so far.
    init(_ condition: Condition, windows: [Window.ID], _ changes: ConditionChanges, on server: DisplayServer) {
        self.condition = condition
        self.server = server
        switch condition {
        case .window(let pattern, _), .gone(let pattern):
            openWindows = windows
            windowPlace = changes.windows.end
            if pattern.application == nil { return }
        case .application:
            openWindows = windows
            windowPlace = changes.windows.end
        case .client: break
        case .screen, .idle, .still, .pixel: return
        }
        openApplications = server.model.applications
        applicationPlace = changes.applications.end
    }

    /// The applications that match.
    var applications: Set<Application.ID> { named.union(counts.keys) }

    /// Whether nothing has changed since everything was checked.
    func isCurrent(_ changes: ConditionChanges) -> Bool {
        openWindows.isEmpty && openApplications.isEmpty && renamed.isEmpty
            && windowPlace ?? changes.windows.end == changes.windows.end
            && applicationPlace ?? changes.applications.end == changes.applications.end
    }

    /// Checks what has changed.
    /// - Returns: false if time ran out before it was known whether the condition holds.
    func update(_ changes: ConditionChanges, until isOver: () -> Bool) -> Bool {
        while checkNext(changes) {
            isComplete = isComplete || openWindows.isEmpty && openApplications.isEmpty
            if isOver() { return isCurrent(changes) || (needsOne && hasCertainMatch(changes)) }
        }
        isComplete = true
        return true
    }

    /// Whether something matches that has not changed since it was checked.
    private func hasCertainMatch(_ changes: ConditionChanges) -> Bool {
        let renaming = Set(openApplications).union(renamed)
        func isCertain(_ id: Application.ID) -> Bool {
            guard !renaming.contains(id), let applicationPlace else { return !renaming.contains(id) }
            return !changes.applications.hasChange(of: id, after: applicationPlace)
        }
        func isCertain(_ id: Window.ID) -> Bool {
            guard let windowPlace else { return true }
            return !changes.windows.hasChange(of: id, after: windowPlace)
        }
        if needsNoWindow { return named.contains(where: isCertain) || owners.keys.contains(where: isCertain) }
        guard case .window(let pattern, _) = condition, pattern.application != nil else {
            return windows.contains(where: isCertain)
        }
        // Those of applications that have a new name are to be checked again.
        let unchecked = Set(openWindows)
        return windows.contains { id in
            isCertain(id) && !unchecked.contains(id)
                && server.model.window(id).map { isCertain($0.application) } ?? false
        }
    }

    /// Whether a single match fulfils it, whatever else there is.
    private var needsOne: Bool {
        switch condition {
        case .window(_, let count): count == nil
        case .application, .client: true
        case .gone, .screen, .idle, .still, .pixel: false
        }
    }

    /// Checks the next object.
    /// - Returns: false when there is none.
    private func checkNext(_ changes: ConditionChanges) -> Bool {
        for _ in 0..<3 {
            nextSource = (nextSource + 1) % 3
            switch nextSource {
            case 0:
                guard let id = openApplications.popLast() ?? applicationPlace.next(in: changes.applications) else {
                    continue
                }
                check(id)
            case 1:
                if openWindows.isEmpty, let id = renamed.popFirst() { openWindows = server.model.windows(of: id) }
                guard let id = openWindows.popLast() else { continue }
                check(id)
            default:
                guard let id = windowPlace.next(in: changes.windows) else { continue }
                check(id)
            }
            return true
        }
        return false
    }

    private func check(_ id: Application.ID) {
        let isMatching =
            switch condition {
            case .window(let pattern, _), .gone(let pattern): isCalled(pattern.application, id)
            case .application(let name): isCalled(name, id)
            case .client(let pid): server.client(id).map { pid == nil || $0.credentials.pid == pid } ?? false
            case .screen, .idle, .still, .pixel: false
            }
        guard isMatching != named.contains(id) else { return }
        if isMatching { named.insert(id) } else { named.remove(id) }
        if !needsNoWindow { renamed.insert(id) }
    }

    /// Whether applications match by themselves.
    private var needsNoWindow: Bool { condition.kind == .application || condition.kind == .client }

    private func isCalled(_ name: TextPattern?, _ id: Application.ID) -> Bool {
        guard let name, let application = server.model.application(id) else { return false }
        return ProcessName.isMeant(application.name, by: name.text, name.matches)
    }

    private func check(_ id: Window.ID) {
        let window = server.model.window(id)
        switch condition {
        case .window(let pattern, _), .gone(let pattern):
            let isMatching = window.map { matches($0, pattern) } ?? false
            if isMatching { windows.insert(id) } else { windows.remove(id) }
        case .application(let name):
            note(id, window?.application, window != nil && isMarked(name, id))
        case .client, .screen, .idle, .still, .pixel: break
        }
    }

    private func matches(_ window: Window, _ pattern: WindowPattern) -> Bool {
        pattern.failures(window, on: server).isEmpty && isOwned(window, pattern)
            && pattern.title?.matches(window.title) ?? true
    }

    /// Whether a window belongs to an application of the pattern.
    func isOwned(_ window: Window, _ pattern: WindowPattern) -> Bool {
        guard let name = pattern.application else { return true }
        return named.contains(window.application) || isMarked(name, window.id)
    }

    /// Whether a window has this application id.
    private func isMarked(_ name: TextPattern, _ id: Window.ID) -> Bool {
        server.applicationID(of: id).map { name.matches($0) } ?? false
    }

    private func note(_ id: Window.ID, _ owner: Application.ID?, _ isMatching: Bool) {
        guard isMatching != (owners[id] != nil), let owner = isMatching ? owner : owners[id] else { return }
        owners[id] = isMatching ? owner : nil
        let count = counts[owner, default: 0] + (isMatching ? 1 : -1)
        counts[owner] = count == 0 ? nil : count
    }

    /// Whether it holds, as far as that is known without settling and drawing. Call it after `update`.
    var holds: Bool {
        switch condition {
        case .window(_, let count): count.map { windows.count == $0 } ?? !windows.isEmpty
        case .gone: windows.isEmpty
        case .application, .client: !named.isEmpty || !counts.isEmpty
        case .screen(let screen, let isConnected, let isMain):
            if let found = server.screen(screen) {
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

extension UInt64? {
    /// The next object after this place in the journal.
    fileprivate mutating func next<ID>(in journal: ChangeJournal<ID>) -> ID? {
        guard var place = self else { return nil }
        defer { self = place }
        return journal.next(after: &place)
    }
}

extension WindowPattern {
    /// What keeps a window from matching, other than texts.
    enum Failure { case screen, visibility, key }

    func failures(_ window: Window, on server: DisplayServer) -> [Failure] {
        var failures: [Failure] = []
        if let isVisible, window.isVisible != isVisible { failures.append(.visibility) }
        if let isKey, window.isKey != isKey { failures.append(.key) }
        if let screen, server.screen(screen)?.id != window.screen || window.screen == nil { failures.append(.screen) }
        return failures
    }
}
