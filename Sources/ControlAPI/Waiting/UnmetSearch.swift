// Finds out why conditions do not hold.

import ControlProtocol
import DisplayServer
import TextPatterns
import WindowModel

/// Looks for what comes nearest to conditions that do not hold. Comparing patterns with many titles takes long, so that
/// it is done bit by bit.
final class UnmetSearch {
    /// How many candidates are compared.
    private static let mostCompared = 512

    private let server: DisplayServer
    private var open: ArraySlice<ConditionCheck>
    private let others: () -> [API.Unmet]
    private var found: [API.Unmet] = []
    /// Continues with the first of the open conditions; nil before its beginning.
    private var step: ((_ isOver: () -> Bool) -> API.Unmet?)?

    /// - Parameters:
    ///   - open: conditions of windows, applications or screens that do not hold.
    ///   - others: the reasons if there are none of these.
    init(_ open: [ConditionCheck], on server: DisplayServer, others: @escaping () -> [API.Unmet]) {
        self.server = server
        self.open = open[...]
        self.others = others
    }

    /// Continues.
    /// - Returns: nil if time ran out before that was done.
    func proceed(until isOver: () -> Bool) -> [API.Unmet]? {
        while let check = open.first {
            let step = step ?? begin(check)
            self.step = step
            guard let unmet = step(isOver) else { return nil }
            found.append(unmet)
            open.removeFirst()
            self.step = nil
            if isOver(), !open.isEmpty { return nil }
        }
        return found.isEmpty ? others() : found
    }

    private func begin(_ check: ConditionCheck) -> (_ isOver: () -> Bool) -> API.Unmet? {
        let condition = check.condition
        switch condition {
        case .window(let pattern, let count):
            guard let count, !check.windows.isEmpty else { return windows(pattern, check) }
            let number = check.windows.count
            let reason = "\(number) \(number == 1 ? "window matches" : "windows match"), not \(count)"
            return matching(check, reason)
        case .gone:
            let count = check.windows.count
            return matching(
                check, count == 1 ? "there is still such a window" : "there are still \(count) such windows")
        case .application(let name): return applications(name, condition)
        case .client: return { [server] _ in Self.client(condition, server) }
        case .screen(let screen, _, _): return screens(screen, condition)
        case .idle: return { _ in API.Unmet(condition, "no program is connected", []) }
        case .still(let screen, _): return screens(screen, condition)
        case .pixel(let pixel): return screens(pixel.screen, condition)
        }
    }

    // MARK: Windows

    private func matching(_ check: ConditionCheck, _ reason: String) -> (_ isOver: () -> Bool) -> API.Unmet? {
        { [server] _ in
            let windows = check.windows.least(API.Unmet.most).compactMap { server.model.window($0) }
            return API.Unmet(
                check.condition, reason, windows.map { API.Candidate(window: $0, why: [], on: server) })
        }
    }

    private func windows(_ pattern: WindowPattern, _ check: ConditionCheck) -> (_ isOver: () -> Bool) -> API.Unmet? {
        let model = server.model
        let all = model.windows
        var titled: Set<Window.ID> = []
        func distance(_ id: Window.ID, _ title: (TextPattern, String) -> Double) -> Double? {
            guard let window = model.window(id) else { return nil }
            let failures = pattern.failures(window, on: server).count
            let isOwned = check.isOwned(window, pattern)
            var distance = Double(failures) * 0.1 + (isOwned ? 0 : 2.1)
            guard let wanted = pattern.title else { return distance == 0 ? nil : distance }
            // If nothing else fails, its title does: that was found when the window was checked.
            guard distance == 0 || !(titled.contains(id) || wanted.matches(window.title)) else {
                titled.insert(id)
                return distance
            }
            distance += 0.1 + title(wanted, window.title) * 3
            return distance
        }
        var ranking = Ranking(all.suffix(Self.mostCompared)) {
            distance($0) { $0.leastDistance(ofMiss: $1) }
        } exact: {
            distance($0) { $0.distance(ofMiss: $1) } ?? .infinity
        }
        return { [server] isOver in
            guard ranking.proceed(until: isOver) else { return nil }
            let nearest = ranking.nearest
            let reason =
                switch nearest.first {
                case nil where all.isEmpty: server.hasPrograms ? "there is no window" : "no program is connected"
                case let first? where pattern.title != nil && !titled.contains(first): "no window has this title"
                default: "no window matches"
                }
            let windows = nearest.prefix(API.Unmet.most).compactMap { model.window($0) }
            return API.Unmet(
                check.condition, reason,
                windows.map { API.Candidate(window: $0, why: pattern.failures($0, on: server), on: server) })
        }
    }

    // MARK: Applications and screens

    private func applications(_ name: TextPattern, _ condition: Condition) -> (_ isOver: () -> Bool) -> API.Unmet? {
        let model = server.model
        var ranking = Ranking(model.applications.suffix(Self.mostCompared)) { id in
            model.application(id).map { name.leastDistance(ofMiss: $0.name) }
        } exact: { id in
            model.application(id).map { name.distance(ofMiss: $0.name) } ?? .infinity
        }
        return { [server] isOver in
            guard ranking.proceed(until: isOver) else { return nil }
            let nearest = ranking.nearest
            return API.Unmet(
                condition, nearest.isEmpty ? "no program is connected" : "no application has this name",
                nearest.prefix(API.Unmet.most).map { API.Candidate(application: $0, on: server) })
        }
    }

    private static func client(_ condition: Condition, _ server: DisplayServer) -> API.Unmet {
        let clients = server.model.applications.lazy.compactMap { server.client($0) }.prefix(API.Unmet.most)
        return API.Unmet(
            condition, clients.isEmpty ? "no client is connected" : "no client of this process is connected",
            clients.map { API.Candidate(application: $0.application, on: server) })
    }

    private func screens(
        _ reference: ScreenReference?, _ condition: Condition
    ) -> (_ isOver: () -> Bool) -> API.Unmet? {
        let model = server.model
        let wanted = reference?.text ?? ""
        var ranking = Ranking(model.screens) { id in
            model.screen(id).map { EditDistance.leastShare($0.name, wanted) }
        } exact: { id in
            model.screen(id).map { EditDistance.share($0.name, wanted) } ?? .infinity
        }
        return { [server] isOver in
            if let found = server.screen(reference) {
                var reason = "it is connected"
                if case .screen(_, true, let isMain?) = condition {
                    reason = isMain ? "it is not the main screen" : "it is the main screen"
                }
                return API.Unmet(condition, reason, [API.Candidate(screen: found, on: server)])
            }
            guard ranking.proceed(until: isOver) else { return nil }
            var reason = "no screen is connected"
            if let reference {
                let isOff = (try? server.pluggedScreen(reference.text)) != nil
                reason = isOff ? "it is switched off" : "it is not connected"
            }
            let nearest = ranking.nearest.prefix(API.Unmet.most).compactMap { model.screen($0) }
            return API.Unmet(condition, reason, nearest.map { API.Candidate(screen: $0, on: server) })
        }
    }
}
