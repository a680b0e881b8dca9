// Fonts.

import CMullionPango

/// A font: family, size, weight and slant. Characters that the family lacks are taken from the other installed fonts.
public struct Font: Hashable, Sendable {
    /// The family of `system`. Where it is not installed, the system's sans serif font is used.
    public static let systemFamily = "DejaVu Sans"

    /// The heaviness of the strokes. The nearest that is installed is used.
    public enum Weight: Int, Hashable, Sendable {
        /// The lightest.
        case ultraLight = 100
        /// Very light.
        case thin = 200
        /// Light.
        case light = 300
        /// That of running text.
        case regular = 400
        /// A little heavier.
        case medium = 500
        /// Between regular and bold.
        case semibold = 600
        /// Bold.
        case bold = 700
        /// Heavier than bold.
        case heavy = 800
        /// The heaviest.
        case black = 900
    }

    /// The family's name, such as "DejaVu Sans"; or several with commas between, of which the first installed is used.
    public var family: String
    /// The size in points, at most 4096. With 0 or less, nothing is drawn.
    public var size: Double
    /// The heaviness of the strokes.
    public var weight: Weight
    /// Whether the letters are slanted.
    public var isItalic: Bool

    /// A font of that family.
    public init(_ family: String, size: Double, weight: Weight = .regular, isItalic: Bool = false) {
        self.family = family
        self.size = size
        self.weight = weight
        self.isItalic = isItalic
    }

    /// The font for user interfaces.
    public static func system(_ size: Double, weight: Weight = .regular) -> Font {
        Font(systemFamily, size: size, weight: weight)
    }

    /// The font for user interfaces, bold.
    public static func boldSystem(_ size: Double) -> Font { .system(size, weight: .bold) }

    /// The font for user interfaces, slanted.
    public static func italicSystem(_ size: Double) -> Font {
        Font(systemFamily, size: size, isItalic: true)
    }

    /// A font whose characters all have the same width.
    public static func monospacedSystem(_ size: Double, weight: Weight = .regular) -> Font {
        Font("DejaVu Sans Mono, monospace", size: size, weight: weight)
    }

    // MARK: Measures

    /// From the baseline to the top of the highest letters, in points.
    public var ascender: Double { metrics.ascent }
    /// From the baseline to the bottom of the lowest letters, in points: negative, like UIKit's.
    public var descender: Double { -metrics.descent }
    /// The distance of the baselines of two lines, in points.
    public var lineHeight: Double { metrics.ascent + metrics.descent }

    private var metrics: (ascent: Double, descent: Double) {
        unsafe PangoText.withDescription(of: self) { description in
            let context = unsafe PangoText.makeContext()
            let metrics = unsafe pango_context_get_metrics(context, description, nil)
            defer {
                unsafe pango_font_metrics_unref(metrics)
                unsafe g_object_unref(UnsafeMutableRawPointer(context))
            }
            return unsafe (
                PangoText.points(pango_font_metrics_get_ascent(metrics)),
                PangoText.points(pango_font_metrics_get_descent(metrics))
            )
        }
    }
}
