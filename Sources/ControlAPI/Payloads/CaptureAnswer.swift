// A consistent state in JSON: screens with their pictures, and windows.

import ControlProtocol
import DisplayServer
import JSON5
import MullionGeometry
import WindowModel

extension API.Capture {
    /// The current state; pictures are added when they are drawn.
    init(_ server: DisplayServer, _ layout: PictureLayout) {
        let model = server.model
        let screens = model.screens.compactMap { model.screen($0) }.map { screen in
            API.CapturedScreen(
                API.Screen(screen, in: model),
                toPixels: screen.toPixels.then(layout[screen.id].fromNative).elements)
        }
        let windows = model.windows.compactMap { model.window($0) }.map { window in
            let place = window.screen.map { layout[$0].fromNative } ?? .identity
            return API.CapturedWindow(
                API.Window(window, in: server),
                toPixels: model.toPixels(of: window.id).map { $0.then(place).elements },
                surfaces: API.Tree.surfaces(of: window.id, model))
        }
        self.init(
            frame: server.frameNumber, time: server.clock.now, keyWindow: model.keyWindow?.rawValue, screens: screens,
            windows: windows)
    }

    mutating func add(_ png: Base64, of screen: Screen.ID) {
        guard let index = screens.firstIndex(where: { $0.id == screen.rawValue }) else { return }
        screens[index].png = png
    }
}

extension AffineTransform {
    /// `[a, b, c, d, tx, ty]`: x' = a·x + c·y + tx, y' = b·x + d·y + ty.
    fileprivate var elements: [Double] {
        // Rotations produce negative zeros, which JSON would show.
        [a, b, c, d, tx, ty].map { $0 == 0 ? 0 : $0 }
    }
}
