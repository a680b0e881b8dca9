// A tool of a tablet: what clients receive of a pencil.

import Glibc
import MullionGeometry
import MullionWayland
import WindowModel

/// One end of a pencil. Events change its state, which is compared with what was sent.
final class TabletTool {
    enum Kind: UInt8, Codable, CaseIterable {
        case pen, eraser

        init(_ end: Pencil.End) { self = end == .eraser ? .eraser : .pen }
    }

    /// Where it is, and how.
    struct State {
        let surface: SurfaceResource
        /// In the surface's points.
        private(set) var location: (x: Fixed, y: Fixed)
        /// On the screen: the serial of its touch.
        var press: UInt32?
        private(set) var axes: TabletAxes
        /// Milliseconds.
        private(set) var time: UInt32
    }

    let kind: Kind
    private unowned let seat: ServerSeat
    /// The id of the pencil whose end it is or last was.
    var pencil: Int32?
    /// Nil when it is near no surface.
    var state: State?
    private var sent: State?

    init(_ seat: ServerSeat, _ kind: Kind) {
        self.seat = seat
        self.kind = kind
    }

    /// The client's objects that were notified that it is near.
    private func resources(of surface: SurfaceResource) -> [TabletToolResource] {
        surface.client.seat(seat).tabletTools.filter { $0.kind == kind && $0.isEntered }
    }

    // MARK: Sending

    /// Sends the differences between the state and what was sent, as one frame.
    func sendChanges() {
        if let old = sent, old.surface !== state?.surface { leave(old) }
        guard let state else { return }
        if let sent, sent.isSame(as: state) { return }
        if sent == nil { enter(state) }
        update(state)
        sent = state
    }

    private func enter(_ state: State) {
        let serial = seat.nextSerial()
        for tool in state.surface.client.seat(seat).tabletTools where tool.kind == kind {
            tool.enter(state.surface, serial: serial)
        }
    }

    private func update(_ state: State) {
        let old = sent
        let axes = state.axes
        let tools = resources(of: state.surface)
        guard !tools.isEmpty else { return }
        // A touch that ended while another one began is both.
        if let press = old?.press, press != state.press {
            for tool in tools { tool.send(ZwpTabletToolV2.Event.up) }
        }
        // GTK takes motion and down with what was measured before them.
        for tool in tools { axes.send(to: tool, after: old?.axes) }
        let pressure = state.press == nil ? 0 : axes.pressure
        if pressure != old.map({ $0.press == nil ? 0 : $0.axes.pressure }) {
            for tool in tools { tool.send(ZwpTabletToolV2.Event.pressure(pressure: pressure)) }
        }
        if old.map({ $0.location != state.location }) ?? true {
            for tool in tools { tool.send(ZwpTabletToolV2.Event.motion(x: state.location.x, y: state.location.y)) }
        }
        if let press = state.press, press != old?.press {
            for tool in tools { tool.send(ZwpTabletToolV2.Event.down(serial: press)) }
        }
        sendButtons(from: old?.axes.buttons ?? [], to: axes.buttons, tools)
        for tool in tools { tool.send(ZwpTabletToolV2.Event.frame(time: state.time)) }
    }

    private func sendButtons(from old: Pencil.Buttons, to new: Pencil.Buttons, _ tools: [TabletToolResource]) {
        // evdev's BTN_STYLUS, BTN_STYLUS2 and BTN_STYLUS3.
        for (button, code) in [(Pencil.Buttons.primary, UInt32(0x14b)), (.secondary, 0x14c), (.tertiary, 0x149)]
        where new.contains(button) != old.contains(button) {
            let state: ZwpTabletToolV2.ButtonState = new.contains(button) ? .pressed : .released
            let serial = seat.nextSerial()
            for tool in tools { tool.send(ZwpTabletToolV2.Event.button(serial: serial, button: code, state: state)) }
        }
    }

