// /v1/screens and below; pictures are in PictureRoutes.swift

import ControlProtocol
import DisplayServer
import Displays
import EventLoop
import WindowModel

extension ControlServer {
    var screenRoutes: [Route] {
        [
            Route(.getScreens) { [unowned self] _ in
                let screens = server.model.pluggedScreens.map { API.Screen($0, in: server.model) }
                return .reply(.json(API.ScreenList(screens: screens)))
            },
            Route(.postScreens) { [unowned self] in try plug($0) },
            Route(.getScreensScreen) { [unowned self] in
                .reply(try describe(pluggedScreen($0).name))
            },
            Route(.patchScreensScreen) { [unowned self] in try change($0) },
            Route(.deleteScreensScreen) { [unowned self] in
                try unplug($0)
                return .reply(HTTPResponse(status: 204))
            },
        ]
    }

    /// The screen in the path; 404 if there is none.
    func screen(_ request: ControlRequest) throws(Problem) -> Screen {
        try screen(named: request.parameter("screen"))
    }

    /// The screen of this id or name; 404 if there is none.
    func screen(named name: String) throws(Problem) -> Screen {
        do {
            return try server.screen(name)
        } catch {
            throw Problem(.noScreen, error.message, rule: error.rule)
        }
    }

    /// The screen in the path, switched on or off; 404 if there is none.
    private func pluggedScreen(_ request: ControlRequest) throws(Problem) -> Screen {
        do {
            return try server.pluggedScreen(request.parameter("screen"))
        } catch {
            throw Problem(.noScreen, error.message, rule: error.rule)
        }
    }

    private func describe(_ name: String, status: Int = 200) throws -> HTTPResponse {
        guard let screen = server.model.pluggedScreen(named: name) else {
            throw Problem(.noScreen, "screen \(name) was unplugged", rule: .s1)
        }
        return .json(API.Screen(screen, in: server.model), status: status)
    }

    private func unplug(_ request: ControlRequest) throws {
        try server.unplug(pluggedScreen(request).name)
    }

    private func plug(_ request: ControlRequest) throws -> Answer {
        let id = try server.plug(try request.body(PlugPayload.self).specification, by: request.user)
        var response = try describe(server.model.screen(id)?.name ?? "", status: 201)
        response.headers["Location"] = "/v1/screens/\(id)"
        return .reply(response)
    }

    private func change(_ request: ControlRequest) throws -> Answer {
        let screen = try pluggedScreen(request)
        let patch = try request.body(ScreenPatch.self)
        if let duration = patch.duration, !(0...60).contains(duration) {
            throw Problem(.invalidValue, "\(duration) is not a duration of a rotation; use 0 to 60 seconds", rule: .r1)
        }
        guard patch.powered == nil || (screen.isEnabled && patch.enabled != false) else {
            throw Problem(
                .notAllowed, "screen \(screen.name) is switched off, so that its power cannot change", rule: .s1)
        }
        let setting = ScreenSetting(
            screen: screen, isEnabled: patch.enabled ?? screen.isEnabled,
            properties: try server.description(of: screen, changedBy: patch.settings))
        try server.apply([setting], duration: patch.duration.map { UInt64($0 * 1e6) })
        if let powered = patch.powered { try server.model.setPowered(powered, of: screen.id) }
        return .reply(try describe(screen.name))
    }
}

extension DisplayServer {
    /// The description of a screen with changed settings. The screen that it mirrors may be given by id, too (S7).
    func description(
        of screen: Screen, changedBy settings: ScreenSettings
    ) throws(ModelError) -> ScreenDescription {
        var settings = settings
        if case .screen(let name) = settings.mirroring, let source = try? self.screen(name) {
            settings.mirroring = .screen(source.name)
        }
        var result = screen.properties
        try settings.apply(to: &result, of: "screen \(screen.name)")
        return result
    }
}
