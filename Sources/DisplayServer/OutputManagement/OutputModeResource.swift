// zwlr_output_mode_v1

import MullionWayland
import WindowModel

/// A mode of a head. Inert once the head's screen is unplugged (S9).
final class OutputModeResource: Resource {
    /// The name of its screen.
    let head: String
    let mode: Screen.Mode

    init(_ client: Client, version: UInt32, head: String, mode: Screen.Mode) {
        self.head = head
        self.mode = mode
        super.init(serverSideOn: client, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrOutputModeV1.Request.self, opcode, &reader) {
        case .release: destroy()
        }
    }

    func describe(isPreferred: Bool) {
        send(ZwlrOutputModeV1.Event.size(width: Int32(clamping: mode.width), height: Int32(clamping: mode.height)))
        send(ZwlrOutputModeV1.Event.refresh(refresh: Int32(clamping: mode.refresh)))
        if isPreferred { send(ZwlrOutputModeV1.Event.preferred) }
    }

    func finish() {
        send(ZwlrOutputModeV1.Event.finished)
        // Before version 3 the client cannot release it.
        if version < 3 { retire() }
    }
}
