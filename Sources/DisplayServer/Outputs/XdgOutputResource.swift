// zxdg_output_manager_v1 and zxdg_output_v1

import MullionWayland
import WindowModel

/// zxdg_output_manager_v1: provides the positions of screens in the global layout.
final class XdgOutputManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZxdgOutputManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .getXdgOutput(let id, let outputID):
            let output = try connection.resource(outputID, as: OutputResource.self)
            try client.checkBindings(client.outputs.reduce(0) { $0 + $1.xdgOutputs.count })
            try XdgOutputResource(client, id: id, version: version).start(output)
        }
    }
}

/// zxdg_output_v1: a screen's position and size in points. Becomes inert with its wl_output: when the screen is
/// unplugged (S9) or the wl_output released.
final class XdgOutputResource: Resource {
    // The wl_output notifies this object when it becomes inert.
    private(set) weak var output: OutputResource?
    /// The state last sent; an unchanged state is not sent again.
    private var sent: OutputState.Logical?

    func start(_ output: OutputResource) {
        guard output.screen != nil else { return }
        self.output = output
        output.add(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZxdgOutputV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        output?.remove(self)
        output = nil
    }

    /// S9: called when the screen or the wl_output is gone.
    func makeInert() { output = nil }

    /// Sends the state if it has changed. From version 3 on, the caller follows it with wl_output.done.
    func describe(_ screen: Screen, _ logical: OutputState.Logical) {
        guard logical != sent else { return }
        let isFirst = sent == nil
        sent = logical
        send(ZxdgOutputV1.Event.logicalPosition(x: logical.x, y: logical.y))
        send(ZxdgOutputV1.Event.logicalSize(width: logical.width, height: logical.height))
        if version >= 2, isFirst {
            send(ZxdgOutputV1.Event.name(name: screen.name))
            send(ZxdgOutputV1.Event.description(description: screen.localizedDescription))
        }
        if version < 3 { send(ZxdgOutputV1.Event.done) }
    }
}
