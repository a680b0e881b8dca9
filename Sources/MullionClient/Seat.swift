// A seat: converts pointer and keyboard events from the wire. Touches arrive as UIKit events.

import Geometry
import Wayland

/// The devices of one seat. Surfaces are looked up while bytes are read, when their ids are still valid; events are
/// delivered in order later.
final class Seat {
    private unowned let application: Application
    let proxy: Proxy<WlSeat>
    /// Created when a window first edits text.
    private var textInput: TextInput?
    private var pointer: Proxy<WlPointer>?
    private var keyboard: Proxy<WlKeyboard>?

    private var hovered: Surface?
    private var hoverLocation = Point.zero
    private var scroll: (x: Double, y: Double, time: UInt32)?
    private var focus: Window?
    private var modifiers = KeyModifiers()

    init(_ application: Application, _ proxy: Proxy<WlSeat>) {
        self.application = application
        self.proxy = proxy
        proxy.onEvent = { [weak self] event in
            if case .capabilities(let capabilities) = event { self?.follow(capabilities) }
        }
    }

    /// Releases all objects; the seat is gone.
    func release() {
        follow([])
        textInput?.release()
        // wl_seat.release came with version 5.
        if proxy.version >= 5 { proxy.send(.release) }
    }

    private func follow(_ capabilities: WlSeat.Capability) {
        // The release requests came with version 3; older objects just receive no more events.
        if capabilities.contains(.pointer), pointer == nil {
            let device = Proxy<WlPointer>(application.connection, version: proxy.version)
            device.onEvent = { [weak self] event in self?.receive(event) }
            proxy.send(.getPointer(id: device.id))
            pointer = device
        } else if !capabilities.contains(.pointer), let device = pointer {
            pointer = nil
            if device.version >= 3 { device.send(.release) }
        }
        if capabilities.contains(.keyboard), keyboard == nil {
            let device = Proxy<WlKeyboard>(application.connection, version: proxy.version)
            device.onEvent = { [weak self] event in self?.receive(event) }
            proxy.send(.getKeyboard(id: device.id))
            keyboard = device
        } else if !capabilities.contains(.keyboard), let device = keyboard {
            keyboard = nil
            if device.version >= 3 { device.send(.release) }
        }
    }

    /// Called when the state of the text edited in a window has changed.
    func textDidChange(in window: Window, isNew: Bool) {
        if textInput == nil, isNew { textInput = TextInput(application, seat: proxy) }
        textInput?.textDidChange(in: window, isNew: isNew)
    }

    private func surface(_ id: ObjectID) -> Surface? { application.surfaces[id]?.surface }

    // MARK: Pointer

    private func receive(_ event: WlPointer.Event) {
        var surface: Surface?
        if case .enter(_, let id, _, _) = event { surface = self.surface(id) }
        application.enqueue { [weak self] in self?.handle(event, on: surface) }
    }

    private func handle(_ event: WlPointer.Event, on surface: Surface?) {
        switch event {
        case .enter(_, _, let x, let y):
            hovered = surface
            hoverLocation = Point(x: x.double, y: y.double)
            deliver(.entered, 0)
        case .leave:
            deliver(.left, 0)
            hovered = nil
            scroll = nil
        case .motion(let time, let x, let y):
            hoverLocation = Point(x: x.double, y: y.double)
            deliver(.moved, time)
        case .button(_, let time, let button, let state):
            deliver(.button(code: button, isPressed: state == .pressed), time)
        case .axis(let time, let axis, let value):
            var sum = scroll ?? (0, 0, time)
            if axis == .horizontalScroll { sum.x += value.double } else { sum.y += value.double }
            sum.time = time
            scroll = sum
            // wl_pointer.frame, which ends a group, came with version 5.
            if proxy.version < 5 { deliverScroll() }
        case .frame:
            deliverScroll()
        case .axisStop(let time, _):
            deliverScroll()
            deliver(.scrollEnded, time)
        case .axisSource, .axisDiscrete, .axisValue120, .axisRelativeDirection:
            break
        }
    }

    private func deliverScroll() {
        guard let sum = scroll else { return }
        scroll = nil
        deliver(.scrolled(x: sum.x, y: sum.y), sum.time)
    }

    private func deliver(_ kind: PointerEvent.Kind, _ time: UInt32) {
        guard let surface = hovered, let window = surface.liveWindow else { return }
        let event = PointerEvent(
            kind: kind, window: window, view: surface as? View, location: surface.locationInWindow(hoverLocation),
            locationInView: hoverLocation, timestamp: Double(time) / 1000)
        window.callbacks.pointer?(event)
        application.onEvent?(.pointer(event))
    }

    // MARK: Keyboard

    private func receive(_ event: WlKeyboard.Event) {
        var surface: Surface?
        if case .enter(_, let id, _) = event { surface = self.surface(id) }
        application.enqueue { [weak self] in self?.handle(event, on: surface) }
    }

    private func handle(_ event: WlKeyboard.Event, on surface: Surface?) {
        switch event {
        case .enter:
            focus = surface?.window
            deliverFocus(true)
        case .leave:
            deliverFocus(false)
            focus = nil
        case .key(_, let time, let key, let state):
            guard let window = focus, !window.isClosed else { return }
            let event = KeyEvent(
                window: window, keyCode: key, isPressed: state != .released, isRepeat: state == .repeated,
                modifiers: modifiers, timestamp: Double(time) / 1000)
            window.callbacks.key?(event)
            application.onEvent?(.key(event))
        case .modifiers(_, let depressed, let latched, let locked, let group):
            modifiers = KeyModifiers(depressed: depressed, latched: latched, locked: locked, group: group)
        case .keymap, .repeatInfo:
            break
        }
    }

    private func deliverFocus(_ hasFocus: Bool) {
        guard let window = focus, !window.isClosed else { return }
        window.callbacks.keyboardFocus?(hasFocus)
        application.onEvent?(.keyboardFocusDidChange(window, hasFocus))
    }
}

extension Surface {
    /// The pointer's window, unless the window or the view was closed.
    fileprivate var liveWindow: Window? {
        guard !isClosed, let window, !window.isClosed else { return nil }
        return window
    }

    fileprivate func locationInWindow(_ location: Point) -> Point {
        (self as? View).map { $0.positionInWindow + location } ?? location
    }
}
