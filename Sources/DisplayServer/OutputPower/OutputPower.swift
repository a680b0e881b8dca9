// zwlr_output_power_manager_v1 and zwlr_output_power_v1

import MullionWayland
import WindowModel

/// Creates controls, for clients that may administer.
final class OutputPowerManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrOutputPowerManagerV1.Request.self, opcode, &reader) {
        case .getOutputPower(let id, let output):
            let output = try connection.resource(output, as: OutputResource.self)
            let control = try OutputPowerResource(client, id: id, version: version)
            try control.start(on: output.screen)
        case .destroy: destroy()
        }
    }
}

/// Turns the power of a screen off and on (S1).
final class OutputPowerResource: Resource {
    /// Nil once the screen is unplugged (S9).
    private(set) var screen: Screen.ID?
    /// The mode last sent.
    private var sent: ZwlrOutputPowerV1.Mode?

    /// - Parameter screen: nil when it was unplugged meanwhile.
    func start(on screen: Screen.ID?) throws(ProtocolError) {
        guard let screen, let output = server.output(of: screen), let value = server.model.screen(screen) else {
            return fail()
        }
        try client.checkBindings(output.powers.count { $0.connection === connection })
        self.screen = screen
        output.powers.append(self)
        update(value)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrOutputPowerV1.Request.self, opcode, &reader) {
        case .setMode(let mode):
            guard mode == .off || mode == .on else {
                throw ProtocolError(
                    object: id, code: ZwlrOutputPowerV1.Error.invalidMode.rawValue,
                    message: "\(mode.rawValue) is not a mode; use off (0) or on (1)")
            }
            guard let screen else { return }
            server.logErrors { () throws(ModelError) in try server.model.setPowered(mode == .on, of: screen) }
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        guard let screen else { return }
        server.output(of: screen)?.powers.removeAll { $0 === self }
    }

    /// Sends the mode if it has changed.
    func update(_ screen: Screen) {
        let mode: ZwlrOutputPowerV1.Mode = screen.isPowered ? .on : .off
        guard mode != sent else { return }
        sent = mode
        send(ZwlrOutputPowerV1.Event.mode(mode: mode))
    }

    /// Called when the screen is unplugged.
    func fail() {
        screen = nil
        send(ZwlrOutputPowerV1.Event.failed)
    }
}
