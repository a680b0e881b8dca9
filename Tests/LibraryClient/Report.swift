// What the library believes, as JSON.

import FoundationEssentials
import MullionClient

/// The windows, the key window and the screens of an application, as its properties read.
struct Report: Encodable {
    /// Back to front (W4).
    let windows: [WindowReport]
    let keyWindow: Int?
    let foundKeyWindow: Int?
    /// The main screen first (S2).
    let screens: [ScreenReport]

    struct WindowReport: Encodable {
        let number: Int
        let title: String
        let level: Double
        let isHidden: Bool
        let isVisible: Bool
        let isKeyWindow: Bool
        let frame: [Double]
        let screen: String?
        let alpha: Double
        let isUserInteractionEnabled: Bool
        let autoresizing: UInt8
    }

    struct ScreenReport: Encodable {
        let name: String
        let isMain: Bool
        let isBuiltIn: Bool
        let bounds: [Double]
        let nativeSize: [Double]
        let scale: Double
        let orientation: String
        /// Width, height and refresh rate in mHz.
        let mode: [Int]?
        let position: [Double]
        let brightness: Double
        let mirroredScreen: String?
    }

    @MainActor init(_ application: Application, _ numbered: [Int: Window]) {
        func number(_ window: Window?) -> Int? {
            window.flatMap { window in numbered.first { $0.value === window }?.key }
        }
        windows = application.windows.map { window in
            WindowReport(
                number: number(window) ?? 0, title: window.title, level: window.windowLevel.rawValue,
                isHidden: window.isHidden, isVisible: window.isVisible, isKeyWindow: window.isKeyWindow,
                frame: Self.numbers(window.frame), screen: window.screen?.name, alpha: window.alpha,
                isUserInteractionEnabled: window.isUserInteractionEnabled,
                autoresizing: window.autoresizingMask.rawValue)
        }
        keyWindow = number(application.keyWindow)
        foundKeyWindow = number(application.findKeyWindow())
        screens = application.screens.map { screen in
            ScreenReport(
                name: screen.name, isMain: screen === application.mainScreen, isBuiltIn: screen.kind == .builtIn,
                bounds: Self.numbers(screen.bounds),
                nativeSize: [screen.nativeBounds.width, screen.nativeBounds.height], scale: screen.scale,
                orientation: "\(screen.orientation)",
                mode: screen.currentMode.map { [$0.width, $0.height, $0.refresh] },
                position: [screen.position.x, screen.position.y], brightness: screen.brightness,
                mirroredScreen: screen.mirroredScreenName)
        }
    }

    private static func numbers(_ rect: Rect) -> [Double] { [rect.minX, rect.minY, rect.width, rect.height] }

    var json: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}
