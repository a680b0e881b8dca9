// Numbers of frames, by which those who look at pictures recognise changes.

/// One counter of changes of pictures, so that numbers of screens and of windows can be compared.
struct FrameNumbers {
    /// The number of turns that may have changed what a connected screen shows, or a window's own picture.
    private(set) var latest: UInt64
    /// The last of these that may have changed what a connected screen shows: its properties, its layers or their
    /// pixels.
    private(set) var ofScreens: UInt64
    /// Whether this turn may have changed what a screen shows.
    var screensChanged = false
    /// Whether this turn may have changed the picture of a window that no screen shows.
    var hiddenWindowsChanged = false

    init(latest: UInt64 = 0) { (self.latest, ofScreens) = (latest, latest) }

    /// Numbers the changes of this turn.
    mutating func endTurn() {
        guard screensChanged || hiddenWindowsChanged else { return }
        latest += 1
        if screensChanged { ofScreens = latest }
        (screensChanged, hiddenWindowsChanged) = (false, false)
    }
}

extension DisplayServer {
    /// The number of the last change of what a connected screen shows: its properties, its layers or their pixels. While
    /// the number is the same, so are the pictures. Invisible changes, such as of titles or the key window, do not count.
    public var frameNumber: UInt64 { frames.ofScreens }

    /// The number of the last change of a window's own picture, which includes those that no screen shows. It is never
    /// less than `frameNumber`, and later changes of either have greater numbers than both.
    public var windowFrameNumber: UInt64 { frames.latest }
}
