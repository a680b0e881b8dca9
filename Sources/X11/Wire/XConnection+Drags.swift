// Requests about the window that X11 programs drag to in the place of others.

extension XConnection {
    /// Puts a window in front of all others, over everything that the root window can show, and maps it. It has to be one
    /// of `createHelperWindow`: those take input only and draw nothing.
    public func cover(with window: XWindowID) {
        let most = UInt32(Int16.max)
        send(12) {
            $0.put(window)
            // Position, size, and in front.
            $0.put(UInt16(0x4f))
            $0.put(UInt16(0))
            for value in [0, 0, most, most, 0] { $0.put(value) }
        }
        map(window)
    }
}
