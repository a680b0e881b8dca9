// Numbers by which an X server names its objects.

/// A window of an X server, or another of its resources.
public struct XWindowID: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No window.
    public static let none = XWindowID(rawValue: 0)
}

/// A name that an X server has replaced by a number.
public struct XAtom: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let none = XAtom(rawValue: 0)
    public static let primary = XAtom(rawValue: 1)
    public static let atom = XAtom(rawValue: 4)
    public static let cardinal = XAtom(rawValue: 6)
    public static let integer = XAtom(rawValue: 19)
    public static let pixmap = XAtom(rawValue: 20)
    public static let string = XAtom(rawValue: 31)
    public static let window = XAtom(rawValue: 33)
    public static let wmHints = XAtom(rawValue: 35)
    public static let wmName = XAtom(rawValue: 39)
    public static let wmNormalHints = XAtom(rawValue: 40)
    public static let wmClass = XAtom(rawValue: 67)
    public static let wmTransientFor = XAtom(rawValue: 68)
}

/// A time of the X server, in milliseconds; it wraps around.
public typealias XTime = UInt32
