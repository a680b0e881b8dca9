// What the pointer and touches do on title bars.

import MullionGeometry
import WindowModel

/// The presses of a seat on title bars. One on the close button that is released there asks the client to close the
/// window; any other moves the window. The model has already made it key and brought it to the front (K7).
final class TitleBarInput {
    /// evdev's code of the left button.
    private static let leftButton: UInt32 = 0x110

    private unowned let seat: ServerSeat
    /// The close buttons that are held down.
    private var closing: [(means: Drag.Means, button: Surface.ID)] = []

    init(_ seat: ServerSeat) { self.seat = seat }

    /// Whether an event is for a title bar.
    func takes(_ event: Event) -> Bool { event.surface.map { seat.server.titleBars[$0] != nil } ?? false }

    func deliver(_ event: Event) {
        guard let surface = event.surface, let bar = seat.server.titleBars[surface] else { return }
        switch (event.detail, event.phase) {
        case (.button(Self.leftButton), .began), (.touch, .began):
            drop(event.dragMeans)
            if bar.isCloseButton(surface) {
                closing.append((event.dragMeans, surface))
            } else {
                seat.frameDrag.start(bar.toplevel, with: event)
            }
        case (.button(Self.leftButton), .ended), (.touch, .ended):
            guard drop(event.dragMeans) == surface, seat.server.model.surface(surface)?.contains(event.location) == true
            else { return }
            bar.toplevel.requestClose()
        case (.button, .cancelled), (.touch, .cancelled): drop(event.dragMeans)
        default: break
        }
    }

    /// - Returns: the close button that was held by these means.
    @discardableResult
    private func drop(_ means: Drag.Means) -> Surface.ID? {
        closing.firstIndex { $0.means == means }.map { closing.remove(at: $0).button }
    }
}

extension Surface {
    /// Whether a point, in its own points, is on its content.
    fileprivate func contains(_ point: Point) -> Bool {
        size.map { Rect(origin: .zero, size: $0).contains(point) } ?? false
    }
}
