// zwlr_virtual_pointer_manager_v1 and zwlr_virtual_pointer_v1

import MullionGeometry
import MullionKeymaps
import MullionWayland
import WindowModel

/// zwlr_virtual_pointer_manager_v1: makes virtual pointers.
final class VirtualPointerManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrVirtualPointerManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .createVirtualPointer(let seat, let id):
            let seat = try connection.resource(seat, as: SeatResource.self)?.seat ?? server.seat
            _ = try VirtualPointerResource(client, id: id, version: version, seat: seat, area: .layout)
        case .createVirtualPointerWithOutput(let seat, let output, let id):
            let seat = try connection.resource(seat, as: SeatResource.self)?.seat
            let output = try connection.resource(output, as: OutputResource.self)
            let area = output.map { VirtualPointerResource.Area.screen($0.screen) } ?? .layout
            // K1: a screen belongs to one seat, so a client that names a screen has chosen the seat.
            let owner = output?.screen.flatMap { server.seat(of: $0) } ?? seat ?? server.seat
            _ = try VirtualPointerResource(client, id: id, version: version, seat: owner, area: area)
        }
    }
}

/// zwlr_virtual_pointer_v1: its events are handled like all injected ones, immediately when they are read (E9).
final class VirtualPointerResource: SeatObject {
    /// The screens on which it can be; on an unplugged screen, nowhere (S9).
    enum Area: Codable {
        case layout
        case screen(Screen.ID?)
    }

    let area: Area
    /// The buttons that it holds down.
    private var buttons: [UInt32] = []
    var scrolling = VirtualScrolling()

    init(
        _ client: Client, id: ObjectID, version: UInt32, seat: ServerSeat, area: Area
    ) throws(ProtocolError) {
        self.area = area
        try super.init(client, id: id, version: version, seat: seat)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrVirtualPointerV1.Request.self, opcode, &reader) {
        case .motion(_, let dx, let dy):
            endFrame()
            move(by: Point(x: dx.double, y: dy.double))
        case .motionAbsolute(_, let x, let y, let width, let height):
            endFrame()
            guard width > 0, height > 0 else { return }
            move(toPart: Point(x: Double(min(x, width)) / Double(width), y: Double(min(y, height)) / Double(height)))
        case .button(_, let code, let state):
            endFrame()
            // Buttons are among evdev's keys; ignore other codes.
            if code < KeySet.count { button(code, isDown: state.rawValue != 0) }
        case .axis(_, let axis, let value): try scrolling.add(checked(axis), value.double, clicks: 0)
        case .axisDiscrete(_, let axis, let value, let clicks):
            try scrolling.add(checked(axis), value.double, clicks: clicks)
        case .axisStop(_, let axis): try scrolling.stop(checked(axis))
        case .axisSource(let source):
            guard let known = Event.Scroll.Source(source) else {
                throw ProtocolError(
                    object: id, code: ZwlrVirtualPointerV1.Error.invalidAxisSource.rawValue,
                    message: "\(source.rawValue) is not a source; use 0 to 3")
            }
            scrolling.source = known
        case .frame: endFrame()
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        for code in buttons { perform(.button(code, pressed: false)) }
        buttons = []
        if let step = scrolling.cancel() { perform(step) }
    }

    // MARK: Injecting

    private func move(by delta: Point) {
        switch area {
        case .layout: perform(.moveBy(delta))
        case .screen(let screen):
            guard let screen = own(screen), let place = server.model.clamp(start(on: screen) + delta, to: screen) else {
                return
            }
            perform(.move(place, screen, delta: delta))
        }
    }

    private func move(toPart part: Point) {
        let model = server.model
        switch area {
        case .layout:
            let all = model.layoutBounds(of: seat.id)
            let point = Point(x: all.minX + part.x * all.size.width, y: all.minY + part.y * all.size.height)
            guard let place = model.place(nearest: point, preferring: nil, of: seat.id) else { return }
            perform(.move(place.point, place.screen))
        case .screen(let screen):
            guard let screen = own(screen), let size = model.screen(screen)?.bounds.size,
                let point = model.clamp(Point(x: part.x * size.width, y: part.y * size.height), to: screen)
            else { return }
            perform(.move(point, screen))
        }
    }

    /// The screen, if it belongs to the seat.
    private func own(_ screen: Screen.ID?) -> Screen.ID? {
        screen.flatMap { server.model.seat(of: $0) == seat.id ? $0 : nil }
    }

