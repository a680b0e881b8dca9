// mullion_screen_v1

import Displays
import MullionWayland
import WindowModel

/// A client's view of a screen in the window model. Inert once the screen is unplugged (S9).
final class ScreenResource: Resource {
    /// Nil once the screen is unplugged.
    private(set) var screen: Screen.ID?
    /// The display, connected or not.
    let identity: Screen.Identity

    convenience init(_ client: Client, version: UInt32, screen: Screen) {
        self.init(client, version: version, screen: screen.id, identity: screen.identity)
    }

    /// - Parameter screen: nil if it is unplugged.
    init(_ client: Client, version: UInt32, screen: Screen.ID?, identity: Screen.Identity) {
        self.screen = screen
        self.identity = identity
        super.init(serverSideOn: client, version: version)
        if screen != nil { client.screens.append(self) }
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(MullionScreenV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .setMode(let width, let height, let refresh): setMode(width: width, height: height, refresh: refresh)
        case .setScale(let scale):
            change { (screen) throws(ModelError) in try server.model.setScale(scale.double, of: screen.id) }
        case .setOrientation(let orientation): try setOrientation(orientation)
        case .setOverscan(let overscan): try setOverscan(overscan)
        case .setBrightness(let brightness):
            let wanted = Double(brightness) / Double(UInt32.max)
            change { (screen) throws(ModelError) in try server.model.setBrightness(wanted, of: screen.id) }
        case .setMirroring(let mirroring, let name): try setMirroring(mirroring, name: name)
        }
    }

    override func willDestroy() {
        if screen != nil { client.screens.removeAll { $0 === self } }
    }

    /// S9: called when the screen is gone. The object receives no more events, so keeping it costs nothing.
    func disconnect() {
        screen = nil
        client.screens.removeAll { $0 === self }
        send(MullionScreenV1.Event.didDisconnect)
    }

    /// S6: sends the state first, so that it is current when the notification arrives.
    func modeDidChange(_ screen: Screen) {
        describe(screen)
        send(MullionScreenV1.Event.modeDidChange)
    }

    /// R1: sent while the client still has the old orientation.
    func orientationWillChange(from old: Screen.Orientation, to new: Screen.Orientation, duration: UInt64) {
        send(
            MullionScreenV1.Event.orientationWillChange(
                oldOrientation: old.wire, newOrientation: new.wire, duration: UInt32(clamping: duration / 1000)))
    }

    /// R1: sent when the rotation has ended.
    func orientationDidChange(from old: Screen.Orientation, to new: Screen.Orientation) {
        send(MullionScreenV1.Event.orientationDidChange(oldOrientation: old.wire, newOrientation: new.wire))
    }

    /// Sends the whole state (S1), as the application sees it (R3).
    func describe(_ screen: Screen) {
        let screen = screen.seen(by: client.rotationPolicy)
        let properties = screen.properties
        if let name = server.output(of: screen.id)?.globalName { send(MullionScreenV1.Event.global(name: name)) }
        send(MullionScreenV1.Event.name(name: screen.name))
        send(MullionScreenV1.Event.kind(kind: screen.kind == .builtIn ? .builtIn : .external))
        send(
            MullionScreenV1.Event.identity(
                vendor: properties.vendor, model: properties.model, serial: properties.serial))
        let native = screen.nativeBounds.size
        send(
            MullionScreenV1.Event.nativeBounds(
                width: Int32(clamped: native.width), height: Int32(clamped: native.height)))
        for mode in properties.modes {
            var flags: MullionScreenV1.ModeFlags = []
            if mode == screen.currentMode { flags.insert(.current) }
            if mode == screen.preferredMode { flags.insert(.preferred) }
            send(
                MullionScreenV1.Event.mode(
                    width: Int32(clamping: mode.width), height: Int32(clamping: mode.height),
                    refresh: Int32(clamping: mode.refresh),
                    pixelAspectRatio: UInt32((min(mode.pixelAspectRatio, 65_535) * 65_536).rounded()), flags: flags))
        }
        send(MullionScreenV1.Event.scale(scale: Fixed(rounding: screen.scale)))
        send(MullionScreenV1.Event.orientation(orientation: screen.orientation.wire))
        send(MullionScreenV1.Event.flipped(flipped: properties.isFlipped ? 1 : 0))
        let shown = screen.mirroredScreen.flatMap { server.model.screen($0)?.name }
        send(MullionScreenV1.Event.mirrored(mirroring: properties.mirroring.wire, name: shown))
        let bounds = screen.bounds
        send(
            MullionScreenV1.Event.bounds(
                x: Fixed(rounding: bounds.minX), y: Fixed(rounding: bounds.minY),
                width: Fixed(rounding: bounds.size.width), height: Fixed(rounding: bounds.size.height)))
        send(
            MullionScreenV1.Event.position(
                x: Fixed(rounding: screen.position.x), y: Fixed(rounding: screen.position.y)))
        let insets = screen.overscanCompensationInsets
        send(
            MullionScreenV1.Event.overscan(
                compensation: properties.overscan.wire, top: Fixed(rounding: insets.top),
                left: Fixed(rounding: insets.left), bottom: Fixed(rounding: insets.bottom),
                right: Fixed(rounding: insets.right)))
        let brightness = max(0, min(1, properties.brightness))
        send(MullionScreenV1.Event.brightness(brightness: UInt32(brightness * Double(UInt32.max))))
        send(MullionScreenV1.Event.maximumFramesPerSecond(frames: UInt32(clamping: properties.maximumFramesPerSecond)))
        send(MullionScreenV1.Event.interactive(interactive: screen.isInteractive ? 1 : 0))
        send(MullionScreenV1.Event.done)
    }
}

extension Screen.Orientation {
    var wire: MullionScreenV1.Orientation {
        switch self {
        case .portrait: .portrait
        case .portraitUpsideDown: .portraitUpsideDown
        case .landscapeLeft: .landscapeLeft
        case .landscapeRight: .landscapeRight
        }
    }
}

extension Screen.Mirroring {
    fileprivate var wire: MullionScreenV1.Mirroring {
        switch self {
        case .automatic: .automatic
        case .off: .off
        case .screen: .screen
        }
    }
}

extension Screen.Overscan {
    var wire: MullionScreenV1.Overscan {
        switch self {
        case .scale: .scale
        case .insetBounds: .insetBounds
        case .none: .none
        }
    }
}
