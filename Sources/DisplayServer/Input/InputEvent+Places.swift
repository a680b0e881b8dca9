// Events in a window's coordinates.

import MullionGeometry
import WindowModel

extension InputEvent {
    /// Returns the event with its points converted to the coordinates of a screen. Distances, such as those of scrolling,
    /// are left as they are.
    func located(
        on id: Screen.ID, _ convert: (Point) throws(ModelError) -> Point
    ) throws(ModelError) -> InputEvent {
        let screen = ScreenReference("\(id)")
        func place(_ old: Place) throws(ModelError) -> Place { Place(screen: screen, point: try point(old.point)) }
        func point(_ old: Point?) throws(ModelError) -> Point? {
            guard let old else { return nil }
            return try convert(old)
        }
        switch self {
        case .touch(let id, let phase, let old, let measures):
            return .touch(id: id, phase: phase, try place(old), measures)
        case .touches(var fingers, screen: _):
            for index in fingers.indices { fingers[index].point = try point(fingers[index].point) }
            return .touches(fingers, screen: screen)
        case .tap(let id, let old, let measures): return .tap(id: id, try place(old), measures)
        case .hover(let old, let delta): return .hover(try place(old), delta: delta)
        case .pencil(let id, let phase, let old, let measures):
            return .pencil(id: id, phase: phase, try place(old), measures)
        case .click(let button, let old, let count): return .click(button: button, try place(old), count: count)
        case .drag(var drag):
            (drag.screen, drag.from, drag.to) = (screen, try convert(drag.from), try convert(drag.to))
            return .drag(drag)
        case .scroll(let scroll, let phase, let old): return .scroll(scroll, phase, try place(old))
        case .gesture(var gesture):
            // A complete swipe ends at a point too.
            let end = try point(gesture.place.point.map { $0 + gesture.delta })
            gesture.place = try place(gesture.place)
            if gesture.form == .swipe, gesture.phase == nil, let start = gesture.place.point, let end {
                gesture.delta = end - start
            }
            return .gesture(gesture)
        case .button, .shake, .remote, .key, .code, .text: return self
        }
    }
}
