// How a picture is fitted into a rectangle.

import MullionClient

/// How an image is fitted into a rectangle of another size, like UIKit's content mode.
public enum ContentMode: Hashable, Sendable {
    /// Stretched to the rectangle.
    case scaleToFill
    /// As large as fits, with its own proportions, in the middle.
    case scaleAspectFit
    /// As small as covers the rectangle, with its own proportions, in the middle; what is outside is not drawn.
    case scaleAspectFill
    /// With its own size, in the middle; what is outside is not drawn.
    case center

    /// Where something of that size comes to lie, in points.
    public func frame(of size: Size, in rect: Rect) -> Rect {
        guard size.width > 0, size.height > 0 else { return Rect(origin: rect.center, size: .zero) }
        let (across, down) = (rect.width / size.width, rect.height / size.height)
        let factor: Double
        switch self {
        case .scaleToFill: return rect
        case .scaleAspectFit: factor = min(across, down)
        case .scaleAspectFill: factor = max(across, down)
        case .center: factor = 1
        }
        let (width, height) = (size.width * factor, size.height * factor)
        return Rect(x: rect.center.x - width / 2, y: rect.center.y - height / 2, width: width, height: height)
    }
}
