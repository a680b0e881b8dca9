// One drag-and-drop operation.

import MullionGeometry
import MullionWayland
import WindowModel

/// A drag, from start_drag until the finger or the last button is released; the negotiation then decides about the
/// data.
final class Drag {
    /// The dragging device.
    enum Means: Equatable {
        case pointer, touch(Int32)

        var touch: Int32? { if case .touch(let id) = self { id } else { nil } }
    }
    /// A point of a screen, in its points.
    typealias Place = (screen: Screen.ID, point: Point)

    let means: Means
    let source: DataSourceResource?
    /// The client that began it. Without a source, the drag concerns only its own surfaces.
    let client: Client
    private unowned let server: DisplayServer
    private unowned let seat: ServerSeat
    private let icon: DragIconRole?
    /// Whose surfaces are not targets, because it drags over them by itself.
    private weak var excluded: Client?
    private var place: Place
    private var target: Target?
    /// The action requested by held modifier keys.
    var forced: DragActions {
        didSet { target?.negotiation?.forced = forced }
    }

    /// The surface under the drag.
    private struct Target {
        let surface: SurfaceResource
        /// The devices that were sent enter, and so receive all further events.
        let devices: [DataDeviceResource]
        let negotiation: DragNegotiation?
        /// In the surface's points.
        var location: Point
    }

    init(
        _ seat: ServerSeat, _ means: Means, _ source: DataSourceResource?, _ icon: DragIconRole?, by client: Client,
        at place: Place, forced: DragActions, exceptOver excluded: Client? = nil
    ) {
        self.seat = seat
        self.means = means
        self.source = source
        self.icon = icon
        self.client = client
        self.place = place
        self.forced = forced
        self.excluded = excluded
        server = client.server
    }

    /// Whether the surface under the drag has not agreed to a drop.
    var isUnanswered: Bool { target?.negotiation?.isAgreed == false }

    func isOver(_ surface: SurfaceResource) -> Bool { target?.surface === surface }

    /// Moves to a point of a screen, in its points, or updates the target there.
    func move(to point: Point, on screen: Screen.ID, time: UInt32) {
        place = (screen, point)
        source?.toplevelDrag?.move(to: place)
        icon?.move(to: point, on: screen)
        let hit = hit
        guard let hit, hit.surface === target?.surface else {
            leave()
            if let hit { enter(hit.surface, hit.location) }
            return
        }
        guard hit.location != target?.location else { return }
        target?.location = hit.location
        let (x, y) = (Fixed(rounding: hit.location.x), Fixed(rounding: hit.location.y))
        for device in target?.devices ?? [] { device.send(WlDataDevice.Event.motion(time: time, x: x, y: y)) }
    }

    /// Updates the target after windows or screens have changed. The previous target may be gone.
    func update(at newPlace: Place?, time: UInt32) {
        let place = newPlace ?? place
        move(to: place.point, on: place.screen, time: time)
    }

    /// Ends the target's session without a drop.
    func leave() {
        guard let left = target else { return }
        target = nil
        left.negotiation?.leave()
        for device in left.devices { device.send(WlDataDevice.Event.leave) }
    }

    /// Called when the finger or the last button was released.
    func drop() {
        guard let target, source == nil || target.negotiation?.drop() == true else {
            // A window is dropped wherever it is.
            if source?.toplevelDrag != nil { source?.sendIfKnown(.dndDropPerformed) }
            return cancel()
        }
        self.target = nil
        for device in target.devices { device.send(WlDataDevice.Event.drop) }
        source?.sendIfKnown(.dndDropPerformed)
        source?.toplevelDrag?.end()
        icon?.end()
    }

    /// E2: cancels the drag.
    func cancel() {
        leave()
        source?.cancelDrag()
        icon?.end()
    }

    private func enter(_ surface: SurfaceResource, _ location: Point) {
        let serial = seat.nextSerial()
        let (x, y) = (Fixed(rounding: location.x), Fixed(rounding: location.y))
        let window = surface.role as? X11WindowResource
        let devices = window?.dragDevices(of: seat) ?? surface.client.seat(seat).dataDevices
        func enter(_ device: DataDeviceResource, _ offer: ObjectID?) {
            if let window { return window.dragDidEnter(device, serial: serial, x: x, y: y, offer) }
            device.send(WlDataDevice.Event.enter(serial: serial, surface: surface.id, x: x, y: y, id: offer))
        }
        let negotiation = source.map { DragNegotiation($0, to: devices, forced: forced, enter: enter) }
        if negotiation == nil { for device in devices { enter(device, nil) } }
        target = Target(surface: surface, devices: devices, negotiation: negotiation, location: location)
    }

    /// The surface that a drop would go to.
    private var hit: (surface: SurfaceResource, location: Point)? {
        let dragged = source?.toplevelDrag?.toplevel?.window
        guard let hit = server.dragHit(place, exceptFor: dragged), source != nil || hit.surface.client === client,
            excluded == nil || hit.surface.client !== excluded
        else { return nil }
        return hit
    }
}

extension DisplayServer {
    /// The surface that something dropped at a place would go to.
    /// - Parameter dragged: the window that is dragged with it.
    func dragHit(
        _ place: Drag.Place, exceptFor dragged: Window.ID? = nil
    ) -> (surface: SurfaceResource, location: Point)? {
        guard model.screen(place.screen)?.isInteractive == true,
            let hit = model.hitTest(place.point, on: place.screen, exceptFor: dragged),
            let surface = (hit.surface ?? model.root(of: hit.window)).flatMap({ surfaces[$0] }),
            surface.isAlive,
            // E7: applications that ignore events are not targets.
            model.application(surface.client.application)?.ignoringDepth == 0
        else { return nil }
        return (surface, hit.location)
    }
}
