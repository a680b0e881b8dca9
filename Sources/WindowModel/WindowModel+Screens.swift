// Screens: connecting, disconnecting, modes, and the effects on windows (S1–S4, S6, S8).

import MullionGeometry

extension WindowModel {
    /// S2: the connected screens, the main screen first.
    public var screens: [Screen.ID] { screenNodes.map(\.id) }

    /// S2: the first built-in screen, or without one the first connected.
    public var mainScreen: Screen.ID? { screenNodes.first?.id }

    /// A connected screen, nil for any other.
    public func screen(_ id: Screen.ID) -> Screen? { screenNode(id)?.value }

    /// The connected screen of that name.
    public func screen(named name: String) -> Screen? { screenNodes.first { $0.value.name == name }?.value }

    /// S6: connects a screen. Windows that wait for it return (S8), and windows without any screen appear (S2). Throws
    /// S1, S3 or S5 for an invalid description.
    @discardableResult
    public func connect(_ description: ScreenDescription) throws(ModelError) -> Screen.ID {
        try description.validate()
        try checkUnused(description.name)
        guard let (current, preferred) = description.initialModes else {
            throw .invalid(.s1, "a screen has at least one mode")
        }
        var properties = description
        properties.currentMode = current
        properties.preferredMode = preferred
        let value = Screen(
            id: nextScreenID(), properties: properties, currentMode: current, preferredMode: preferred)
        let node = ScreenNode(value)
        node.seat = seat(ofScreenNamed: description.name)
        let main = mainScreen
        screenNodes.append(node)
        putMainScreenFirst()
        record(.screenDidConnect(node.id))
        if mainScreen != main { record(.mainScreenDidChange(mainScreen)) }
        makeRoom(for: node, isNew: true)
        updateMirroring()
        attachWaitingWindows(to: node)
        changed(node)
        return node.id
    }

    /// S6, S8: disconnects a screen. Its windows wait for its return, or move to the main screen.
    public func disconnect(_ id: Screen.ID) throws(ModelError) {
        let node = try node(id)
        let main = mainScreen
        screenNodes.removeAll { $0 === node }
        putMainScreenFirst()
        record(.screenDidDisconnect(id))
        if mainScreen != main { record(.mainScreenDidChange(mainScreen)) }
        structureChanged = true
        node.removeAll()
        let seat = node.seat
        node.seat = nil
        node.rotation = nil
        rotating.removeAll { $0 === node }
        if node.value.mirroredScreen != nil { mirrorCount -= 1 }
        updateMirroring()
        let residents = windowNodes.values.filter { $0.screen === node }.sortedBackToFront()
        if policy.orphans == .main, let main = screenNodes.first {
            for window in residents where window.screen === node { place(window, on: main) }
        } else {
            let awaited = policy.orphans == .main ? nil : node.value.identity
            detach(residents, awaiting: awaited)
        }
        guard let seat else { return }
        cancelTouches(of: seat, on: id)
        losePencils(of: seat, on: id)
        losePointer(of: seat, on: id)
    }

    /// S3, S6: switches to another of the screen's modes. Windows follow the new bounds (R2).
    public func setMode(_ mode: Screen.Mode, of id: Screen.ID) throws(ModelError) {
        try setMode(mode, scale: try node(id).value.scale, of: id)
    }

    /// Pixels per point, 1/64…64. Windows follow the new bounds (R2); it is not a change of mode (S6).
    public func setScale(_ scale: Double, of id: Screen.ID) throws(ModelError) {
        try setMode(try node(id).value.currentMode, scale: scale, of: id)
    }

    /// Changes both at once, so that windows and applications see a single change: of the mode, if that is another.
    public func setMode(_ mode: Screen.Mode, scale: Double, of id: Screen.ID) throws(ModelError) {
        let node = try node(id)
        try node.value.properties.validate(current: mode)
        try ScreenDescription.validate(scale: scale)
        guard mode != node.value.currentMode || scale != node.value.scale else { return }
        let before = node.value
        var value = before
        value.currentMode = mode
        value.properties.currentMode = mode
        value.properties.scale = scale
        node.value = value
        if mode == before.currentMode { propertiesDidChange(of: id) } else { record(.modeDidChange(id)) }
        boundsDidChange(of: node, from: before)
    }

    /// S5: how overscan is compensated.
    public func setOverscan(_ overscan: Screen.Overscan, of id: Screen.ID) throws(ModelError) {
        let node = try node(id)
        guard overscan != node.value.properties.overscan else { return }
        let before = node.value
        node.value.properties.overscan = overscan
        propertiesDidChange(of: id)
        boundsDidChange(of: node, from: before)
    }

