// One drag-and-drop operation.

import Geometry
import Wayland
import WindowModel

/// From start_drag until the finger, or the last button, goes up; what then becomes of the data is the negotiation's.
final class Drag {
    /// What it is done with.
    enum Means: Equatable { case pointer, touch(Int32) }

    let means: Means
    let source: DataSourceResource?
    /// Who began it: without a source the drag concerns its surfaces only.
    let client: Client
    private unowned let server: DisplayServer
    private unowned let seat: ServerSeat
    private let icon: DragIconRole?
    private var place: (screen: Screen.ID, point: Point)
    private var target: Target?
    /// What the held keys ask for.
    var forced: DragActions {
        didSet { target?.negotiation?.forced = forced }
    }

    /// The surface over which the drag is.
    private struct Target {
        let surface: SurfaceResource
        /// Those that were told of enter: they are told of all the rest.
        let devices: [DataDeviceResource]
        let negotiation: DragNegotiation?
        /// In the surface's points.
        var location: Point
    }

    init(
        _ seat: ServerSeat, _ means: Means, _ source: DataSourceResource?, _ icon: DragIconRole?, by client: Client,
        at place: (screen: Screen.ID, point: Point), forced: DragActions
    ) {
        self.seat = seat
        self.means = means
        self.source = source
        self.icon = icon
        self.client = client
        self.place = place
        self.forced = forced
        server = client.server
    }

    func isOver(_ surface: SurfaceResource) -> Bool { target?.surface === surface }

    /// Goes to a point of a screen, in its points, or looks what is there now.
    func move(to point: Point, on screen: Screen.ID, time: UInt32) {
        place = (screen, point)
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

    /// Looks what is under it now that windows or screens have changed. Whatever it is above may have gone.
    func update(at newPlace: (screen: Screen.ID, point: Point)?, time: UInt32) {
        let place = newPlace ?? place
        move(to: place.point, on: place.screen, time: time)
    }

    /// The target's session ends without a drop.
    func leave() {
        guard let left = target else { return }
        target = nil
        left.negotiation?.leave()
        for device in left.devices { device.send(WlDataDevice.Event.leave) }
    }

    /// The finger or the last button went up.
    func drop() {
        guard let target, source == nil || target.negotiation?.drop() == true else { return cancel() }
        self.target = nil
        for device in target.devices { device.send(WlDataDevice.Event.drop) }
        source?.sendIfKnown(.dndDropPerformed)
        icon?.end()
    }

    /// E2: it comes to nothing.
    func cancel() {
        leave()
        source?.cancelDrag()
        icon?.end()
    }

    private func enter(_ surface: SurfaceResource, _ location: Point) {
        let serial = seat.nextSerial()
        let (x, y) = (Fixed(rounding: location.x), Fixed(rounding: location.y))
        let devices = surface.client.seat(seat).dataDevices
        func enter(_ device: DataDeviceResource, _ offer: ObjectID?) {
            device.send(WlDataDevice.Event.enter(serial: serial, surface: surface.id, x: x, y: y, id: offer))
        }
        let negotiation = source.map { DragNegotiation($0, to: devices, forced: forced, enter: enter) }
        if negotiation == nil { for device in devices { enter(device, nil) } }
        target = Target(surface: surface, devices: devices, negotiation: negotiation, location: location)
    }

    /// The surface that would take what is dropped now.
    private var hit: (surface: SurfaceResource, location: Point)? {
        let model = server.model
        guard model.screen(place.screen)?.isInteractive == true,
            let hit = model.hitTest(place.point, on: place.screen),
            let surface = (hit.surface ?? model.root(of: hit.window)).flatMap({ server.surfaces[$0] }),
            surface.isAlive, source != nil || surface.client === client,
            // E7: to who ignores events nothing comes.
            model.application(surface.client.application)?.ignoringDepth == 0
        else { return nil }
        return (surface, hit.location)
    }
}
