// Interactive moves and resizes of plain windows: what they change.

import MullionGeometry
import WindowModel

extension PlainWindow {
    /// An interactive resize, until the client has committed its final size.
    struct Resizing: Codable {
        var edges: ResizeEdges
        /// The configure that ended it; nil while it goes on.
        var end: UInt32?
    }

    /// The least and the greatest size; 0 means no limit.
    struct SizeLimits: Hashable, Codable {
        var least = Size.zero
        var most = Size.zero

        func clamp(_ size: Size) -> Size {
            func clamp(_ length: Double, _ least: Double, _ most: Double) -> Double {
                max(1, least, min(length.rounded(), most == 0 ? .infinity : most))
            }
            return Size(
                width: clamp(size.width, least.width, most.width),
                height: clamp(size.height, least.height, most.height))
        }
    }

    /// Ends interactive moves and resizes: the frame is decided otherwise from now on.
    func cancelFrameDrags() {
        resizing = nil
        for seat in server.seats { seat.frameDrag.cancel(self) }
    }

    /// R3: a point of a screen in the coordinates of its frames there; nil once the screen is unplugged.
    func framePoint(_ point: Point, on id: Screen.ID) -> Point? {
        guard let screen = server.model.screen(id) else { return nil }
        let isFixed = server.model.application(owner.application)?.rotationPolicy == .fixed
        return isFixed ? screen.convertToFixed(point) : point
    }

    /// - Parameter screen: another screen to move to, if the policy allows it.
    func move(to origin: Point, on screen: Screen.ID? = nil) {
        guard let window, let size = server.model.frame(of: window)?.size, allows(screen) else { return }
        let frame = Rect(origin: Point(x: origin.x.rounded(), y: origin.y.rounded()), size: size)
        normalFrame?.origin = frame.origin
        server.logErrors { () throws(ModelError) in
            if let screen { try server.model.move(window, to: screen) }
            try server.model.setFrame(frame, of: window)
        }
    }

    func beginResizing(_ edges: ResizeEdges) {
        guard let window, let frame = server.model.frame(of: window) else { return }
        resizing = Resizing(edges: edges)
        normalFrame = frame
        configure(evenIfEqual: true)
    }

    /// Asks the client for a size within its limits.
    func resize(to size: Size) {
        guard let window, let frame = server.model.frame(of: window) else { return }
        normalFrame = Rect(origin: frame.origin, size: (limits ?? SizeLimits()).clamp(size))
        configure(evenIfEqual: false)
    }

    func endResizing() {
        guard resizing != nil else { return }
        // A number until the configure has its own, so that it is sent without the state.
        resizing?.end = 0
        configure(evenIfEqual: true)
        resizing?.end = lastConfigure ?? 0
    }

    var isResizing: Bool { resizing.map { $0.end == nil } ?? false }

    /// The origin of a frame whose size the client changes from now on.
    func origin(of frame: Rect, resizedTo size: Size) -> Point {
        guard let resizing else { return frame.origin }
        // Serials count up and wrap around.
        if let end = resizing.end, let seen = acknowledgedConfigure, Int32(bitPattern: seen &- end) >= 0 {
            self.resizing = nil
        }
        return resizing.edges.origin(of: frame, resizedTo: size)
    }
}
