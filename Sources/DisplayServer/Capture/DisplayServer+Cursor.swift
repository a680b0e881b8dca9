// The cursor in pictures.

extension DisplayServer {
    /// The cursor moved or looks different: pictures that show it change.
    func cursorDidChange() {
        pictureChanged = true
        captures.cursorDidChange()
    }
}
