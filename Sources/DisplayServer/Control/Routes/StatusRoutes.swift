// GET /v1/status, GET /v1/displays, GET /v1/applications

import EventLoop
import Glibc
import WindowModel

extension ControlServer {
    var statusRoutes: [Route] {
        [
            Route(.get, "/v1/status") { [unowned self] _ in .reply(.json(status)) },
            Route(.get, "/v1/displays") { [unowned self] _ in
                .reply(.json(DisplayList(displays: server.displays.models.map(DisplayPayload.init))))
            },
            Route(.get, "/v1/applications") { [unowned self] _ in .reply(.json(applications)) },
        ]
    }

    private var status: StatusPayload {
        let model = server.model
        let windows = model.windows
        return StatusPayload(
            version: DisplayServer.version, pid: getpid(),
            uptime: Double((server.loop.now - startedAt) / 1000) / 1000, socket: server.socketName,
            screens: model.screens.count, applications: model.applications.count, windows: windows.count,
            visibleWindows: windows.count { model.isVisible($0) }, surfaces: model.surfaceCount,
            keyWindow: model.keyWindow?.rawValue, touches: model.touchCount, droppedPresses: model.droppedPresses,
            eventReaders: events.count, health: health)
    }

    /// The worst that is to be said.
    private var health: String {
        let slow = server.clients.values.filter(\.transport.isCongested)
        if let first = slow.min(by: { $0.application < $1.application }) {
            let others = slow.count > 1 ? ", nor do \(slow.count - 1) others" : ""
            return "\(TreeText.printable(first.description)) does not read its events\(others)"
        }
        if server.model.screens.isEmpty { return "well, but there is no screen: windows wait for one (S2)" }
        return "well"
    }

    private var applications: ApplicationList {
        let model = server.model
        return ApplicationList(
            applications: model.applications.compactMap { model.application($0) }.map {
                ApplicationPayload($0, server.client($0.id), in: model)
            })
    }
}
