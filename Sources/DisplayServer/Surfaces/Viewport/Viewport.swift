// The visible part of a surface's content, and its size.

import MullionGeometry
import MullionWayland
import WindowModel

/// wp_viewport: which part of the content is shown, and at which size.
struct Viewport: DefaultValued {
    static var defaultValue: Viewport { Viewport() }

    /// In the points the surface would have without a viewport; not negative, and not empty.
    struct Source: Hashable, Codable {
        var x: Fixed
        var y: Fixed
        var width: Fixed
        var height: Fixed

        var rect: Rect { Rect(x: x.double, y: y.double, width: width.double, height: height.double) }
        var isWhole: Bool { (width.rawValue | height.rawValue) & 0xff == 0 }
    }

    /// In points, at least 1.
    struct Destination: Hashable, Codable {
        var width: Int32
        var height: Int32
    }

    /// Nil: all of the content.
    var source: Source?
    /// Nil: the size of the source.
    var destination: Destination?

    /// Without a destination the source's size is the surface's, which must be integral.
    var hasWholeSize: Bool { destination != nil || source?.isWhole ?? true }
}
