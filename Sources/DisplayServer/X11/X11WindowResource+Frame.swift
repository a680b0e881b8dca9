// Where an X11 program's window is.
//
// The X server's root window has the coordinates of the screens' layout.

import MullionGeometry
import MullionWayland
import WindowModel

extension X11WindowResource {
    /// Handles a request for a frame, or the frame that an unmanaged window has.
    func setFrame(_ frame: Rect, isPositioned: Bool) {
        guard let window else { return }
        guard isManaged else {
            let isFirst = !isPlaced
            place(frame, of: window)
            if isFirst { showSurface() }
            return
        }
        // The server decides meanwhile; what the program gets says so.
        guard !isMaximized, !isFullscreen, !isResizing else {
            if !isPlaced {
                if isPositioned { moveToScreen(showing: frame, window) }
                let origin = isPositioned ? frame.origin - (layoutOrigin ?? .zero) : firstOrigin(frame.size)
                normalFrame = Rect(origin: origin, size: frame.size)
                isPlaced = true
            }
            return configure(evenIfEqual: true)
        }
        if isPositioned, !awaitsScreen {
            place(frame, of: window)
            keepTitleBarOnScreen(window)
        } else {
            let origin = isPlaced ? server.model.frame(of: window)?.origin : nil
            setFrame(Rect(origin: origin ?? firstOrigin(frame.size), size: frame.size), of: window)
        }
        configure(evenIfEqual: true)
    }

    /// Moves it to the screen that shows most of the frame, if the policy allows it.
    private func place(_ frame: Rect, of window: Window.ID) {
        moveToScreen(showing: frame, window)
        if !awaitsScreen {
            let shift = layoutOrigin ?? .zero
            setFrame(Rect(origin: frame.origin - shift, size: frame.size), of: window)
        }
        if !isManaged { sent = Configuration(frame, []) }
    }

    /// S8: whether it will return to its place on a screen that was unplugged.
    private var awaitsScreen: Bool { isPlaced && layoutOrigin == nil && sent != nil }

    private func moveToScreen(showing frame: Rect, _ window: Window.ID) {
        let current = server.model.screen(of: window)
        guard let target = server.screen(showing: frame, preferring: current), target != current, allows(target) else {
            return
        }
        server.logErrors { () throws(ModelError) in try server.model.move(window, to: target) }
    }

    /// - Parameter frame: in the coordinates of frames on the window's screen.
    private func setFrame(_ frame: Rect, of window: Window.ID) {
        isPlaced = true
        normalFrame = frame
        // The size is the content's, once there is some.
        let size = isMapped ? server.model.frame(of: window)?.size ?? frame.size : frame.size
        server.logErrors { () throws(ModelError) in
            try server.model.setFrame(Rect(origin: frame.origin, size: size), of: window)
        }
    }

    /// A window at the upper edge of its screen leaves room for its title bar.
    private func keepTitleBarOnScreen(_ window: Window.ID) {
        guard titleBarHeight > 0, !isMapped, var frame = normalFrame, let bounds = contentBounds,
            frame.minY < bounds.minY
        else { return }
        frame.origin.y = bounds.minY
        setFrame(frame, of: window)
    }

    /// Where the screen's frames begin in the layout; nil without a screen.
    private var layoutOrigin: Point? {
        window.flatMap { server.model.screen(of: $0) }.flatMap { server.model.screen($0)?.layoutOrigin }
    }

    // MARK: Configure

    /// The configuration that the X window should have.
    private var wanted: Configuration? {
        guard let window, let value = server.model.window(window) else { return nil }
        var states: State = []
        if isMaximized { states.insert(.maximized) }
        if isFullscreen { states.insert(.fullscreen) }
        if value.isHidden { states.insert(.minimized) }
        if isResizing { states.insert(.resizing) }
        // In the X server it stays where it was.
        if awaitsScreen, var sent {
            sent.states = states.rawValue
            if !isMaximized, !isFullscreen, let size = normalFrame?.size {
                (sent.width, sent.height) = (Int32(clamped: size.width), Int32(clamped: size.height))
            }
            return sent
        }
        let shift = layoutOrigin ?? .zero
        var frame = Rect(origin: value.frame.origin, size: normalFrame?.size ?? value.frame.size)
        if isMaximized || isFullscreen {
            frame = Rect(origin: contentBounds?.origin ?? frame.origin, size: filledSize ?? frame.size)
        } else if let resizing {
            // Where it will be when the content has that size.
            frame.origin = resizing.edges.origin(of: value.frame, resizedTo: frame.size)
        }
        return Configuration(frame.offsetBy(x: shift.x, y: shift.y), states)
    }

    /// Sends the manager the frame and the states of the X window.
    func sendConfiguration(evenIfEqual: Bool) {
        guard let next = wanted, evenIfEqual || next != sent else { return }
        sent = next
        send(
            MullionX11WindowV1.Event.configure(
                x: next.x, y: next.y, width: next.width, height: next.height,
                states: State(rawValue: next.states)))
        if next.isMinimized, isManaged { becomeIconic() }
    }
}

extension X11WindowResource.Configuration {
    fileprivate init(_ frame: Rect, _ states: X11WindowResource.State) {
        x = Int32(clamped: frame.minX.rounded())
        y = Int32(clamped: frame.minY.rounded())
        width = Int32(clamped: max(1, frame.size.width.rounded()))
        height = Int32(clamped: max(1, frame.size.height.rounded()))
        self.states = states.rawValue
    }
}

extension DisplayServer {
    /// The connected screen that shows most of a rectangle of the layout; if none shows any of it, the preferred one.
    func screen(showing frame: Rect, preferring preferred: Screen.ID?) -> Screen.ID? {
        var best: (screen: Screen.ID, area: Double)?
        for id in model.screens {
            guard let screen = model.screen(id) else { continue }
            let common = screen.bounds.offsetBy(x: screen.layoutOrigin.x, y: screen.layoutOrigin.y)
                .intersection(frame)
            let area = common.isEmpty ? 0 : common.size.width * common.size.height
            if area > best?.area ?? 0 || (area > 0 && area == best?.area && id == preferred) { best = (id, area) }
        }
        return best?.screen ?? preferred
    }
}

extension DisplayServer {
    /// Whether a window has a place on a screen and gets its first content there.
    func isAboutToAppear(_ window: Window.ID, on screen: Screen.ID) -> Bool {
        guard case .toplevel(let window as X11WindowResource) = windows[window], window.isPlaced, !window.hasPlace
        else {
            return false
        }
        return window.window.flatMap { model.screen(of: $0) } == screen
    }
}

extension Screen {
    /// What a point of the screen's frames is moved by to be one of the layout.
    var layoutOrigin: Point { position - bounds.origin }
}
