// Rotation (R1–R4).

extension WindowModel {
    /// R1: rotates a screen: `orientationWillChange`, the new state and frames (R2), and, after `duration`,
    /// `orientationDidChange`. `duration` and `time` are in microseconds; nil: 0.3 s for a quarter turn, twice that for
    /// a half turn. A rotation in progress ends immediately. Touches on the screen are cancelled (E2); the pointer
    /// keeps its position on the panel. Setting the same orientation again does nothing. Throws S1 for an unknown
    /// screen, R1 for more than 60 s.
    public func rotate(
        _ id: Screen.ID, to orientation: Screen.Orientation, duration: UInt64? = nil, time: UInt64
    ) throws(ModelError) {
        let node = try node(id)
        let before = node.value.orientation
        let duration = duration ?? before.turningTime(to: orientation)
        guard duration <= 60_000_000 else { throw .invalid(.r1, "the duration of a rotation exceeds 60 s") }
        advance(to: time)
        guard orientation != before else { return }
        finishRotation(of: node)
        record(.orientationWillChange(id, from: before, to: orientation, duration: duration))
        turn(node, { $0.orientation = orientation }) {
            // An effect recorded before the will-change would announce the old state; the new one is announced
            // afterwards.
            effects.removeAll { $0 == .screenPropertiesDidChange(id) }
            record(.screenPropertiesDidChange(id))
        }
        node.rotation = ScreenNode.Rotation(from: before, deadline: now + duration)
        rotating.append(node)
        if duration == 0 { finishRotation(of: node) }
    }

    /// Sets whether the panel mirrors everything left to right; touches follow (R4).
    public func setFlipped(_ isFlipped: Bool, of id: Screen.ID) throws(ModelError) {
        let node = try node(id)
        guard isFlipped != node.value.properties.isFlipped else { return }
        turn(node, { $0.isFlipped = isFlipped }) { propertiesDidChange(of: id) }
    }

    /// R3: sets whether an application's windows rotate with their screens.
    public func setRotationPolicy(_ policy: Application.RotationPolicy, of id: Application.ID) throws(ModelError) {
        let application = try node(id)
        guard policy != application.value.rotationPolicy else { return }
        let placed = application.windows.compactMap { window in
            window.screen.map { (window: window, screen: $0, old: window.space(on: $0)) }
        }
        // E2: on a rotated screen the windows are now in different places.
        for (window, screen, _) in placed where screen.value.orientation != .portrait { cancelSequences(in: window) }
        application.value.rotationPolicy = policy
        for (window, screen, old) in placed {
            follow(screen, window, from: old)
            didChange(window)
        }
    }

    /// Whether a rotation is in progress.
    public func isRotating(_ id: Screen.ID) -> Bool { screenNode(id)?.rotation != nil }

    /// When time will next cause a change, in microseconds; nil: never.
    public var nextDeadline: UInt64? { rotating.compactMap(\.rotation?.deadline).min() }

    /// Makes the changes that are due at `time`, in microseconds.
    public func advanceTime(to time: UInt64) {
        advance(to: time)
        while let next = rotating.min(by: { ($0.rotation?.deadline ?? 0) < ($1.rotation?.deadline ?? 0) }),
            next.rotation?.deadline ?? 0 <= time
        {
            finishRotation(of: next)
        }
    }

    /// R1: ends a rotation.
    func finishRotation(of node: ScreenNode) {
        guard let rotation = node.rotation else { return }
        node.rotation = nil
        rotating.removeAll { $0 === node }
        record(.orientationDidChange(node.id, from: rotation.from, to: node.value.orientation))
    }

    /// Changes the content's orientation on the panel; `recordEffects` records effects before the frames that follow.
    private func turn(_ node: ScreenNode, _ change: (inout ScreenDescription) -> Void, recordEffects: () -> Void) {
        // E2, R4: other windows are under the fingers now.
        cancelSequences { $0.window.screen === node }
        if let seat = node.seat { cancelCarried(of: seat) { touch, _ in touch?.screen == node.id } }
        let seat = node.seat.flatMap { input[$0.id].pointerScreen == node.id ? $0.id : nil }
        let pointer = seat.map { node.value.convertToPixels(input[$0].pointer) }
        let before = node.value
        var value = before
        change(&value.properties)
        node.value = value
        if let seat, let pointer { input[seat].pointer = value.convertFromPixels(pointer) }
        recordEffects()
        boundsDidChange(of: node, from: before)
    }
}
