// Why a condition does not hold, and what there is instead.

import DisplayServer
import TextPatterns
import WindowModel

/// A condition that did not hold when the time was up, with what comes nearest to it.
struct Unmet: Encodable, Equatable {
    /// As on the command line.
    var condition: String
    var reason: String
    /// Nearest first, at most `most`.
    var instead: [Candidate]

    /// How many candidates are listed, and how many are compared.
    private static let (most, mostCompared) = (10, 512)

    /// Something that exists instead, described for people.
    struct Candidate: Encodable, Equatable {
        var text: String
        var window: UInt32?
        var title: String?
        var application: UInt32?
        var applicationName: String?
        var screen: UInt32?
        var screenName: String?
        /// "#rrggbb".
        var color: String?
    }

    init(_ condition: Condition, _ reason: String, _ instead: [Candidate]) {
        self.condition = "\(condition)"
        self.reason = reason
        self.instead = Array(instead.prefix(Self.most))
    }

    /// A condition of windows, applications or screens.
    init(_ check: ConditionCheck, on server: DisplayServer) {
        let condition = check.condition
        switch condition {
        case .window(let pattern, let count): self = Self.window(pattern, count, check, server)
        case .gone:
            let left = check.windows.all.sorted().prefix(Self.most).compactMap { server.model.window($0) }
            let count = check.windows.all.count
            self.init(
                condition, count == 1 ? "there is still such a window" : "there are still \(count) such windows",
                left.map { Candidate(window: $0, why: [], on: server) })
        case .application(let name): self = Self.application(name, condition, server)
        case .client:
            let clients = server.model.applications.compactMap { server.client($0) }
            self.init(
                condition, clients.isEmpty ? "no client is connected" : "no client of this process is connected",
                clients.map { Candidate(application: $0.application, on: server) })
        case .screen(let screen, _, _): self = Self.screen(screen, condition, server)
        case .idle: self.init(condition, "no program is connected", [])
        case .still(let screen, _): self = Self.screen(screen, condition, server)
        case .pixel(let pixel): self = Self.screen(pixel.screen, condition, server)
        }
    }

    /// Clients that have not settled.
    /// - Parameter reasons: for each client what is pending.
    init(unsettled reasons: [String], _ condition: Condition) {
        self.init(
            condition, reasons.isEmpty ? "not all clients have settled" : "these have not settled",
            reasons.map { Candidate(text: $0) })
    }

    /// A pixel of another colour; nil: it lies outside of the screen.
    init(_ condition: Condition, color: UInt32?, of screen: Screen?) {
        guard let color else {
            let mode = screen?.currentMode
            let size = mode.map { "the screen has \($0.width)x\($0.height) pixels" } ?? "there is no screen"
            self.init(condition, "the pixel lies outside of the screen: \(size)", [])
            return
        }
        self.init(
            condition, "the pixel is \(color.hex)",
            [Candidate(text: color.hex, screen: screen?.id.rawValue, screenName: screen?.name, color: color.hex)])
    }

    // MARK: Nearest first

    private static func window(
        _ pattern: WindowPattern, _ count: Int?, _ check: ConditionCheck, _ server: DisplayServer
    ) -> Unmet {
        let model = server.model
        if let count, !check.windows.all.isEmpty {
            let matching = check.windows.all.sorted().prefix(most).compactMap { model.window($0) }
            let number = check.windows.all.count
            return Unmet(
                check.condition, "\(number) \(number == 1 ? "window is" : "windows are") like this, not \(count)",
                matching.map { Candidate(window: $0, why: [], on: server) })
        }
        let windows = model.windows.suffix(mostCompared).compactMap { model.window($0) }
        let ranked = windows.map { window in
            let failures = pattern.failures(window, on: server)
            let distance = pattern.title?.distance(to: window.title) ?? 0
            let owner = failures.contains(.application) ? 1.0 : 0
            return (
                window: window, failures: failures, distance: distance * 3 + owner * 2 + Double(failures.count) * 0.1
            )
        }.sorted { ($0.distance, $1.window.id) < ($1.distance, $0.window.id) }
        let total = model.windows.count
        let reason =
            switch (total, ranked.first?.failures.contains(.title)) {
            case (0, _): server.hasPrograms ? "there is no window" : "no program is connected"
            case (_, true): "no window has this title"
            default: "no window is like this"
            }
        return Unmet(
            check.condition, reason,
            ranked.prefix(most).map { Candidate(window: $0.window, why: $0.failures, on: server) })
    }