    /// The position of the pointer in points of the screen, even when it is on another one.
    private func start(on screen: Screen.ID) -> Point {
        seat.pointer.location.flatMap { server.model.convertToLayout($0.point, from: $0.screen) }
            .flatMap { server.model.convertFromLayout($0, to: screen) } ?? .zero
    }

    private func button(_ code: UInt32, isDown: Bool) {
        if isDown {
            if perform(.button(code, pressed: true)) { buttons.append(code) }
        } else if let index = buttons.firstIndex(of: code) {
            buttons.remove(at: index)
            perform(.button(code, pressed: false))
        }
    }

    private func endFrame() {
        let (move, end) = scrolling.takeFrame()
        if let move, !perform(move) { return scrolling.wasRefused() }
        if let end { perform(end) }
    }

    /// An impossible step, such as a button that another device holds down, is not performed.
    @discardableResult
    private func perform(_ step: InputStep) -> Bool {
        do {
            _ = try server.injector.perform(step, by: seat)
            return true
        } catch {
            server.log(.debug, "virtual pointer of \(client.description): \(error)")
            return false
        }
    }

    private func checked(_ axis: WlPointer.Axis) throws(ProtocolError) -> WlPointer.Axis {
        guard axis == .verticalScroll || axis == .horizontalScroll else {
            throw ProtocolError(
                object: id, code: ZwlrVirtualPointerV1.Error.invalidAxis.rawValue,
                message: "\(axis.rawValue) is not an axis; use 0 (vertical) or 1 (horizontal)")
        }
        return axis
    }
}

/// The scrolling of one virtual pointer, collected until its frame.
struct VirtualScrolling: Codable {
    private static let none = Event.Scroll(deltaX: 0, deltaY: 0, source: .finger)

    var source: Event.Scroll.Source?
    private var scroll = Self.none
    /// The axes with motion in this frame; bit 0 vertical, bit 1 horizontal.
    private var moved: UInt8 = 0
    /// The axes of the running sequence (E5).
    private var running: UInt8 = 0
    private var stopped: UInt8 = 0

    mutating func add(_ axis: WlPointer.Axis, _ delta: Double, clicks: Int32) {
        let (steps, over) = clicks.multipliedReportingOverflow(by: 120)
        let value = over ? (clicks < 0 ? -Int32.max : .max) : steps
        if axis == .verticalScroll {
            scroll.deltaY += delta
            scroll.stepsY = scroll.stepsY.addingReportingOverflow(value).overflow ? value : scroll.stepsY + value
        } else {
            scroll.deltaX += delta
            scroll.stepsX = scroll.stepsX.addingReportingOverflow(value).overflow ? value : scroll.stepsX + value
        }
        moved |= Self.bit(axis)
    }

    mutating func stop(_ axis: WlPointer.Axis) { stopped |= Self.bit(axis) }

    private static func bit(_ axis: WlPointer.Axis) -> UInt8 { axis == .verticalScroll ? 1 : 2 }

    /// Takes the frame's steps: finger scrolling is a sequence that ends when all its axes have stopped, a wheel's is
    /// not.
    mutating func takeFrame() -> (move: InputStep?, end: InputStep?) {
        defer { (scroll, moved, source, stopped) = (Self.none, 0, nil, 0) }
        var move: InputStep?
        if moved != 0 {
            let isWheel = scroll.stepsX != 0 || scroll.stepsY != 0
            scroll.source = source ?? (isWheel ? .wheel : .continuous)
            let isSequence = scroll.source == .finger
            move = .scroll(scroll, isSequence ? (running == 0 ? .began : .moved) : nil)
            if isSequence { running |= moved }
        }
        let wasRunning = running != 0
        running &= ~stopped
        return (move, wasRunning && running == 0 ? .scroll(Self.none, .ended) : nil)
    }

    /// Called when a sequence could not begin, because another one is running.
    mutating func wasRefused() { running = 0 }

    /// The cancellation of the running sequence, if there is one.
    mutating func cancel() -> InputStep? {
        guard running != 0 else { return nil }
        running = 0
        return .scroll(Self.none, .cancelled)
    }
}

extension Event.Scroll.Source {
    /// A tilted wheel is a wheel too; nil for an unknown source.
    fileprivate init?(_ source: WlPointer.AxisSource) {
        switch source {
        case .wheel, .wheelTilt: self = .wheel
        case .finger: self = .finger
        case .continuous: self = .continuous
        default: return nil
        }
    }
}
