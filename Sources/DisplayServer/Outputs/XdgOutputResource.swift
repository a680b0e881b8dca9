// zxdg_output_manager_v1 and zxdg_output_v1

import Wayland
import WindowModel

/// zxdg_output_manager_v1: tells where screens lie in the global layout.
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

/// zxdg_output_v1: a screen's place in points. It follows its wl_output: inert once the screen is unplugged (S9), or the
/// wl_output released.
final class XdgOutputResource: Resource {
    // The wl_output says when it becomes inert.
    private(set) weak var output: OutputResource?
    /// What the client was told last; the same is not told twice.
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

    /// S9: the screen is gone, or the wl_output.
    func makeInert() { output = nil }

    /// Sends the state when it is not what the client knows. From version 3 on the caller ends it with wl_output.done.
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
