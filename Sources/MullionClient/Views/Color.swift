// Colours.

/// A colour with its opacity, not premultiplied.
public struct Color: Hashable, Sendable {
    /// 0xAARRGGBB, not premultiplied.
    public var argb: UInt32

    /// A colour from 0xAARRGGBB, not premultiplied.
    public init(argb: UInt32) { self.argb = argb }

    /// A colour from components between 0 and 1; values outside are clamped, NaN is 0.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        argb =
            Self.byte(alpha) << 24 | Self.byte(red) << 16 | Self.byte(green) << 8 | Self.byte(blue)
    }

    /// Opaque black.
    public static let black = Color(argb: 0xff00_0000)
    /// Opaque white.
    public static let white = Color(argb: 0xffff_ffff)
    /// Fully transparent.
    public static let clear = Color(argb: 0)

    /// 0…1.
    public var red: Double { component(16) }
    /// 0…1.
    public var green: Double { component(8) }
    /// 0…1.
    public var blue: Double { component(0) }
    /// 0…1; 1 is opaque.
    public var alpha: Double { component(24) }

    /// 0xAARRGGBB with the colours multiplied by the opacity, as in wl_shm's argb8888.
    public var premultiplied: UInt32 {
        let opacity = argb >> 24
        func scaled(_ shift: UInt32) -> UInt32 { (((argb >> shift & 0xff) * opacity + 127) / 255) << shift }
        return opacity << 24 | scaled(16) | scaled(8) | scaled(0)
    }

    private func component(_ shift: UInt32) -> Double { Double(argb >> shift & 0xff) / 255 }

    private static func byte(_ value: Double) -> UInt32 {
        value.isNaN ? 0 : UInt32((min(max(value, 0), 1) * 255).rounded())
    }
}
