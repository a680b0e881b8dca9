// xdg_toplevel_drag_manager_v1 and xdg_toplevel_drag_v1

import MullionGeometry
import MullionWayland
import WindowModel

/// xdg_toplevel_drag_manager_v1: lets programs drag a window together with data, such as a tab that is torn off.
final class ToplevelDragManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgToplevelDragManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getXdgToplevelDrag(let id, let sourceID):
            let source = try connection.resource(sourceID, as: DataSourceResource.self)
            guard source.toplevelDrag == nil, source.use == nil else {
                throw ProtocolError(
                    object: self.id, code: XdgToplevelDragManagerV1.Error.invalidSource.rawValue,
                    message: "source \(sourceID) already has a toplevel drag, was dragged, or was the selection")
            }
            _ = try ToplevelDragResource(client, id: id, version: version, of: source)
        }
    }
}

/// xdg_toplevel_drag_v1: moves a window with a drag, to any screen. Nothing is dropped on the window, which stays where
/// the drag ends.
final class ToplevelDragResource: Resource {
    /// Nil once the drag has ended, or will never begin.
    private(set) weak var source: DataSourceResource?
    /// The attached window.
    private(set) weak var toplevel: ToplevelResource?
    /// From the origin of the window's frame to the drag.
    private(set) var offset = Point.zero
    /// Where the drag is; nil while none goes on.
    private var place: Drag.Place?

    init(_ client: Client, id: ObjectID, version: UInt32, of source: DataSourceResource?) throws(ProtocolError) {
        self.source = source
        try super.init(client, id: id, version: version)
        source?.toplevelDrag = self
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(XdgToplevelDragV1.Request.self, opcode, &reader) {
        case .destroy:
            guard source == nil else { throw error(.ongoingDrag, "the drag has not ended") }
            destroy()
        case .attach(let toplevel, let x, let y):
            let new = try connection.resource(toplevel, as: ToplevelResource.self)
            if let old = self.toplevel { throw error(.toplevelAttached, "toplevel \(old.id) is already attached") }
            // The drag may have ended before the client knew.
            guard source != nil else { return }
            attach(new, offset: Point(x: Self.bounded(x), y: Self.bounded(y)))
        }
    }

    override func willDestroy() { end() }

    /// W6: no window is farther away than a client of the extension can put one.
    private static func bounded(_ offset: Int32) -> Double {
        let bounds = ScreenDescription.coordinates
        return min(max(Double(offset), bounds.lowerBound), bounds.upperBound)
    }

    /// Attaches a window, which leaves any other drag.
    func attach(_ new: ToplevelResource, offset: Point) {
        new.extensions?.drag?.detach()
        new.ownExtensions.drag = self
        toplevel = new
        self.offset = offset
        follow()
    }

    /// Called when the window is unmapped or destroyed.
    func detach() {
        toplevel?.extensions?.drag = nil
        toplevel = nil
    }

    /// Called when the drag begins and moves.
    func move(to place: Drag.Place) {
        self.place = place
        follow()
    }

    /// Moves the window to where the drag is, unless it fills a screen.
    func follow() {
        guard let place, let toplevel, toplevel.hasOwnFrame,
            let point = toplevel.framePoint(place.point, on: place.screen)
        else { return }
        toplevel.move(to: point - offset, on: place.screen)
    }

    /// Called when the drag has ended, or will not begin.
    func end() {
        detach()
        place = nil
        source?.toplevelDrag = nil
        source = nil
    }

    private func error(_ code: XdgToplevelDragV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
