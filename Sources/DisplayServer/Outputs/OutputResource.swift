// wl_output

import Wayland
import WindowModel

/// A client's view of a screen. Once the screen is unplugged the object is inert (S9).
final class OutputResource: Resource {
    /// Nil once the screen is unplugged.
    private(set) var screen: Screen.ID?

    init(_ client: Client, id: ObjectID, version: UInt32, screen: Screen?) throws(ProtocolError) {
        self.screen = screen?.id
        try super.init(client, id: id, version: version)
        try client.checkBindings(client.outputs.count)
        client.outputs.append(self)
        guard let screen else { return }
        describe(screen)
        for surface in client.resources(of: SurfaceResource.self) { surface.didBind(self) }
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlOutput.Request.self, opcode, &reader) {
        case .release: destroy()
        }
    }

    override func willDestroy() {
        client.outputs.removeAll { $0 === self }
    }

    /// S9: the screen is gone.
    func makeInert() { screen = nil }

    /// Sends the whole state.
    func describe(_ screen: Screen) {
        let properties = screen.properties
        send(
            WlOutput.Event.geometry(
                x: Int32(clamped: screen.position.x), y: Int32(clamped: screen.position.y),
                physicalWidth: Int32(clamped: properties.physicalSize.width),
                physicalHeight: Int32(clamped: properties.physicalSize.height), subpixel: .unknown,
                make: properties.vendor, model: properties.model, transform: screen.outputTransform))
        let mode = screen.currentMode
        let flags: WlOutput.Mode = mode == screen.preferredMode ? [.current, .preferred] : .current
        send(
            WlOutput.Event.mode(
                flags: flags, width: Int32(clamping: mode.width), height: Int32(clamping: mode.height),
                refresh: Int32(clamping: mode.refresh)))
        if version >= 2 { send(WlOutput.Event.scale(factor: Int32(clamped: screen.scale.rounded(.up)))) }
        if version >= 4 {
            send(WlOutput.Event.name(name: screen.name))
            send(WlOutput.Event.description(description: screen.localizedDescription))
        }
        if version >= 2 { send(WlOutput.Event.done) }
    }
}

extension Int32 {
    /// Without what is after the point, and within what 32 bits carry; NaN becomes 0.
    init(clamped value: Double) {
        self = value.isNaN ? 0 : Int32(Swift.min(Swift.max(value, Double(Int32.min)), Double(Int32.max)))
    }
}

extension Screen {
    /// What a person reads where the screen is to be chosen.
    var localizedDescription: String {
        [properties.vendor, properties.model, "(\(name))"].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension Screen {
    /// What is done to the content to get what the panel shows: mirrored left to right or not, then turned
    /// counter-clockwise.
    var outputTransform: WlOutput.Transform {
        switch (orientation, properties.isFlipped) {
        case (.portrait, false): .normal
        case (.landscapeLeft, false): ._90
        case (.portraitUpsideDown, false): ._180
        case (.landscapeRight, false): ._270
        case (.portrait, true): .flipped
        case (.landscapeLeft, true): .flipped90
        case (.portraitUpsideDown, true): .flipped180
        case (.landscapeRight, true): .flipped270
        }
    }
}
