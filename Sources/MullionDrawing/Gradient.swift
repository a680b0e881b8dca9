// Colours that change from one place to another.

import CMullionCairo
import MullionClient

/// Colours that change along a line or from the centre of a circle outwards. Before the first and after the last place
/// the first and the last colour continue.
public struct Gradient: Hashable, Sendable {
    /// A colour at a place of the gradient.
    public struct Stop: Hashable, Sendable {
        /// The place: 0 is the beginning, 1 the end.
        public var location: Double
        /// The colour there.
        public var color: Color

        /// A colour at a place between 0 and 1.
        public init(_ color: Color, at location: Double) {
            self.color = color
            self.location = location
        }
    }

    private enum Shape: Hashable, Sendable {
        case linear(from: Point, to: Point)
        case radial(center: Point, radius: Double)
    }

    /// The colours, each with its place.
    public var stops: [Stop]
    private var shape: Shape

    /// Changes along a straight line.
    public static func linear(_ stops: [Stop], from: Point, to: Point) -> Gradient {
        Gradient(stops: stops, shape: .linear(from: from, to: to))
    }

    /// Changes along a straight line, with the colours at equal distances.
    public static func linear(_ colors: [Color], from: Point, to: Point) -> Gradient {
        linear(evenly(colors), from: from, to: to)
    }

    /// Changes from the centre of a circle to its edge.
    public static func radial(_ stops: [Stop], center: Point, radius: Double) -> Gradient {
        Gradient(stops: stops, shape: .radial(center: center, radius: radius))
    }

    /// Changes from the centre of a circle to its edge, with the colours at equal distances.
    public static func radial(_ colors: [Color], center: Point, radius: Double) -> Gradient {
        radial(evenly(colors), center: center, radius: radius)
    }

    private static func evenly(_ colors: [Color]) -> [Stop] {
        let last = Double(max(1, colors.count - 1))
        return colors.enumerated().map { Stop($1, at: Double($0) / last) }
    }

    /// Makes it the source of a cairo context; false when nothing can be drawn with it.
    @unsafe func use(in context: OpaquePointer?) -> Bool {
        let pattern: OpaquePointer?
        switch shape {
        case .linear(let from, let to):
            guard from.isFinite, to.isFinite else { return false }
            unsafe pattern = cairo_pattern_create_linear(from.x, from.y, to.x, to.y)
        case .radial(let center, let radius):
            guard center.isFinite, radius.isFinite, radius > 0 else { return false }
            unsafe pattern = cairo_pattern_create_radial(center.x, center.y, 0, center.x, center.y, radius)
        }
        for stop in stops where !stop.location.isNaN {
            let color = stop.color
            unsafe cairo_pattern_add_color_stop_rgba(
                pattern, min(max(stop.location, 0), 1), color.red, color.green, color.blue, color.alpha)
        }
        unsafe cairo_set_source(context, pattern)
        unsafe cairo_pattern_destroy(pattern)
        return true
    }
}
