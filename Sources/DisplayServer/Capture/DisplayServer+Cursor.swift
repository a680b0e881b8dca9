// The cursors in pictures.

import WindowModel

extension DisplayServer {
    /// A cursor moved or looks different: pictures that show it change.
    func cursorDidChange() {
        pictureChanged = true
        captures.cursorDidChange()
    }

    /// What the seats' cursors add to a screen's picture, back to front.
    func cursorLayers(on screen: Screen.ID) -> [Layer] { seats.flatMap { $0.pointer.cursor.layers(on: screen) } }
}
