// Cursors in captures.

import WindowModel

extension DisplayServer {
    /// Called when a cursor moved or changed, which changes the captures that show it.
    func cursorDidChange() {
        pictureChanged = true
        captures.cursorDidChange()
    }

    /// The layers of the seats' cursors on a screen, back to front.
    func cursorLayers(on screen: Screen.ID) -> [Layer] { seats.flatMap { $0.pointer.cursor.layers(on: screen) } }
}
