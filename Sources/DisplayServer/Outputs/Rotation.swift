// R1: rotates screens, and ends the rotations when their time is over.

import MullionSystem
import WindowModel

extension DisplayServer {
    /// R1: rotates a screen. `duration` is in microseconds; nil: 0.3 s for a quarter turn, twice that for a half turn.
    public func rotate(
        _ id: Screen.ID, to orientation: Screen.Orientation, duration: UInt64? = nil
    ) throws(ModelError) {
        // Earlier changes must be sent with the old orientation.
        deliverEffects()
        try model.rotate(id, to: orientation, duration: duration, time: clock.now)
        rotationTimer.arm()
    }
}

extension DisplayServer {
    /// Changes everything about a screen that can change while it is connected: mode, scale, orientation (in `duration`
    /// microseconds, R1), flip, overscan, mirroring, position and brightness. Checks everything before changing
    /// anything.
    /// - Parameter old: what the wanted properties were made from; a position that is the same was not wanted. Nil: the
    ///   current ones.
    public func change(
        _ id: Screen.ID, to wanted: ScreenDescription, from old: ScreenDescription? = nil, duration: UInt64? = nil
    ) throws(ModelError) {
        try check(wanted, for: id)
        guard let old = old ?? model.screen(id)?.properties else { throw .unknown(id) }
        // Rotate first: applications are notified while everything else is unchanged (R1).
        try rotate(id, to: wanted.orientation, duration: duration)
        if let mode = wanted.currentMode { try model.setMode(mode, scale: wanted.scale, of: id) }
        try model.setFlipped(wanted.isFlipped, of: id)
        try model.setOverscan(wanted.overscan, of: id)
        if isNewMirroring(wanted.mirroring, of: id) { try model.setMirroring(wanted.mirroring, of: id) }
        if wanted.position != old.position || wanted.isPositioned != old.isPositioned {
            try model.setPosition(wanted.position, of: id)
        }
        try model.setBrightness(wanted.brightness, of: id)
    }

    /// Whether `change` would be accepted.
    func check(_ wanted: ScreenDescription, for id: Screen.ID) throws(ModelError) {
        try wanted.checked()
        if isNewMirroring(wanted.mirroring, of: id) { try model.validate(mirroring: wanted.mirroring, of: id) }
    }

    /// An unchanged setting may name a screen that is currently disconnected (S7).
    private func isNewMirroring(_ mirroring: Screen.Mirroring, of id: Screen.ID) -> Bool {
        mirroring != model.screen(id)?.properties.mirroring
    }
}

extension DisplayServer {
    /// R3: whether programs of this name have the rotation policy `fixed` by default.
    func hasFixedRotation(_ program: String) -> Bool { fixedRotation.contains { ProcessName.isMeant(program, by: $0) } }

    /// R3: sets whether a client's windows rotate with their screens, and sends it the screens as it sees them now.
    func setRotationPolicy(_ policy: Application.RotationPolicy, of client: Client) {
        guard model.application(client.application)?.rotationPolicy != policy else { return }
        logErrors { () throws(ModelError) in try model.setRotationPolicy(policy, of: client.application) }
        for resource in client.screens {
            if let screen = resource.screen.flatMap({ model.screen($0) }) { resource.describe(screen) }
        }
        for output in client.outputs {
            if let screen = output.screen.flatMap({ model.screen($0) }) { output.describe(screen) }
        }
        for surface in surfaces.all where surface.client === client { surface.updatePreferences() }
    }
}

/// Wakes the model when a rotation ends.
final class RotationTimer {
    private unowned let server: DisplayServer
    private var timer: ClockTimer?

    init(_ server: DisplayServer) {
        self.server = server
        timer = ClockTimer(server.clock) { [unowned self] deadline, _ in
            server.model.advanceTime(to: deadline)
            arm()
        }
    }

    func arm() {
        guard let deadline = server.model.nextDeadline else {
            timer?.cancel()
            return
        }
        timer?.arm(at: deadline)
    }

    /// Descriptions of the rotations in progress.
    var turns: [String] {
        let turning = server.model.screens.filter { server.model.isRotating($0) }
        return turning.compactMap { server.model.screen($0) }.map { "screen \($0.name) is turning" }
    }
}
