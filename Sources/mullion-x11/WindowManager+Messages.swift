// Messages of programs to the window manager.

import MullionWayland
import X11

extension WindowManager {
    func received(_ message: XClientMessage, isSynthetic: Bool) {
        switch message.type {
        // Only the X server itself says which surface a window has.
        case atoms[.surfaceID] where !isSynthetic:
            setSurface(message.window, .setSurface(surface: message.data[0]))
        case atoms[.surfaceSerial] where !isSynthetic:
            setSurface(message.window, .setSurfaceSerial(serialLo: message.data[0], serialHi: message.data[1]))
        case atoms[.netRequestFrameExtents]:
            x.setProperty(message.window, atoms[.netFrameExtents], type: .cardinal, [0, 0, 0, 0])
        default:
            guard let window = windows[message.window], window.isDescribed, !window.isUnmanaged else { return }
            received(message, about: window)
        }
    }

    private func received(_ message: XClientMessage, about window: ManagedWindow) {
        let data = message.data
        switch message.type {
        case atoms[.netState]:
            // After the monitors that the program has chosen before, and after states that wait for these.
            guard window.delays > 0 else { return changeStates(of: window, data) }
            window.delays += 1
            x.afterRequests { [weak self, weak window] in
                guard let self, let window else { return }
                window.delays -= 1
                changeStates(of: window, data)
            }
        case atoms[.netFullscreenMonitors]: chooseMonitors(of: window, data)
        case atoms[.wmChangeState]:
            if data[0] == 3 { window.send(.setState(mask: .minimized, states: .minimized)) }
        case atoms[.netActiveWindow]:
            if window.states.contains(.minimized) { window.send(.setState(mask: .minimized, states: [])) }
            window.send(.activate)
        case atoms[.netCloseWindow]: close(window)
        case atoms[.netRestackWindow]: if data[2] == 0 { window.send(.raise) }
        case atoms[.netMoveResize]:
            switch DragRequest(direction: data[2]) {
            case .move: window.send(.beginMove)
            case .resize(let edges): window.send(.beginResize(edges: edges))
            // The server ends a drag when the button is released.
            case .cancel, nil: break
            }
        case atoms[.netMoveResizeWindow]:
            func value(_ index: Int) -> Int? {
                data[0] & (0x100 << UInt32(index)) == 0 ? nil : Int(Int32(bitPattern: data[index + 1]))
            }
            let request = XConfiguration(x: value(0), y: value(1), width: value(2), height: value(3))
            if !request.isEmpty, let next = window.requests.add(request) { sendFrame(window, next) }
        default: break
        }
    }

    private func changeStates(of window: ManagedWindow, _ data: [UInt32]) {
        let requested = [data[1], data[2]].map { states(of: XAtom(rawValue: $0)) }
        guard let action = StateAction(rawValue: data[0]),
            let change = StateChange(action, requested, current: window.states)
        else { return }
        send(change, to: window)
    }

    /// Full screen is between the upper edge of one monitor and the lower, left and right edges of others.
    private func chooseMonitors(of window: ManagedWindow, _ data: [UInt32]) {
        guard window.proxy.version >= 2 else { return }
        window.delays += 1
        x.monitors { [weak self, weak window] monitors in
            guard let self, let window else { return }
            window.delays -= 1
            let edges = data.prefix(4).compactMap { monitors.indices.contains(Int($0)) ? monitors[Int($0)] : nil }
            guard edges.count == 4, !window.isGone else { return }
            let (top, bottom, left, right) = (edges[0], edges[1], edges[2], edges[3])
            x.setProperty(window.id, atoms[.netFullscreenMonitors], type: .cardinal, Array(data.prefix(4)))
            window.send(
                .setFullscreenArea(
                    x: Int32(left.x), y: Int32(top.y), width: Int32(right.x + right.width - left.x),
                    height: Int32(bottom.y + bottom.height - top.y)))
        }
    }
}