    /// The screen's position in the global layout, in points within ±8,388,607. From now on it is kept whatever happens to
    /// other screens; those whose position was not set make room for it.
    public func setPosition(_ position: Point, of id: Screen.ID) throws(ModelError) {
        let node = try node(id)
        try ScreenDescription.validate(position: position)
        guard position != node.value.position || !node.value.properties.isPositioned else { return }
        node.value.properties.isPositioned = true
        node.value.properties.position = position
        propertiesDidChange(of: id)
        makeRoom(for: node, isNew: false)
    }

    /// 0…1.
    public func setBrightness(_ brightness: Double, of id: Screen.ID) throws(ModelError) {
        let node = try node(id)
        try ScreenDescription.validate(brightness: brightness)
        guard brightness != node.value.properties.brightness else { return }
        node.value.properties.brightness = brightness
        propertiesDidChange(of: id)
    }

    /// S1: turns the power of a screen off or on. Off, its picture is black; nothing else changes, windows included.
    public func setPowered(_ isPowered: Bool, of id: Screen.ID) throws(ModelError) {
        let node = try node(id)
        guard isPowered != node.value.isPowered else { return }
        node.value.isDark = isPowered ? nil : true
        propertiesDidChange(of: id)
        changed(node)
    }

    /// S1: recorded once for all changes before the effects are drained; connecting and a change of mode imply it.
    func propertiesDidChange(of id: Screen.ID) {
        let implying: [Effect] = [.screenPropertiesDidChange(id), .modeDidChange(id), .screenDidConnect(id)]
        guard !effects.contains(where: implying.contains) else { return }
        record(.screenPropertiesDidChange(id))
    }

    /// S2: the main screen first, the others in order of connection, which is the order of their ids.
    private func putMainScreenFirst() {
        screenNodes.sort { $0.id < $1.id }
        guard let main = screenNodes.firstIndex(where: { $0.value.kind == .builtIn }), main > 0 else { return }
        screenNodes.insert(screenNodes.remove(at: main), at: 0)
    }

    /// R2, R3: the frames follow the bounds that their applications see.
    func boundsDidChange(of node: ScreenNode, from before: Screen) {
        for window in windowNodes.values.filter({ $0.screen === node }).sortedBackToFront() {
            follow(node, window, from: window.isFixed ? before.fixedBounds : before.bounds)
        }
        for entry in node.order { markBox(entry.window) }
        changed(node)
        makeRoom(around: node, from: before)
    }

    /// R2 for one window; `old` is the space of its screen before the change.
    func follow(_ screen: ScreenNode, _ window: WindowNode, from old: Rect) {
        let new = window.space(on: screen)
        guard new != old else { return }
        let (frame, mask) = (window.value.frame, window.value.autoresizing)
        let isFull = frame == old || window.value.fillsScreen
        let full = window.value.margins.map { new.without($0) } ?? new
        applyFrame(isFull ? full : mask.frame(frame, from: old.size, to: new.size), to: window)
    }

    /// S2, S8: moves waiting windows to a screen; first all state, then the notifications, back to front.
    private func attachWaitingWindows(to node: ScreenNode) {
        let identity = node.value.identity
        let waiting = windowNodes.values
            .filter { $0.screen == nil && ($0.value.awaitedScreen ?? identity) == identity }.sortedBackToFront()
        for window in waiting {
            window.screen = node
            window.value.screen = node.id
            window.value.awaitedScreen = nil
            if window.wantsVisible { enterScreen(window) }
        }
        for window in waiting {
            record(.screenDidChange(window.id, window.value.application, node.id))
            if window.takesBounds { applyFrame(window.space(on: node), to: window) }
        }
        // W3: before their parents can take key (K2), which they keep.
        returning = waiting.filter(\.value.isVisible)
        let followers = waiting.flatMap { $0.children.filter(\.followsParent) }.sortedBackToFront()
        for window in followers where window.followsParent {
            window.followsParent = false
            if window.screen !== node { place(window, on: node) }
        }
        let shown = returning ?? []
        returning = nil
        for window in shown { didBecomeVisible(window) }
        holdersTakeKey()
    }

    /// S8: hides all windows of a lost screen before any notification, so that none of them inherits key.
    private func detach(_ windows: [WindowNode], awaiting: Screen.Identity?) {
        let visible = windows.filter(\.value.isVisible)
        for window in windows {
            if window.value.isVisible { leaveScreen(window) }
            window.screen = nil
            window.value.screen = nil
            window.value.awaitedScreen = awaiting
        }
        var next = visible.makeIterator()
        var shown = next.next()
        for window in windows {
            if window === shown {
                didBecomeHidden(window)
                shown = next.next()
            }
            record(.screenDidChange(window.id, window.value.application, nil))
        }
    }
}
