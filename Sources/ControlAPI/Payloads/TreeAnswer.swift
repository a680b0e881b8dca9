// The tree of screens, windows and surfaces, in JSON.

import ControlProtocol
import DisplayServer
import WindowModel

extension API.Tree {
    init(_ model: WindowModel) {
        let all = model.windows.compactMap { model.window($0) }
        let screens = model.screens.compactMap { model.screen($0) }.map { screen in
            let visible = model.windows(on: screen.id).reversed()
            return API.ScreenBranch(
                id: screen.id.rawValue, name: screen.name, main: screen.id == model.mainScreen,
                mode: screen.currentMode.text, scale: screen.scale, position: API.Point(screen.position),
                bounds: API.Rect(screen.bounds),
                windows: visible.compactMap { model.window($0) }.map { Self.branch($0, model) },
                hidden: all.filter { $0.screen == screen.id && !$0.isVisible }.map { Self.branch($0, model) })
        }
        self.init(
            screens: screens, waiting: all.filter { $0.screen == nil }.map { Self.branch($0, model) },
            keyWindow: model.keyWindow?.rawValue)
    }

    private static func branch(_ window: Window, _ model: WindowModel) -> API.WindowBranch {
        API.WindowBranch(
            id: window.id.rawValue, application: window.application.rawValue,
            applicationName: model.application(window.application)?.name ?? "", title: window.title,
            level: window.level, frame: API.Rect(window.frame), alpha: window.alpha,
            visible: window.isVisible,
            key: window.isKey, keySeat: model.keySeat(of: window),
            surfaces: surfaces(of: window.id, model))
    }

    /// A window's surfaces, front to back.
    static func surfaces(of window: Window.ID, _ model: WindowModel) -> [API.Surface] {
        model.rootAndPopups(of: window).compactMap { model.surface($0) }.map { branch($0, below: false, model) }
    }

    private static func branch(_ surface: Surface, below: Bool, _ model: WindowModel) -> API.Surface {
        let children = surface.children.enumerated().reversed().compactMap { index, id -> API.Surface? in
            model.surface(id).map { branch($0, below: index < surface.childrenBelow, model) }
        }
        return API.Surface(
            id: surface.id.text, role: API.SurfaceRole(rawValue: "\(surface.role)"),
            position: API.Point(surface.position),
            size: surface.size.map { API.Size($0) }, hasContent: surface.size != nil,
            below: below, children: children)
    }
}
