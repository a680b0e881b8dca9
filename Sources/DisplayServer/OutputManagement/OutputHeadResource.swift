// zwlr_output_head_v1

import Displays
import MullionWayland
import WindowModel

/// A client's view of a plugged-in screen. Inert once the screen is unplugged (S9).
final class OutputHeadResource: Resource {
    /// The state last sent.
    private(set) var sent: OutputHeadState
    var isFinished = false
    var modes: [OutputModeResource] = []

    init(_ client: Client, version: UInt32, state: OutputHeadState) {
        sent = state
        super.init(serverSideOn: client, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrOutputHeadV1.Request.self, opcode, &reader) {
        case .release: destroy()
        }
    }

    /// Sends the complete state, after the head was announced.
    func describe() {
        let display = sent.display
        send(ZwlrOutputHeadV1.Event.name(name: display.name))
        send(ZwlrOutputHeadV1.Event.description(description: display.description))
        if display.width > 0, display.height > 0 {
            send(ZwlrOutputHeadV1.Event.physicalSize(width: display.width, height: display.height))
        }
        if version >= 2 {
            if !display.make.isEmpty { send(ZwlrOutputHeadV1.Event.make(make: display.make)) }
            if !display.model.isEmpty { send(ZwlrOutputHeadV1.Event.model(model: display.model)) }
            if !display.serialNumber.isEmpty {
                send(ZwlrOutputHeadV1.Event.serialNumber(serialNumber: display.serialNumber))
            }
        }
        for mode in display.modes {
            let resource = OutputModeResource(client, version: version, head: display.name, mode: mode)
            modes.append(resource)
            send(ZwlrOutputHeadV1.Event.mode(mode: resource.id))
            resource.describe(isPreferred: mode == display.preferredMode)
        }
        if version >= 4 { send(ZwlrOutputHeadV1.Event.adaptiveSync(state: .disabled)) }
        send(sent, unlessIn: nil)
    }

    /// Sends what has changed.
    func update(_ state: OutputHeadState) {
        let old = sent
        sent = state
        if state != old { send(state, unlessIn: old) }
    }

    private func send(_ new: OutputHeadState, unlessIn old: OutputHeadState?) {
        if new.isEnabled != old?.isEnabled { send(ZwlrOutputHeadV1.Event.enabled(enabled: new.isEnabled ? 1 : 0)) }
        // A disabled head has no current mode, and a mode released by the client cannot be referenced.
        if new.isEnabled, new.setup.mode != old?.setup.mode || old?.isEnabled == false,
            let mode = modes.first(where: { $0.mode == new.setup.mode }), mode.isAlive
        {
            send(ZwlrOutputHeadV1.Event.currentMode(mode: mode.id))
        }
        // Send the rest for a disabled head too, although the protocol does not require it: tools that enable a head
        // send position, transform and scale with it, and would send zeros for those they have not received.
        let (setup, before) = (new.setup, old?.setup)
        if setup.x != before?.x || setup.y != before?.y {
            send(ZwlrOutputHeadV1.Event.position(x: setup.x, y: setup.y))
        }
        if setup.transform != before?.transform {
            send(ZwlrOutputHeadV1.Event.transform(transform: setup.transform))
        }
        if setup.scale != before?.scale { send(ZwlrOutputHeadV1.Event.scale(scale: setup.scale)) }
    }

    /// S9: called when the screen was unplugged.
    func finish() {
        isFinished = true
        for mode in modes { mode.finish() }
        send(ZwlrOutputHeadV1.Event.finished)
        // Before version 3 the client cannot release it.
        if version < 3 { retire() }
    }
}
