// The complete state in JSON: screens, their windows, their surfaces.

import DisplayServer
import WindowModel

/// All objects, front to back at each level.
struct TreePayload: Encodable, Sendable {
    var screens: [ScreenBranch]
    /// S2, S8: windows that wait for a screen.
    var waiting: [WindowBranch]
    /// K1: the first seat's key window.
    var keyWindow: UInt32?

    struct ScreenBranch: Encodable, Sendable {
        var id: UInt32
        var name: String
        var main: Bool
        var mode: String
        var scale: Double
        var position: PointPayload
        var bounds: RectPayload
        /// W3: the visible windows, front to back.
        var windows: [WindowBranch]
        /// V1: those on the screen that are not visible.
        var hidden: [WindowBranch]
    }

    struct WindowBranch: Encodable, Sendable {
        var id: UInt32
        var application: UInt32
        var applicationName: String
        var title: String
        var level: Double
        var frame: RectPayload
        var alpha: Double
        var visible: Bool
        var key: Bool
        /// K1: the name of the seat whose key window it is, if any.
        var keySeat: String?
        var surfaces: [SurfaceBranch]
    }

    struct SurfaceBranch: Encodable, Sendable {
        var id: Surface.ID
        var role: Surface.Role
        /// In the parent surface's points; for roots and pop-ups, the window's.
        var position: PointPayload
        /// In points; absent without content.
        var size: SizePayload?
        /// C1: under its parent's own content.
        var below: Bool
        var children: [SurfaceBranch]

        private enum CodingKeys: CodingKey { case id, role, position, size, hasContent, below, children }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id.text, forKey: .id)
            try container.encode("\(role)", forKey: .role)
            try container.encode(position, forKey: .position)
            try container.encodeIfPresent(size, forKey: .size)
            try container.encode(size != nil, forKey: .hasContent)
            try container.encode(below, forKey: .below)
            try container.encode(children, forKey: .children)
        }
    }

    init(_ model: WindowModel) {
        keyWindow = model.keyWindow?.rawValue
        let all = model.windows.compactMap { model.window($0) }
        screens = model.screens.compactMap { model.screen($0) }.map { screen in
            let visible = model.windows(on: screen.id).reversed()
            return ScreenBranch(
                id: screen.id.rawValue, name: screen.name, main: screen.id == model.mainScreen,
                mode: screen.currentMode.text, scale: screen.scale, position: PointPayload(screen.position),
                bounds: RectPayload(screen.bounds),
                windows: visible.compactMap { model.window($0) }.map { Self.branch($0, model) },
                hidden: all.filter { $0.screen == screen.id && !$0.isVisible }.map { Self.branch($0, model) })
        }
        waiting = all.filter { $0.screen == nil }.map { Self.branch($0, model) }
    }

    private static func branch(_ window: Window, _ model: WindowModel) -> WindowBranch {
        WindowBranch(
            id: window.id.rawValue, application: window.application.rawValue,
            applicationName: model.application(window.application)?.name ?? "", title: window.title,
            level: window.level, frame: RectPayload(window.frame), alpha: window.alpha, visible: window.isVisible,
            key: window.isKey,
            keySeat: window.isKey ? model.seat(of: window.id).flatMap { model.seat($0)?.name } : nil,
            surfaces: surfaces(of: window.id, model))
    }

    /// A window's surfaces, front to back.
    static func surfaces(of window: Window.ID, _ model: WindowModel) -> [SurfaceBranch] {
        model.rootAndPopups(of: window).compactMap { model.surface($0) }.map { branch($0, below: false, model) }
    }

    private static func branch(_ surface: Surface, below: Bool, _ model: WindowModel) -> SurfaceBranch {
        let children = surface.children.enumerated().reversed().compactMap { index, id -> SurfaceBranch? in
            model.surface(id).map { branch($0, below: index < surface.childrenBelow, model) }
        }
        return SurfaceBranch(
            id: surface.id, role: surface.role, position: PointPayload(surface.position),
            size: surface.size.map { SizePayload($0) }, below: below, children: children)
    }
}
