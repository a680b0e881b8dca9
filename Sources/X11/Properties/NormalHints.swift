// WM_NORMAL_HINTS: sizes and positions that a program prefers.

/// The hints of a window about its geometry (ICCCM 4.1.2.3).
public struct NormalHints: Hashable, Sendable {
    /// The user or the program has chosen the position.
    public var isPositionUsers = false
    public var isPositionPrograms = false
    /// Zero: no limit.
    public var minimum = Limit()
    public var maximum = Limit()

    /// A width and a height in pixels; zero: none.
    public struct Limit: Hashable, Sendable {
        public var width = 0
        public var height = 0

        public init(width: Int = 0, height: Int = 0) {
            self.width = width
            self.height = height
        }
    }

    public init() {}

    /// Nonsense is ignored. A program without hints has said with the window's position where it belongs.
    public init(_ property: XProperty?) {
        guard let words = property?.words, let flags = words.first else {
            isPositionPrograms = true
            return
        }
        func limit(_ index: Int) -> Limit {
            guard words.count > index + 1 else { return Limit() }
            let values = [words[index], words[index + 1]].map { min(max(0, Int(Int32(bitPattern: $0))), 32767) }
            return Limit(width: values[0], height: values[1])
        }
        isPositionUsers = flags & 1 != 0
        isPositionPrograms = flags & 4 != 0
        // The size without what is resized in steps is a minimum where a program names no other.
        if flags & 16 != 0 { minimum = limit(5) } else if flags & 256 != 0 { minimum = limit(15) }
        if flags & 32 != 0 { maximum = limit(7) }
        if maximum.width > 0, maximum.width < minimum.width { maximum.width = 0 }
        if maximum.height > 0, maximum.height < minimum.height { maximum.height = 0 }
    }

    /// Whether a window is to appear at its own position. Toolkits without a preference leave it at the origin.
    public func wantsPosition(_ frame: XFrame) -> Bool {
        isPositionUsers || (isPositionPrograms && (frame.x, frame.y) != (0, 0))
    }
}
