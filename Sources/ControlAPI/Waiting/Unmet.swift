// Why a condition does not hold, and what there is instead.

import ControlProtocol
import DisplayServer
import MullionGeometry
import TextPatterns
import WindowModel

extension API.Unmet {
    /// How many candidates are listed.
    static var most: Int { 10 }

    init(_ condition: Condition, _ reason: String, _ instead: [API.Candidate]) {
        self.init(
            kind: condition.kind.rawValue, condition: "\(condition)", reason: reason,
            instead: Array(instead.prefix(Self.most)))
        if case .pixel(let pixel) = condition {
            self.pixel = API.Point(Point(x: Double(pixel.x), y: Double(pixel.y)))
        }
    }

    /// Clients that have not settled.
    init(unsettled unfinished: [Unfinished], _ condition: Condition) {
        self.init(
            condition, unfinished.isEmpty ? "not all clients have settled" : "clients have not settled",
            unfinished.map { API.Candidate(text: $0.description, application: $0.program?.application.rawValue) })
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
            [API.Candidate(text: color.hex, screen: screen?.id.rawValue, screenName: screen?.name, color: color.hex)])
    }
}

extension API.Candidate {
    /// - Parameter failures: those that the text names.
    init(window: Window, why failures: [WindowPattern.Failure], on server: DisplayServer) {
        let model = server.model
        let name = model.application(window.application)?.name ?? ""
        let screen = window.screen.flatMap { model.screen($0) }
        self.init(
            text: "", window: window.id.rawValue, title: window.title, application: window.application.rawValue,
            applicationName: name, screen: screen?.id.rawValue, screenName: screen?.name)
        let reasons = failures.map { failure in
            switch failure {
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
