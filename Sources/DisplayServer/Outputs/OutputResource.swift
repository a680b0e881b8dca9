// wl_output

import Displays
import MullionWayland
import WindowModel

/// A client's view of a screen. Once the screen is unplugged the object is inert (S9).
final class OutputResource: Resource {
    /// Nil once the screen is unplugged.
    private(set) var screen: Screen.ID?
    /// The state last sent; an unchanged state is not sent again.
    private var sent: OutputState?
    /// In order of creation.
    private(set) var xdgOutputs: [XdgOutputResource] = []

    init(_ client: Client, id: ObjectID, version: UInt32, screen: Screen?) throws(ProtocolError) {
        self.screen = screen?.id
        try super.init(client, id: id, version: version)
        guard let screen else { return }
        try client.checkBindings(client.outputs.count)
        client.outputs.append(self)
        describe(screen)
        if client.surfaceCount > 0 {
            for surface in client.resources(of: SurfaceResource.self) { surface.didBind(self) }
        }
        server.foreignToplevels.didBind(self)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlOutput.Request.self, opcode, &reader) {
        case .release: destroy()
        }
    }

    override func willDestroy() { makeInert() }

    /// S9: called when the screen is disconnected or this object destroyed. The object receives no more events and no
    /// longer counts: before version 3 a client cannot release it.
    func makeInert() {
        screen = nil
        client.outputs.removeAll { $0 === self }
        for object in xdgOutputs { object.makeInert() }
        xdgOutputs = []
    }

    /// Sends the state as the application sees it (R3) if it has changed, followed by one `done` for all objects of the
    /// screen.
    func describe(_ screen: Screen) {
        let state = OutputState(screen.seen(by: client.rotationPolicy))
        guard state != sent else { return }
        let isFirst = sent == nil
        sent = state
        let properties = screen.properties
        send(
            WlOutput.Event.geometry(
                x: state.logical.x, y: state.logical.y, physicalWidth: state.physicalWidth,
                physicalHeight: state.physicalHeight, subpixel: .unknown, make: screen.make,
                model: properties.model, transform: state.transform))
        send(
            WlOutput.Event.mode(
                flags: state.flags, width: state.width, height: state.height, refresh: state.refresh))
        if version >= 2 { send(WlOutput.Event.scale(factor: state.scale)) }
        if version >= 4, isFirst {
            send(WlOutput.Event.name(name: screen.name))
            send(WlOutput.Event.description(description: screen.localizedDescription))
        }
        for object in xdgOutputs { object.describe(screen, state.logical) }
        sendDone()
    }

    /// Adds and describes a zxdg_output_v1, which receives later changes too.
    func add(_ object: XdgOutputResource) {
        xdgOutputs.append(object)
        guard let value = screen.flatMap({ server.model.screen($0) }) else { return }
        object.describe(value, OutputState(value.seen(by: client.rotationPolicy)).logical)
        if object.version >= 3 { sendDone() }
    }

    func remove(_ object: XdgOutputResource) { xdgOutputs.removeAll { $0 === object } }

    private func sendDone() {
        if version >= 2 { send(WlOutput.Event.done) }
    }
}

extension Int32 {
    /// Truncated and clamped to 32 bits; NaN becomes 0.
    init(clamped value: Double) {
        self = value.isNaN ? 0 : Int32(Swift.min(Swift.max(value, Double(Int32.min)), Double(Int32.max)))
    }
}
