// A consistent state in JSON: screens with their pictures, and windows.

import DisplayServer
import JSON5
import MullionGeometry
import WindowModel

/// The answer to `GET /v1/capture`.
struct CapturePayload: Encodable, Sendable {
    /// `DisplayServer.frameNumber`: the same number means the same pictures.
    var frame: UInt64
    /// Monotonic microseconds, as in events (E9).
    var time: UInt64
    /// K1; null if there is none.
    var keyWindow: UInt32?
    /// With `joined`: all screens in one PNG.
    var png: Base64?
    var screens: [CapturedScreen]
    /// Windows of all applications, in order of creation, including those on no screen.
    var windows: [CapturedWindow]

    /// A screen, the transform from its points to the pixels of its picture, and its own picture.
    struct CapturedScreen: Encodable, Sendable {
        var id: Screen.ID
        var screen: ScreenPayload
        var toPixels: TransformPayload
        var png: Base64?

        enum CodingKeys: CodingKey { case toPixels, png }

        func encode(to encoder: any Encoder) throws {
            try screen.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(toPixels, forKey: .toPixels)
            try container.encodeIfPresent(png, forKey: .png)
        }
    }

    /// A window, the transform from its points to the pixels of its picture, and its surfaces, front to back.
    struct CapturedWindow: Encodable, Sendable {
        var window: WindowPayload
        /// Absent while it waits for a screen (S2, S8).
        var toPixels: TransformPayload?
        var surfaces: [TreePayload.SurfaceBranch]

        enum CodingKeys: CodingKey { case toPixels, surfaces }

        func encode(to encoder: any Encoder) throws {
            try window.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(toPixels, forKey: .toPixels)
            try container.encode(surfaces, forKey: .surfaces)
        }
    }

    /// The current state; pictures are added when they are drawn.
    init(_ server: DisplayServer, _ layout: PictureLayout) {
        let model = server.model
        frame = server.frameNumber
        time = server.clock.now
        keyWindow = model.keyWindow?.rawValue
        screens = model.screens.compactMap { model.screen($0) }.map { screen in
            CapturedScreen(
                id: screen.id, screen: ScreenPayload(screen, in: model),
                toPixels: TransformPayload(screen.toPixels.then(layout[screen.id].fromNative)))
        }
        windows = model.windows.compactMap { model.window($0) }.map { window in
            let place = window.screen.map { layout[$0].fromNative } ?? .identity
            return CapturedWindow(
                window: WindowPayload(window, in: server),
                toPixels: model.toPixels(of: window.id).map { TransformPayload($0.then(place)) },
                surfaces: TreePayload.surfaces(of: window.id, model))
        }
    }

    mutating func add(_ png: Base64, of screen: Screen.ID) {
        guard let index = screens.firstIndex(where: { $0.id == screen }) else { return }
        screens[index].png = png
    }

    enum CodingKeys: CodingKey { case frame, time, keyWindow, png, screens, windows }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(frame, forKey: .frame)
        try container.encode(time, forKey: .time)
        try container.encode(keyWindow, forKey: .keyWindow)
        try container.encodeIfPresent(png, forKey: .png)
        try container.encode(screens, forKey: .screens)
        try container.encode(windows, forKey: .windows)
    }
}

/// `[a, b, c, d, tx, ty]`: x' = a·x + c·y + tx, y' = b·x + d·y + ty.
struct TransformPayload: Encodable, Sendable {
    let elements: [Double]

    init(_ transform: AffineTransform) {
        let all = [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty]
        // Rotations produce negative zeros, which JSON would show.
        elements = all.map { $0 == 0 ? 0 : $0 }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(elements)
    }
}