    private static func application(_ name: TextPattern, _ condition: Condition, _ server: DisplayServer) -> Unmet {
        let model = server.model
        let applications = model.applications.suffix(mostCompared).compactMap { model.application($0) }
        let ranked = applications.map { (application: $0, distance: name.distance(to: $0.name)) }
            .sorted { ($0.distance, $0.application.id) < ($1.distance, $1.application.id) }
        return Unmet(
            condition, ranked.isEmpty ? "no program is connected" : "no application has this name",
            ranked.prefix(most).map { Candidate(application: $0.application.id, on: server) })
    }

    private static func screen(
        _ reference: ScreenReference?, _ condition: Condition, _ server: DisplayServer
    ) -> Unmet {
        let model = server.model
        let screens = model.screens.compactMap { model.screen($0) }
        let found = server.screen(reference)
        var reason = "no screen is connected"
        if let found {
            reason = "it is connected"
            if case .screen(_, true, let isMain?) = condition {
                reason = isMain ? "it is not the main screen" : "it is the main screen"
            }
            return Unmet(condition, reason, [Candidate(screen: found, on: server)])
        }
        if let reference {
            reason = "it is not connected"
            if (try? server.pluggedScreen(reference.text)) != nil { reason = "it is switched off" }
        }
        let ranked = screens.map { (screen: $0, distance: EditDistance.share($0.name, reference?.text ?? "")) }
            .sorted { ($0.distance, $0.screen.id.rawValue) < ($1.distance, $1.screen.id.rawValue) }
        return Unmet(condition, reason, ranked.map { Candidate(screen: $0.screen, on: server) })
    }
}

extension Unmet.Candidate {
    init(text: String) { self.text = text }

    init(window: Window, why failures: [WindowPattern.Failure], on server: DisplayServer) {
        let model = server.model
        let name = model.application(window.application)?.name ?? ""
        let screen = window.screen.flatMap { model.screen($0) }
        self.init(
            text: "", window: window.id.rawValue, title: window.title, application: window.application.rawValue,
            applicationName: name, screen: screen?.id.rawValue, screenName: screen?.name)
        let reasons = failures.compactMap { failure -> String? in
            switch failure {
            // The text has it anyway.
            case .title, .application: nil
            case .screen: screen.map { "on screen \($0.name)" } ?? "on no screen"
            case .key: window.isKey ? "key" : Self.whyNotKey(on: server)
            case .visibility: window.isVisible ? "visible" : Self.whyInvisible(window, on: server)
            }
        }
        text = (["window \(window.id) \"\(window.title.shortened)\" of \(name)"] + reasons).joined(separator: ", ")
    }

    private static func whyNotKey(on server: DisplayServer) -> String {
        guard let key = server.model.keyWindow.flatMap({ server.model.window($0) }) else { return "not key: none is" }
        return "not key: window \(key.id) \"\(key.title.shortened)\" is"
    }

    private static func whyInvisible(_ window: Window, on server: DisplayServer) -> String {
        if window.isHidden { return "hidden" }
        if let awaited = window.awaitedScreen { return "hidden: it waits for the screen \(awaited.name)" }
        if window.screen == nil { return "hidden: it waits for a screen" }
        return window.needsContent ? "hidden: it has no content yet" : "hidden"
    }

    init(application id: Application.ID, on server: DisplayServer) {
        let name = server.model.application(id)?.name ?? ""
        let pid = server.client(id)?.credentials.pid
        self.init(
            text: "application \(id) \(name)" + (pid.map { " (pid \($0))" } ?? ""), application: id.rawValue,
            applicationName: name)
    }

    init(screen: Screen, on server: DisplayServer) {
        let isMain = server.model.mainScreen == screen.id
        self.init(
            text: "screen \(screen.id) \(screen.name)\(isMain ? ", the main one" : "")", screen: screen.id.rawValue,
            screenName: screen.name)
    }
}
