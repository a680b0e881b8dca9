// Window levels.

import MullionWayland

/// A window's level: windows of a higher level cover those of a lower one (W2, W3).
///
/// Every value can be represented on the wire: a multiple of 1/256 within ±8,388,607. Other numbers are refused, never
/// rounded (W2).
public struct WindowLevel: RawRepresentable, Hashable, Comparable, Sendable {
    /// The level as a number.
    public let rawValue: Double

    /// Nil for NaN, infinities and other values that the wire cannot represent (W2).
    public init?(rawValue: Double) {
        guard abs(rawValue) <= 8_388_607, Fixed(exactly: rawValue) != nil else { return nil }
        self.rawValue = rawValue
    }

    /// The level with this number.
    /// - Throws: `WindowLevelError` for NaN, infinities and other values that the wire cannot represent (W2).
    public init(_ value: Double) throws(WindowLevelError) {
        guard let level = WindowLevel(rawValue: value) else { throw WindowLevelError(value: value) }
        self = level
    }

    /// A whole number, which the wire can always represent.
    private init(whole: Int32) { rawValue = Double(whole) }

    /// 0: ordinary windows.
    public static let normal = WindowLevel(whole: 0)
    /// 1000: the status bar.
    public static let statusBar = WindowLevel(whole: 1000)
    /// 2000: alerts.
    public static let alert = WindowLevel(whole: 2000)
    /// 10: text effects, such as the magnifying glass.
    public static let textEffects = WindowLevel(whole: 10)
    /// 2100: the on-screen keyboard, which is above alerts.
    public static let keyboard = WindowLevel(whole: 2100)

    /// Lower levels come first.
    public static func < (a: WindowLevel, b: WindowLevel) -> Bool { a.rawValue < b.rawValue }

    /// The level raised by a difference, as in `.alert + 1`. Ends the program when the sum is no level, as other
    /// arithmetic does when it overflows; `init(_:)` throws instead (W2).
    public static func + (level: WindowLevel, difference: Double) -> WindowLevel {
        do throws(WindowLevelError) {
            return try WindowLevel(level.rawValue + difference)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// The level lowered by a difference; see `+`.
    public static func - (level: WindowLevel, difference: Double) -> WindowLevel { level + -difference }
}

/// A number that is not a valid level (W2).
public struct WindowLevelError: Error, Sendable, CustomStringConvertible {
    /// The invalid number.
    public let value: Double

    /// Names the number and the rule.
    public var description: String {
        "W2 (levels): \(value) is not a level; use a multiple of 1/256 within ±8,388,607"
    }
}
