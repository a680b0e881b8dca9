// Shows cursors at the pointer of a seat.

import MullionGeometry
import MullionWayland

/// The surfaces of the cursors that a seat has shown: one for each, reused.
@MainActor final class CursorDisplay {
    private struct Image {
        weak var cursor: Cursor?
        let picture: Picture
        var scale: Double
    }

    private unowned let application: Application
    private var images: [Image] = []
    private weak var shown: Cursor?
    private var shownScale = 0.0
    /// The entry of the pointer for which it is shown.
    private var shownSerial: UInt32?

    init(_ application: Application) { self.application = application }

    /// Shows a cursor, drawn for a scale; nil: the server's own.
    /// - Parameter serial: of the pointer's last entry.
    func show(_ wish: Cursor?, scale: Double, at pointer: Proxy<WlPointer>, serial: UInt32) {
        forgetUnused()
        // The server shows its own until it is asked for another, and does not return to it by itself.
        guard let cursor = wish ?? (shownSerial == nil ? nil : .arrow) else { return }
        guard cursor !== shown || scale != shownScale || serial != shownSerial else { return }
        (shown, shownScale, shownSerial) = (cursor, scale, serial)
        guard cursor !== Cursor.hidden else {
            return pointer.send(.setCursor(serial: serial, surface: nil, hotspotX: 0, hotspotY: 0))
        }
        guard let picture = picture(of: cursor, scale) else { return }
        pointer.send(
            .setCursor(
                serial: serial, surface: picture.surface.id, hotspotX: Int32(cursor.hotSpot.x),
                hotspotY: Int32(cursor.hotSpot.y)))
        if picture.needsCommit { picture.commit() }
    }

    /// Destroys all surfaces.
    func release() {
        for image in images { image.picture.destroy() }
        images = []
        shown = nil
    }

    private func forgetUnused() {
        for image in images where image.cursor == nil { image.picture.destroy() }
        images.removeAll { $0.cursor == nil }
    }

    /// Nil when it cannot be drawn.
    private func picture(of cursor: Cursor, _ scale: Double) -> Picture? {
        let index = images.firstIndex { $0.cursor === cursor }
        if let index, images[index].scale == scale { return images[index].picture }
        let picture = index.map { images[$0].picture } ?? Picture(application)
        let width = Int((cursor.size.width * scale).rounded(.up))
        let height = Int((cursor.size.height * scale).rounded(.up))
        guard let buffer = try? picture.takeBuffer(width: width, height: height) else {
            if index == nil { picture.destroy() }
            return nil
        }
        let bounds = Rect(origin: .zero, size: cursor.size)
        buffer.clear()
        cursor.draw(buffer.pixels(scale: scale, bounds: bounds, dirtyRect: bounds))
        picture.show(buffer, size: cursor.size, damage: (0..<width, 0..<height))
        if let index {
            images[index].scale = scale
        } else {
            images.append(Image(cursor: cursor, picture: picture, scale: scale))
        }
        return picture
    }
}
