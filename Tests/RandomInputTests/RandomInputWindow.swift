// The windows of random input, as the reference knows them.

import MullionGeometry
import MullionWayland
import TestSupport
import WindowModel

/// A surface that can be hit.
final class RandomFace {
    unowned let window: RandomWindow
    let surface: ObjectID
    /// In points of the window; of a root surface its size.
    let area: Rect
    /// H2: in its points; nil for all of it.
    var inputRegion: Rect?
    var isAlive = true

    init(_ window: RandomWindow, _ surface: ObjectID, _ area: Rect) {
        (self.window, self.surface, self.area) = (window, surface, area)
    }
}

/// A window of either kind, with at most one sub-surface or one pop-up.
final class RandomWindow {
    enum Kind {
        case window(TestWindow)
        case toplevel(TestToplevel)
    }

    let kind: Kind
    let client: Int
    var id = Window.ID(rawValue: 0)
    var subsurface: (object: TestSubsurface, face: RandomFace)?
    var popup: (object: TestPopup, face: RandomFace)?

    init(_ kind: Kind, of client: Int) {
        (self.kind, self.client) = (kind, client)
    }

    private(set) lazy var root = RandomFace(self, surface.id, Rect(x: 0, y: 0, width: 120, height: 90))

    var name: String {
        switch kind {
        case .window(let window): window.name
        case .toplevel(let toplevel): toplevel.name
        }
    }

    var surface: Proxy<WlSurface> {
        switch kind {
        case .window(let window): window.surface
        case .toplevel(let toplevel): toplevel.surface
        }
    }
}
