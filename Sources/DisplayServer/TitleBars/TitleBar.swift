// The title bar of one window.

import Compositor
import MullionGeometry
import WindowModel

/// A bar above a window: the backmost of its pop-ups (C3), so that it is drawn, turned, faded and hit with the window.
/// It is a surface of one colour with two sub-surfaces, the title and the close button.
final class TitleBar {
    /// In points.
    static let height = 28.0
    /// The place of the title, in points: its left edge, its distance from the close button and the icon, and its
    /// greatest width. An icon takes this place, and moves the title to the right.
    private static let (titleStart, titleGap, longestTitle) = (10.0, 6.0, 640.0)
    /// A narrower window has no close button, so that there is something left to drag.
    private static let leastWidthWithButton = 2 * CloseImage.width
    /// A narrower window has no icon.
    private static let leastWidthWithIcon = 4 * CloseImage.width

    /// The most pixels per point of its images, which are stretched on screens with more: a program can give a screen a
    /// scale of 64, where a title would have 70 million pixels.
    static let greatestScale = 4.0

    /// What it shows.
    struct Looks: Equatable {
        /// In points.
        var width: Double
        var title: String
        var isKey: Bool
        /// Pixels per point of its images.
        var scale: Double
        var icon: IconImage?

        fileprivate var hasButton: Bool { width >= leastWidthWithButton }
        /// Next to it there is room for the beginning of the title, and for the button.
        fileprivate var hasIcon: Bool { icon != nil && width >= leastWidthWithIcon }
        /// In points.
        fileprivate var titleX: Double { titleStart + (hasIcon ? ToplevelIcon.size + titleGap : 0) }
        /// In points.
        fileprivate var titleWidth: Double {
            let room = width - titleX - (hasButton ? titleGap + CloseImage.width : titleStart)
            return max(0, min(room, longestTitle))
        }

        static func == (a: Looks, b: Looks) -> Bool {
            (a.width, a.title, a.isKey, a.scale) == (b.width, b.title, b.isKey, b.scale) && a.icon === b.icon
        }
    }

    /// One of its surfaces.
    private struct Part {
        let surface: Surface.ID
        var pixels: (any PixelContents)?
        var damage = DamageHistory()

        mutating func show(_ new: (any PixelContents)?) {
            pixels = new
            damage.recordEverything()
        }
    }

    // Removes the bar when its window ends.
    unowned let toplevel: PlainWindow
    // Owns all bars.
    private unowned let server: DisplayServer
    private let window: Window.ID
    private var background: Part
    private var title: Part
    private var button: Part
    /// Nil until the first icon.
    private var icon: Part?
    private var looks: Looks?

    init(_ toplevel: PlainWindow, of window: Window.ID) {
        let model = toplevel.server.model
        self.toplevel = toplevel
        self.window = window
        server = toplevel.server
        background = Part(surface: model.createSurface())
        title = Part(surface: model.createSurface())
        button = Part(surface: model.createSurface())
        server.titleBars.add(self)
        server.logErrors { () throws(ModelError) in
            try model.addSubsurface(title.surface, to: background.surface)
            try model.addSubsurface(button.surface, to: background.surface)
            try model.addPopup(
                background.surface, to: window, at: Point(x: 0, y: -Self.height), behindOthers: true)
        }
    }

    /// Called once, when it is no longer needed.
    func remove() {
        server.titleBars.remove(self)
        for surface in surfaces {
            server.logErrors { () throws(ModelError) in try server.model.destroySurface(surface) }
        }
    }

    var surfaces: [Surface.ID] {
        [button.surface, title.surface, background.surface] + (icon.map { [$0.surface] } ?? [])
    }

    func isCloseButton(_ surface: Surface.ID) -> Bool { surface == button.surface }

    /// What one of its surfaces shows.
    func contents(of surface: Surface.ID) -> Renderer.Contents? {
        [background, title, button, icon].compactMap(\.self).first { $0.surface == surface }.flatMap { part in
            part.pixels.map { ($0, part.damage) }
        }
    }

    func show(_ new: Looks) {
        guard new != looks else { return }
        let old = looks
        looks = new
        if new.icon !== old?.icon { show(new.icon) }
        if new.width != old?.width || new.hasIcon != old?.hasIcon { layOut(new) }
        if new.isKey != old?.isKey { background.show(new.isKey ? BarColor.key : BarColor.other) }
        if new.title != old?.title || new.titleWidth != old?.titleWidth || new.scale != old?.scale {
            title.show(
                new.titleWidth == 0 || new.title.isEmpty
                    ? nil
                    : TitleImage(
                        new.title, size: Size(width: new.titleWidth, height: Self.height), scale: new.scale,
                        server.titleBars.titles))
        }
        if new.scale != old?.scale { button.show(server.titleBars.closeImage(scale: new.scale)) }
        for part in [background, title, button, icon].compactMap(\.self) {
            server.contentsChanged(of: part.surface, part.damage, in: window)
        }
    }

    private func show(_ image: IconImage?) {
        if icon == nil {
            let part = Part(surface: server.model.createSurface())
            icon = part
            server.titleBars.add(self)
            server.logErrors { () throws(ModelError) in
                try server.model.addSubsurface(part.surface, to: background.surface)
                let top = (Self.height - ToplevelIcon.size) / 2
                try server.model.setPosition(part.surface, Point(x: Self.titleStart, y: top))
            }
        }
        icon?.show(image)
    }

    private func layOut(_ looks: Looks) {
        func size(_ width: Double) -> Size? { width == 0 ? nil : Size(width: width, height: Self.height) }
        server.logErrors { () throws(ModelError) in
            try server.model.setContent(background.surface, size: size(looks.width))
            try server.model.setContent(title.surface, size: size(looks.titleWidth))
            try server.model.setPosition(title.surface, Point(x: looks.titleX, y: 0))
            if let icon {
                let size = Size(width: ToplevelIcon.size, height: ToplevelIcon.size)
                try server.model.setContent(icon.surface, size: looks.hasIcon ? size : nil)
            }
            try server.model.setContent(button.surface, size: size(looks.hasButton ? CloseImage.width : 0))
            try server.model.setPosition(button.surface, Point(x: looks.width - CloseImage.width, y: 0))
        }
    }
}
