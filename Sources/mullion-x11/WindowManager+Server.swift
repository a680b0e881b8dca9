// The server's decisions about windows.

import MullionWayland
import X11

extension WindowManager {
    func handle(_ event: MullionX11WindowV1.Event, of window: ManagedWindow) {
        switch event {
        case .configure(let x, let y, let width, let height, let states):
            let frame = XFrame(x: Int(x), y: Int(y), width: Int(width), height: Int(height)).clamped
            configure(window, frame, WindowStates(rawValue: states.rawValue))
        case .focused(let isFocused): setFocused(window, isFocused != 0)
        case .stacked(let above): stack(window, above: above)
        case .dragEntered(let serial, _, let x, let y, let offer):
            onDragEntered?(window, DragEntry(serial: serial, x: x.double, y: y.double, offer: offer))
        case .close: close(window)
        case .ended(let reason):
            window.isInert = true
            if focused === window { setFocused(window, false) }
            switch reason {
            case .removed: x.kill(window.id)
            // The program goes on without being seen.
            case .refused: mapIfNeeded(window)
            default: break
            }
        }
    }

    private func configure(_ window: ManagedWindow, _ frame: XFrame, _ states: WindowStates) {
        let hasChanged = window.frame != frame
        if hasChanged {
            x.configure(window.id, XConfiguration(frame))
            window.frame = frame
        } else if window.isMapped || window.states.contains(.minimized), !window.isUnmanaged {
            // The program waits for an answer although nothing changes.
            x.sendConfigureNotify(window.id, frame)
        }
        guard !window.isUnmanaged else { return }
        window.states = states
        publishStates(window)
        // Programs show a minimized window by mapping it (ICCCM 4.1.4).
        if states.contains(.minimized) { unmapIfNeeded(window) } else { mapIfNeeded(window) }
        if let next = window.requests.answered() { sendFrame(window, next) }
    }

    private func mapIfNeeded(_ window: ManagedWindow) {
        guard !window.isMapped else { return }
        window.isMapped = true
        x.map(window.id)
    }

    private func unmapIfNeeded(_ window: ManagedWindow) {
        guard window.isMapped else { return }
        window.isMapped = false
        window.ownUnmaps.append(x.unmap(window.id))
    }

    private func stack(_ window: ManagedWindow, above: ObjectID?) {
        let sibling = above.flatMap { id in
            order.first { $0.proxy.id == id } ?? windows.values.first { $0.proxy.id == id }
        }
        // A sibling that has just gone: the server sends the next place when it notices.
        if above != nil, sibling == nil { return }
        x.stack(window.id, above: sibling?.id)
        order.removeAll { $0 === window }
        let place = sibling.flatMap { sibling in order.firstIndex { $0 === sibling } }
        order.insert(window, at: place.map { $0 + 1 } ?? 0)
        isListStale = true
    }

    /// Asks the program to close a window, or ends it where it cannot be asked.
    func close(_ window: ManagedWindow) {
        guard window.deletesOnRequest else { return x.kill(window.id) }
        withTime { [weak self, weak window] time in
            guard let self, let window, !window.isGone else { return }
            sendProtocol(.wmDeleteWindow, to: window, time)
        }
    }

    func sendProtocol(_ name: Atoms.Name, to window: ManagedWindow, _ time: XTime) {
        x.send(
            XClientMessage(window: window.id, type: atoms[.wmProtocols], data: [atoms[name].rawValue, time]),
            to: window.id)
    }

    // MARK: The keyboard

    private func setFocused(_ window: ManagedWindow, _ isFocused: Bool) {
        window.isFocused = isFocused
        if isFocused {
            focused = window
        } else if focused === window {
            focused = nil
        }
        isFocusStale = true
        if !window.isUnmanaged { publishStates(window) }
    }

    /// Gives the X server's keyboard to the window that has the server's.
    func applyFocus() {
        isFocusStale = false
        let window = focused
        x.setProperty(
            setup.root, atoms[.netActiveWindow], type: .window, [(window?.id ?? .none).rawValue])
        withTime { [weak self, weak window] time in
            guard let self else { return }
            guard let window, !window.isGone, window.input.acceptsFocus else {
                if focused == nil || focused === window { giveFocus(to: nil, time) }
                return
            }
            guard focused === window else { return }
            if window.input.isGiven {
                giveFocus(to: window.id, time)
            } else if let owner = givenFocus, windows[owner]?.isMapped == true, setup.isSameClient(owner, window.id) {
                // The program takes it by itself from another window of its own, and receives the keys until then.
                givenFocus = window.id
            } else {
                // It must not leave it with another program.
                giveFocus(to: nil, time)
                givenFocus = window.id
            }
            if window.input.isTaken { sendProtocol(.wmTakeFocus, to: window, time) }
        }
    }

    private func giveFocus(to window: XWindowID?, _ time: XTime) {
        givenFocus = window
        x.setFocus(window ?? .none, time: time)
    }

    /// A program has moved the X server's keyboard.
    func focusMoved(to id: XWindowID, mode: UInt8, detail: UInt8) {
        // Not the beginnings and ends of grabs, nor moves within a window, nor those that follow the pointer.
        guard mode == 0, ![2, 5].contains(detail), let window = windows[id], window !== focused else { return }
        if let focused, setup.isSameClient(focused.id, id) {
            window.send(.activate)
        } else {
            givenFocus = id
            isFocusStale = true
        }
    }
}
