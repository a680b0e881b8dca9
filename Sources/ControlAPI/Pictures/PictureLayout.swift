// The layout of screens' native pixels in pictures.

import Compositor
import DisplayServer
import MullionGeometry
import WindowModel

/// The orientation of each screen's picture, and its position when all are joined.
struct PictureLayout: Sendable {
    enum Style: Sendable {
        /// Separate framebuffers as they are, never rotated (S4).
        case native
        /// Separate pictures, as a person sees them.
        case upright
        /// All screens in one picture, as a person sees them: at their positions in the global layout, in pixels of the
        /// screen with the highest scale, so that none overlap.
        case joined
    }

    /// The transformation of one screen's native pixels.
    struct Place: Sendable, Equatable {
        /// Clockwise.
        var quarterTurns = 0
        /// Whether left and right are then exchanged, because the panel mirrors everything.
        var isMirrored = false
        /// The top left corner in the picture, in pixels.
        var x = 0
        var y = 0
        /// From native pixels to the picture's.
        var fromNative = AffineTransform.identity
    }

    private var places: [Screen.ID: Place] = [:]
    /// The size of all joined, in pixels.
    private(set) var width = 0
    private(set) var height = 0

    init(_ screens: [Screen], _ style: Style) {
        let scale = screens.map(\.scale).max() ?? 1
        let corners = screens.map { screen in
            (x: Self.pixel(screen.position.x * scale), y: Self.pixel(screen.position.y * scale))
        }
        let left = corners.map(\.x).min() ?? 0
        let top = corners.map(\.y).min() ?? 0
        for (screen, corner) in zip(screens, corners) {
            var place = Place()
            if style != .native {
                place.quarterTurns = screen.orientation.quarterTurns
                place.fromNative = Self.turn(place.quarterTurns, screen.nativeBounds.size)
                place.isMirrored = screen.properties.isFlipped
                if place.isMirrored {
                    let size = screen.nativeBounds.size
                    let width = screen.orientation.isLandscape ? size.height : size.width
                    let mirror = AffineTransform(a: -1, b: 0, c: 0, d: 1, tx: width, ty: 0)
                    place.fromNative = place.fromNative.then(mirror)
                }
            }
            if style == .joined {
                place.x = corner.x - left
                place.y = corner.y - top
                let move = AffineTransform.translation(x: Double(place.x), y: Double(place.y))
                place.fromNative = place.fromNative.then(move)
                let size = screen.nativeBounds.size
                let upright = screen.orientation.isLandscape ? Size(width: size.height, height: size.width) : size
                width = max(width, place.x + Int(upright.width))
                height = max(height, place.y + Int(upright.height))
            }
            places[screen.id] = place
        }
    }

    /// Refuses before anything is drawn what `Picture.joined` would refuse.
    /// - Throws: 409 when the screens are too far apart.
    func checkJoined() throws(Problem) {
        guard width * height <= PNG.maximumPixels else { throw Self.tooFarApart(width, height) }
    }

    fileprivate static func tooFarApart(_ width: Int, _ height: Int) -> Problem {
        Problem(
            .noPicture,
            "one picture of all screens would have \(width)x\(height) pixels, more than \(PNG.maximumPixels); capture "
                + "them separately, or move them closer together")
    }

    /// Whether the picture shows this screen.
    func contains(_ screen: Screen.ID) -> Bool { places[screen] != nil }

    subscript(screen: Screen.ID) -> Place { places[screen] ?? Place() }

    /// The transform that `Bitmap.turned(by:)` applies to positions in a picture of this size.
    private static func turn(_ quarterTurns: Int, _ size: Size) -> AffineTransform {
        switch quarterTurns {
        case 1: AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: size.height, ty: 0)
        case 2: AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: size.width, ty: size.height)
        case 3: AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: size.width)
        default: .identity
        }
    }

    private static func pixel(_ value: Double) -> Int {
        let limit = Double(Bitmap.maximumPosition)
        return Int(max(-limit, min(limit, value.rounded())))
    }
}

extension Screen.Orientation {
    /// The number of clockwise quarter turns that make the native framebuffer upright.
    var quarterTurns: Int {
        switch self {
        case .portrait: 0
        case .landscapeLeft: 1
        case .portraitUpsideDown: 2
        case .landscapeRight: 3
        }
    }
}

/// One screen's pixels and their place in a picture. Its methods run on the worker's thread.
struct Picture: Sendable {
    var screen: Screen.ID
    /// In native orientation.
    var bitmap: Bitmap
    var place: PictureLayout.Place

    /// Transformed as its place requires.
    var turned: Bitmap {
        let turned = bitmap.turned(by: place.quarterTurns)
        return place.isMirrored ? turned.mirrored() : turned
    }

    /// Joins the pictures at their places; a single one is returned alone.
    /// - Throws: 409 when they are too far apart: they were moved while they were drawn.
    static func joined(_ pictures: [Picture]) throws(Problem) -> Bitmap {
        if pictures.count == 1 { return pictures[0].turned }
        let parts = pictures.map { (bitmap: $0.turned, x: $0.place.x, y: $0.place.y) }
        guard let whole = Bitmap(joining: parts) else {
            throw PictureLayout.tooFarApart(
                parts.map { $0.x + $0.bitmap.width }.max() ?? 0, parts.map { $0.y + $0.bitmap.height }.max() ?? 0)
        }
        return whole
    }
}
