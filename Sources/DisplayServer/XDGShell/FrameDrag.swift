// Interactive moves and resizes: a pressed button or a finger drags the frame of a toplevel.

import MullionGeometry
import MullionWayland
import WindowModel

/// The current interactive move or resize of a seat, if any. The client that asked for it no longer receives the press:
/// its events only change the frame, until the finger or the last button is released.
final class FrameDrag {
    private struct Current {
        // The model destroys windows first, which ends the drag.
        unowned let toplevel: PlainWindow
        let means: Drag.Means
        /// Nil for a move.
        let edges: ResizeEdges?
        let screen: Screen.ID
        /// Where it began, in the coordinates of the frame.
        let start: Point
        /// The frame when it began.
        let frame: Rect
    }

    private unowned let seat: ServerSeat
    private var current: Current? {
        didSet { if current != nil { seat.grabs.push(.frame(self)) } else { seat.grabs.remove(.frame(self)) } }
    }

    init(_ seat: ServerSeat) { self.seat = seat }

    /// Begins with the press of that serial. Does nothing if the client holds no such press, if another drag is in
    /// progress, or if the window fills a screen.
    func start(_ toplevel: PlainWindow, edges: ResizeEdges?, serial: UInt32) {
        guard let (means, grab) = seat.grabs.implicit.press(serial, of: toplevel.owner) else { return }
        start(toplevel, edges: edges, means, at: grab.point, on: grab.screen)
    }

    /// Begins with the press that the client of the window holds, under the same conditions.
    func start(_ toplevel: PlainWindow, edges: ResizeEdges?) {
        guard let (means, grab) = seat.grabs.implicit.press(of: toplevel.owner) else { return }
        start(toplevel, edges: edges, means, at: grab.point, on: grab.screen)
    }

    /// Begins to move the window with a press on its title bar, under the same conditions.
    func start(_ toplevel: PlainWindow, with press: Event) {
        start(toplevel, edges: nil, press.dragMeans, at: press.screenLocation, on: press.screen)
    }

    private func start(
        _ toplevel: PlainWindow, edges: ResizeEdges?, _ means: Drag.Means, at point: Point, on screen: Screen.ID?
    ) {
        let model = seat.server.model
        guard current == nil, !seat.dragAndDrop.isActive, toplevel.hasOwnFrame, let window = toplevel.window,
            let frame = model.frame(of: window), let screen, screen == model.screen(of: window),
            let start = toplevel.framePoint(point, on: screen)
        else { return }
        seat.grabs.implicit.take(means)
        current = Current(
            toplevel: toplevel, means: means, edges: edges, screen: screen, start: start, frame: frame)
        if let edges { toplevel.beginResizing(edges) }
    }

    /// Whether an event moves or ends the drag.
    func takes(_ event: Event) -> Bool { event.kind == .touches && current?.means == event.dragMeans }

    /// Handles an event of the press that the drag began with. `isLast`: nothing is pressed any more.
    func deliver(_ event: Event, isLast: Bool) {
        guard let current, current.means == event.dragMeans else { return }
        switch (event.detail, event.phase) {
        case (.pointer, _), (.touch, .moved), (.touch, .stationary): follow(current, event)
        case (.button, .ended), (.touch, .ended):
            guard isLast else { return }
            follow(current, event)
            drop(current, event)
            end(current)
        case (.button, .cancelled), (.touch, .cancelled): end(current)
        case (.button, _), (.touch, .began), (.key, _), (.shake, _), (.scroll, _), (.transform, _),
            (.remoteControl, _):
            break
        }
    }

    /// Ends the drag of a toplevel whose frame was set in another way, or that is no longer shown.
    func cancel(_ toplevel: PlainWindow) {
        if current?.toplevel === toplevel { current = nil }
    }

    private func end(_ drag: Current) {
        current = nil
        if drag.edges != nil { drag.toplevel.endResizing() }
    }

    private func follow(_ drag: Current, _ event: Event) {
        guard event.screen == drag.screen,
            let point = drag.toplevel.framePoint(event.screenLocation, on: drag.screen)
        else { return }
        let delta = point - drag.start
        if let edges = drag.edges {
            drag.toplevel.resize(to: edges.size(drag.frame.size, draggedBy: delta))
        } else {
            drag.toplevel.move(to: drag.frame.origin + delta)
        }
    }

    /// A window that is moved to where another screen is moves there when it is released. Until then it stays on its
    /// own, since moving it would cancel the press (E2).
    private func drop(_ drag: Current, _ event: Event) {
        guard drag.edges == nil, let screen = event.screen, screen != drag.screen,
            let point = drag.toplevel.framePoint(event.screenLocation, on: screen)
        else { return }
        drag.toplevel.move(to: point - (drag.start - drag.frame.origin), on: screen)
    }
}

/// The edges that a resize drags.
struct ResizeEdges: OptionSet, Codable {
    let rawValue: UInt32
    static let top = ResizeEdges(rawValue: 1)
    static let bottom = ResizeEdges(rawValue: 2)
    static let left = ResizeEdges(rawValue: 4)
    static let right = ResizeEdges(rawValue: 8)

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nil for a value that the protocol does not have: opposite edges at once.
    init?(_ edge: XdgToplevel.ResizeEdge) {
        self.init(rawValue: edge.rawValue)
        let all: ResizeEdges = [.top, .bottom, .left, .right]
        guard isSubset(of: all), !isSuperset(of: [.top, .bottom]), !isSuperset(of: [.left, .right]) else { return nil }
    }

    /// The size of a frame whose edges were dragged by that much.
    func size(_ size: Size, draggedBy delta: Point) -> Size {
        let width = contains(.left) ? -delta.x : contains(.right) ? delta.x : 0
        let height = contains(.top) ? -delta.y : contains(.bottom) ? delta.y : 0
        return Size(width: size.width + width, height: size.height + height)
    }

    /// The origin with which a frame gets another size and the edges that are not dragged stay where they are.
    func origin(of frame: Rect, resizedTo size: Size) -> Point {
        Point(
            x: contains(.left) ? frame.maxX - size.width : frame.minX,
            y: contains(.top) ? frame.maxY - size.height : frame.minY)
    }
}
