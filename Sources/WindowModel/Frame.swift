// A screen's contents at one moment: an immutable list of layers, back to front, ready to be drawn.

import MullionGeometry

/// A colour with components 0…1, not premultiplied.
public struct Color: Hashable, Sendable, Codable {
    public var red: Double
    public var green: Double
    public var blue: Double
    public var alpha: Double

    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    public static let black = Color(red: 0, green: 0, blue: 0)
}

/// One drawn element: a window's background colour or a surface's content.
public struct Layer: Equatable, Sendable {
    /// What fills the layer's rectangle.
    public enum Content: Equatable, Sendable {
        /// A window's background colour (C2).
        case color(Color)
        /// This surface's pixels; the renderer gets them from the server.
        case surface(Surface.ID)
    }

    /// The layer's rectangle is (0, 0, size) in its own points.
    public var size: Size
    /// From the layer's points to the screen's native pixels.
    public var toPixels: AffineTransform
    /// The window's alpha, 0…1. All layers of a window share one; they fade as a group.
    public var alpha: Double
    /// The window's frame in the layer's own points, when the window clips (C3); nil: no clipping.
    public var clip: Rect?
    public var content: Content
    /// Nil for a surface dragged over the windows.
    public var window: Window.ID?

    public init(
        window: Window.ID?, content: Content, size: Size, toPixels: AffineTransform, clip: Rect?, alpha: Double
    ) {
        self.window = window
        self.content = content
        self.size = size
        self.toPixels = toPixels
        self.clip = clip
        self.alpha = alpha
    }
}

/// Everything that a screen, or a window by itself, shows, back to front (W3, C1). On a screen, areas without a layer and
/// outside the visible area are black.
public struct Frame: Equatable, Sendable {
    /// Nil for a picture that is not a screen's.
    public var screen: Screen.ID?
    /// Of a screen: native pixels, never rotated (S4).
    public var pixelWidth: Int
    public var pixelHeight: Int
    /// In whole native pixels: the part that overscan leaves visible (S5), or the position of a mirrored picture (S7).
    public var visibleArea: Rect
    public var layers: [Layer]

    /// - Parameter visibleArea: nil for the whole framebuffer.
    public init(screen: Screen.ID?, pixelWidth: Int, pixelHeight: Int, visibleArea: Rect? = nil, layers: [Layer]) {
        self.visibleArea =
            visibleArea ?? Rect(x: 0, y: 0, width: Double(pixelWidth), height: Double(pixelHeight))
        self.screen = screen
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.layers = layers
    }
}
