// WM_HINTS, WM_PROTOCOLS and _MOTIF_WM_HINTS.

/// How a window gets the keyboard (ICCCM 4.1.7).
public struct InputModel: Hashable, Sendable {
    /// The window manager gives it the keyboard.
    public var isGiven: Bool
    /// The program takes it when it is asked to: WM_TAKE_FOCUS.
    public var isTaken: Bool

    public init(isGiven: Bool, isTaken: Bool) {
        self.isGiven = isGiven
        self.isTaken = isTaken
    }

    public var acceptsFocus: Bool { isGiven || isTaken }
}

/// WM_HINTS, as far as the window manager needs it.
public struct WindowHints: Hashable, Sendable {
    /// Programs without the hint expect to get the keyboard.
    public var wantsInput = true
    public var startsIconic = false

    public init(_ property: XProperty? = nil) {
        guard let words = property?.words, words.count >= 3 else { return }
        if words[0] & 1 != 0 { wantsInput = words[1] != 0 }
        if words[0] & 2 != 0 { startsIconic = words[2] == 3 }
    }
}

/// _MOTIF_WM_HINTS: whether a window wants a title bar.
public enum MotifHints {
    public static func isDecorated(_ property: XProperty?) -> Bool {
        guard let words = property?.words, words.count >= 3, words[0] & 2 != 0 else { return true }
        let decorations = words[2]
        // Bit 0 inverts the others: they are then the decorations to leave out. Bit 3 is the title.
        return decorations & 1 != 0 ? decorations & 8 == 0 : decorations & 8 != 0
    }
}
