// What a picture shows.

import Compositor
import MullionGeometry
import WindowModel

/// The subject of a capture.
struct CaptureView: Hashable, Comparable {
    enum Subject: Hashable, Codable {
        /// A screen's native pixels (S4).
        case screen(Screen.ID)
        /// One window alone, in pixels of its screen's scale. The picture has the window's bounds or, with its pop-ups,
        /// the smallest rectangle that contains both.
        case window(Window.ID, withPopups: Bool)
        /// A seat's cursor by itself, upright.
        case cursor(Seat.ID, scale: Double)
    }

    var subject: Subject
    var hasCursor = false

    static func screen(_ id: Screen.ID, cursor: Bool = false) -> CaptureView {
        CaptureView(subject: .screen(id), hasCursor: cursor)
    }

    /// All views of a window.
    static func all(of window: Window.ID) -> [CaptureView] {
        [false, true].flatMap { popups in
            [false, true].map { CaptureView(subject: .window(window, withPopups: popups), hasCursor: $0) }
        }
    }

    var screen: Screen.ID? {
        if case .screen(let id) = subject { id } else { nil }
    }

    var window: Window.ID? {
        if case .window(let id, _) = subject { id } else { nil }
    }

    /// Whether what no layer covers is transparent.
    var hasAlpha: Bool { screen == nil }

    /// A fixed order.
    private var order: (Int, UInt64, Double, Int) {
        switch subject {
        case .screen(let id): (0, UInt64(id.rawValue), 0, hasCursor ? 1 : 0)
        case .window(let id, let withPopups): (1, UInt64(id.rawValue), withPopups ? 1 : 0, hasCursor ? 1 : 0)
        case .cursor(let id, let scale): (2, UInt64(id.rawValue), scale, 0)
        }
    }

    static func < (a: CaptureView, b: CaptureView) -> Bool { a.order < b.order }
}

extension DisplayServer {
    /// Pixels per point in the picture of a window: the scale of its screen or, without one, of the main screen.
    func pictureScale(of window: Window.ID) -> Double {
        (model.screen(of: window) ?? model.mainScreen).flatMap { model.screen($0)?.scale } ?? 1
    }

    /// The part of a window that a picture shows, in its points.
    func picturePart(of window: Window.ID, withPopups: Bool) -> Rect? {
        guard withPopups else { return model.frame(of: window).map { Rect(origin: .zero, size: $0.size) } }
        return model.extentWithPopups(of: window)
    }

    /// Begins to collect what a view shows now, without the cursor; nil when there is nothing: the screen is
    /// disconnected, the window is gone, empty or too large for a picture, or the cursor is hidden.
    func walk(over view: CaptureView) -> FrameWalk? {
        switch view.subject {
        case .screen(let id): return model.walk(over: id)
        case .window(let id, let withPopups):
            guard let part = picturePart(of: id, withPopups: withPopups),
                let walk = model.walk(over: id, part: part, scale: pictureScale(of: id)),
                Self.isPicture(walk.frame.pixelWidth, walk.frame.pixelHeight)
            else { return nil }
            return walk
        case .cursor(let seat, let scale):
            guard let picture = self.seat(seat)?.pointer.cursor.picture(scale: scale),
                Self.isPicture(picture.width, picture.height)
            else { return nil }
            return FrameWalk(
                Frame(screen: nil, pixelWidth: picture.width, pixelHeight: picture.height, layers: []))
        }
    }

    /// The size of a view's picture in pixels; nil when there is none.
    func pictureSize(of view: CaptureView) -> IntRect? {
        if let screen = view.screen {
            return model.screen(screen).map { IntRect(nearest: $0.nativeBounds) }
        }
        return walk(over: view).map { IntRect(x: 0, y: 0, width: $0.frame.pixelWidth, height: $0.frame.pixelHeight) }
    }

    /// Whether a picture can have this size.
    private static func isPicture(_ width: Int, _ height: Int) -> Bool {
        width > 0 && height > 0 && max(width, height) <= Renderer.maximumEdge && width * height <= PNG.maximumPixels
    }

    /// From the points of the view's screen or window to the picture's pixels; nil for a cursor.
    func toPixels(of view: CaptureView) -> AffineTransform? {
        switch view.subject {
        case .screen(let id): return model.screen(id)?.toPixels
        case .window(let id, let withPopups):
            guard let part = picturePart(of: id, withPopups: withPopups) else { return nil }
            let scale = pictureScale(of: id)
            return .translation(x: -part.minX, y: -part.minY).then(.scale(x: scale, y: scale))
        case .cursor: return nil
        }
    }

    /// The screen whose ticks a view follows: that of the window or the pointer, else the main screen.
    func pacingScreen(of view: CaptureView) -> Screen.ID? {
        switch view.subject {
        case .screen(let id): id
        case .window(let id, _): model.screen(of: id) ?? model.mainScreen
        case .cursor(let seat, _): self.seat(seat)?.pointer.location?.screen ?? model.mainScreen
        }
    }

    /// Draws screens as they are at one moment, optionally with the cursor, and passes `body` their pictures in native
    /// pixels (S4).
    public func capture(
        _ screens: [Screen.ID], cursor: Bool = false, _ body: @escaping ([(Screen.ID, Bitmap)]) -> Void
    ) {
        captures.capture(screens, cursor: cursor, body)
    }

    /// Draws every frame of a screen, as for a continuous capture, until it is unplugged.
    public func watch(_ id: Screen.ID) { captures.watch(id) }

    /// The layers of the cursors that a picture of a view has, back to front.
    func shownCursorLayers(in view: CaptureView) -> [Layer] {
        if case .cursor = view.subject {
        } else if !view.hasCursor {
            return []
        }
        if let screen = view.screen, model.screen(screen)?.isPowered != true { return [] }
        return cursorLayers(in: view)
    }

    /// The layers of the cursors in a view, back to front.
    func cursorLayers(in view: CaptureView) -> [Layer] {
        switch view.subject {
        case .screen(let id): seats.flatMap { $0.pointer.cursor.layers(on: id) }
        case .window(let id, _):
            toPixels(of: view).map { toPixels in
                seats.flatMap { $0.pointer.cursor.layers(over: id, toPixels: toPixels) }
            } ?? []
        case .cursor(let seat, let scale): self.seat(seat)?.pointer.cursor.picture(scale: scale)?.layers ?? []
        }
    }

    /// Called when a cursor moved or, unless `isMotion`, changed: this changes the captures that show it.
    func cursorDidChange(of seat: Seat.ID, isMotion: Bool = false) {
        frames.screensChanged = true
        captures.cursorDidChange(of: seat, isMotion: isMotion)
    }
}
