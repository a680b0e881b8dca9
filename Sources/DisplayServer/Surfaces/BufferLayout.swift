// How a buffer becomes a surface: turned, scaled, cropped and stretched.

import Compositor
import Geometry
import Wayland
import WindowModel

/// What a surface's commits said of its buffers, in the order in which it applies: transform, scale, viewport.
struct BufferLayout: Equatable, Codable {
    var transform = BufferTransform.normal
    /// Buffer pixels per point, at least 1.
    var scale: Int32 = 1
    var viewport = Viewport()

    /// The whole buffer in points, before the viewport.
    func wholeSize(of buffer: BufferResource) -> Size {
        let width = Double(buffer.width) / Double(scale)
        let height = Double(buffer.height) / Double(scale)
        return transform.swapsAxes ? Size(width: height, height: width) : Size(width: width, height: height)
    }

    /// The surface in points: the viewport's destination, else its source, else the whole buffer.
    func size(of buffer: BufferResource) -> Size {
        if let destination = viewport.destination {
            return Size(width: Double(destination.width), height: Double(destination.height))
        }
        return viewport.source?.rect.size ?? wholeSize(of: buffer)
    }
}

/// wp_viewport: which part of the content shows, and how large.
struct Viewport: Equatable, Codable {
    /// In the points that the surface would have without a viewport; not negative, and not empty.
    struct Source: Equatable, Codable {
        var x: Fixed
        var y: Fixed
        var width: Fixed
        var height: Fixed

        var rect: Rect { Rect(x: x.double, y: y.double, width: width.double, height: height.double) }
        var isWhole: Bool { (width.rawValue | height.rawValue) & 0xff == 0 }
    }

    /// In points, at least 1.
    struct Destination: Equatable, Codable {
        var width: Int32
        var height: Int32
    }

    /// Nil: all of the content.
    var source: Source?
    /// Nil: the size of the source.
    var destination: Destination?

    /// Without a destination the source's size is the surface's, which is whole.
    var hasWholeSize: Bool { destination != nil || source?.isWhole ?? true }
}