    /// E2: buttons and the tip are released first.
    private func leave(_ old: State) {
        let tools = resources(of: old.surface)
        sent = nil
        guard !tools.isEmpty else { return }
        if old.press != nil {
            for tool in tools { tool.send(ZwpTabletToolV2.Event.up) }
        }
        sendButtons(from: old.axes.buttons, to: [], tools)
        let time = UInt32(truncatingIfNeeded: seat.server.model.now / 1000)
        for tool in tools { tool.leave(time) }
    }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        if state?.surface === surface { state = nil }
        if let old = sent, old.surface === surface { leave(old) }
    }

    /// Called when a client made an object for it: it enters, unless it is down.
    func didAdd(_ tool: TabletToolResource) {
        guard let sent, sent.press == nil, sent.surface.connection === tool.connection else { return }
        tool.enter(sent.surface, serial: seat.nextSerial())
        sent.axes.send(to: tool, after: nil)
        tool.send(ZwpTabletToolV2.Event.motion(x: sent.location.x, y: sent.location.y))
        sendButtons(from: [], to: sent.axes.buttons, [tool])
        tool.send(ZwpTabletToolV2.Event.frame(time: sent.time))
    }
}

extension TabletTool.State {
    /// Whether it is the same, apart from the time, on the same surface.
    fileprivate func isSame(as other: TabletTool.State) -> Bool {
        location == other.location && press == other.press && axes == other.axes
    }

    init(_ event: Event, on surface: SurfaceResource, press: UInt32?, in model: WindowModel) {
        self.surface = surface
        self.press = press
        location = (Fixed(rounding: event.location.x), Fixed(rounding: event.location.y))
        axes = TabletAxes(event, in: model)
        time = UInt32(truncatingIfNeeded: event.timestamp / 1000)
    }

    mutating func update(_ event: Event, in model: WindowModel) {
        location = (Fixed(rounding: event.location.x), Fixed(rounding: event.location.y))
        if event.touchAttributes?.tool.pencil != nil { axes = TabletAxes(event, in: model) }
        time = UInt32(truncatingIfNeeded: event.timestamp / 1000)
    }
}

/// What a tool measures, in the protocol's terms.
struct TabletAxes: Equatable {
    /// 0 … 65,535, on the screen.
    private(set) var pressure: UInt32
    private var distance: UInt32
    /// Degrees from the upright position, to the right and down.
    private var tiltX: Fixed
    private var tiltY: Fixed
    /// Degrees 0 ..< 360, clockwise.
    private var rotation: Fixed
    private(set) var buttons: Pencil.Buttons

    init(_ event: Event, in model: WindowModel) {
        let attributes = event.touchAttributes ?? .finger
        let pencil = attributes.tool.pencil ?? Pencil()
        // Programs draw nothing without pressure: half of it if it was not measured.
        pressure = UInt32(((attributes.force > 0 ? attributes.force : 0.5) * 65_535).rounded())
        distance = UInt32((pencil.distance * 65_535).rounded())
        // R4: far enough for an exact direction.
        let direction = event.onSurface(
            Point(x: cos(pencil.azimuth) * 1000, y: sin(pencil.azimuth) * 1000), in: model)
        let length = (direction.x * direction.x + direction.y * direction.y).squareRoot()
        let (flat, up) = (length > 0 ? cos(pencil.altitude) / length : 0, sin(pencil.altitude))
        tiltX = Fixed(rounding: atan2(direction.x * flat, up) * 180 / Double.pi)
        tiltY = Fixed(rounding: atan2(direction.y * flat, up) * 180 / Double.pi)
        let turn = (pencil.roll * 180 / Double.pi).truncatingRemainder(dividingBy: 360)
        rotation = Fixed(rounding: turn < 0 ? turn + 360 : turn)
        buttons = pencil.buttons
    }

    /// Sends what has changed; everything if nothing was sent before.
    func send(to tool: TabletToolResource, after old: TabletAxes?) {
        if distance != old?.distance { tool.send(ZwpTabletToolV2.Event.distance(distance: distance)) }
        if tiltX != old?.tiltX || tiltY != old?.tiltY {
            tool.send(ZwpTabletToolV2.Event.tilt(tiltX: tiltX, tiltY: tiltY))
        }
        if rotation != old?.rotation { tool.send(ZwpTabletToolV2.Event.rotation(degrees: rotation)) }
    }
}
