// GET /v1/status, GET /v1/displays, GET /v1/applications

import ControlProtocol
import DisplayServer
import EventLoop
import Glibc
import WindowModel

extension ControlServer {
    var statusRoutes: [Route] {
        [
            Route(.getStatus) { [unowned self] request in .reply(.json(status(for: request.user))) },
            Route(.getDisplays) { [unowned self] _ in
                .reply(.json(API.DisplayList(displays: server.displays.models.map { API.Display($0) })))
            },
            Route(.getApplications) { [unowned self] _ in .reply(.json(applications)) },
        ]
    }

    private func status(for user: UInt32?) -> API.Status {
        let model = server.model
        let windows = model.windows
        return API.Status(
            version: DisplayServer.version, pid: getpid(),
            uptime: Double((server.loop.now - startedAt) / 1000) / 1000, socket: server.socketName,
            screens: model.screens.count, applications: model.applications.count, windows: windows.count,
            visibleWindows: windows.count { model.isVisible($0) }, surfaces: model.surfaceCount,
            keyWindow: model.keyWindow?.rawValue, locked: model.isLocked, lockHolder: model.lockHolder?.rawValue,
            inputHolder: model.inputHolder?.rawValue, touches: model.touchCount, droppedPresses: model.droppedPresses,
            ignoredEvents: model.ignoredEvents, eventReaders: events.count, health: health,
            refusals: server.refusals,
            x11: server.x11Displays(for: user).map { API.X11Display(display: $0.display, uid: $0.uid) },
            web: webAddress.map { "http://\($0)/v1" })
    }

    /// A sentence that describes problems and the state.
    private var health: String {
        let problems = [slowLoop, slowReaders].compactMap(\.self)
        let state = problems.isEmpty ? "healthy" : "struggling: " + problems.joined(separator: ", ")
        let model = server.model
        let visible = model.windows.count { model.isVisible($0) }
        var contents = [Self.count(server.clientCount, "client")]
        contents.append(
            model.screens.isEmpty
                ? "no screen, so windows wait: \(Rule.s2)" : Self.count(model.screens.count, "screen"))
        contents.append(Self.count(visible, "visible window"))
        if model.isLocked { contents.append(model.lockHolder == nil ? "locked, and the lock is abandoned" : "locked") }
        return state + (problems.isEmpty ? ": " : "; ") + contents.joined(separator: ", ")
    }

    /// The recent delay of the loop's timers, if longer than a frame at 60 Hz.
    private var slowLoop: String? {
        let worst = server.loop.lateness.worst(at: server.loop.now)
        return worst > Self.longWait ? "loop \(worst / 1000) ms late" : nil
    }

    private static var longWait: UInt64 { 25_000 }

    private var slowReaders: String? {
        let slow = server.clients.values.filter(\.transport.isCongested)
        guard let first = slow.min(by: { $0.application < $1.application }) else { return nil }
        let others = slow.count > 1 ? " (and \(slow.count - 1) more)" : ""
        return "\(TreeText.printable(first.description)) does not read its events\(others)"
    }

    private static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    private var applications: API.ApplicationList {
        let model = server.model
        return API.ApplicationList(
            applications: model.applications.compactMap { model.application($0) }.map {
                API.Application($0, server.client($0.id), in: model)
            })
    }
}
