// How a buffer is mapped to its surface: transform, scale, crop and stretch.

import Compositor
import MullionGeometry
import WindowModel

/// The buffer state set by a surface's commits, in order of application: transform, scale, viewport, opacity.
struct BufferLayout: Equatable, Codable {
    @BoxedUnlessDefault var viewport: Viewport
    /// Buffer pixels per point, at least 1.
    var scale: Int32 = 1
    /// The factor of the pixels' alpha; the largest number means 1.
    var opacity = UInt32.max
    var transform = BufferTransform.normal

    /// The size of the whole buffer in points, before the viewport.
    func wholeSize(of buffer: BufferResource) -> Size {
        let width = Double(buffer.width) / Double(scale)
        let height = Double(buffer.height) / Double(scale)
        return transform.swapsAxes ? Size(width: height, height: width) : Size(width: width, height: height)
    }

    /// The surface's size in points: the viewport's destination, else its source, else the whole buffer.
    func size(of buffer: BufferResource) -> Size {
        if let destination = viewport.destination {
            return Size(width: Double(destination.width), height: Double(destination.height))
        }
        return viewport.source?.rect.size ?? wholeSize(of: buffer)
    }
}
