// Converts colours with components 0…1 to premultiplied pixels.

import CMullionPixman
import WindowModel

/// A component 0…1 as 0…255, rounded to the nearest, half up (0.5 is 128); NaN is 0.
func byte(_ component: Double) -> UInt8 {
    guard component > 0 else { return 0 }
    return UInt8(min(255, (component * 255 + 0.5).rounded(.down)))
}

/// The same, up to 1, for intermediate products.
private func clamp(_ component: Double) -> Double {
    component > 0 ? min(1, component) : 0
}

/// The product of two factors of which 255 means 1, rounded to the nearest.
func product(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Int(a) * Int(b) + 127) / 255) }

extension Color {
    /// The premultiplied colour, faded by `opacity`: each component × alpha × opacity is rounded once to 8 bits, half
    /// up.
    func pixmanColor(opacity: Double = 1) -> pixman_color_t {
        let a = clamp(alpha) * clamp(opacity)
        func widen(_ component: Double) -> UInt16 { UInt16(byte(component)) * 257 }
        return pixman_color_t(
            red: widen(clamp(red) * a), green: widen(clamp(green) * a), blue: widen(clamp(blue) * a),
            alpha: widen(a))
    }
}

extension pixman_color_t {
    static var black: pixman_color_t { pixman_color_t(red: 0, green: 0, blue: 0, alpha: 0xffff) }

    /// A colour with only an opacity, for masks.
    init(opacity: UInt8) {
        self.init(red: 0, green: 0, blue: 0, alpha: UInt16(opacity) * 257)
    }
}
