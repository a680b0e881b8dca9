// What has changed since somebody last looked: the input state, and the appearance of windows that are captured by
// themselves, which matters even where no screen shows it.

extension WindowModel {
    /// Whether the window's appearance is watched; a window that does not exist never is.
    public func isWatched(_ id: Window.ID) -> Bool { windowNodes[id]?.isWatched ?? false }

    /// Begins or ends to watch a window's appearance. Does nothing for a window that does not exist.
    public func setWatched(_ isWatched: Bool, _ id: Window.ID) { windowNodes[id]?.isWatched = isWatched }

    /// Whether `input` may have changed since the last call.
    public func takeInputChange() -> Bool {
        defer { inputDidChange = false }
        return inputDidChange
    }

    /// Whether windows that no screen shows have changed since the last call, other than in the pixels of their surfaces.
    public func takeHiddenChanges() -> Bool {
        defer { hiddenWindowsChanged = false }
        return hiddenWindowsChanged
    }

    /// The watched windows that have changed since the last call, other than in the pixels of their surfaces; some may no
    /// longer exist.
    public func takeChangedWindows() -> [Window.ID] {
        defer { changedWatchedWindows.removeAll(keepingCapacity: true) }
        return changedWatchedWindows.sorted()
    }
}
