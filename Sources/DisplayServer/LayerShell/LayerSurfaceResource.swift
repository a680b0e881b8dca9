// zwlr_layer_surface_v1

import MullionGeometry
import MullionWayland
import WindowModel

/// A surface in a layer of a screen: a window of the layer's level, visible while it has content (V1).
package final class LayerSurfaceResource: Resource, SurfaceRole, PopupParent {
    static let roleName = RoleName.layerSurface

    var window: Window.ID?
    var surface: SurfaceResource?
    weak var shell: LayerShellResource?
    /// The screen among whose layers it is; nil before there is one.
    var screen: Screen.ID?
    /// Those of the next and of the last commit (C4).
    var pending = LayerState(layer: .background)
    var current = LayerState(layer: .background)
    /// The size last sent; nil before the first configure.
    var sent: Size?
    var serials = ConfigureSerials()
    var hasCommittedFirst = false
    /// Whether it had content after the last commit.
    var isMapped = false
    /// Whether `closed` was sent: everything but destroy is ignored.
    var isClosed = false
    /// The pop-ups whose parent this is, in order of creation.
    var popups: [PopupResource] = []
    var popupsWillFollow = false
    private var charge: MemoryCharge

    init(_ client: Client, id: ObjectID, version: UInt32) throws(ProtocolError) {
        charge = MemoryCharge(to: client.holdings, bytes: MemoryCost.window)
        try super.init(client, id: id, version: version)
    }

    package override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        let request = try decode(ZwlrLayerSurfaceV1.Request.self, opcode, &reader)
        if case .destroy = request { return destroy() }
        if case .getPopup(let popup) = request {
            return try add(connection.resource(popup, as: PopupResource.self))
        }
        guard !isClosed else { return }
        switch request {
        case .setSize(let width, let height):
            let most = UInt32(Int32.max)
            guard width <= most, height <= most else {
                throw error(.invalidSize, "\(width)x\(height) is not a size; use at most \(most)")
            }
            (pending.width, pending.height) = (width, height)
        case .setAnchor(let anchor):
            guard anchor.rawValue < 16 else {
                throw error(.invalidAnchor, "\(anchor.rawValue) is not a set of edges; use 0 to 15")
            }
            pending.anchor = anchor
        case .setExclusiveZone(let zone): pending.zone = zone
        case .setMargin(let top, let right, let bottom, let left):
            (pending.top, pending.right, pending.bottom, pending.left) = (top, right, bottom, left)
        case .setKeyboardInteractivity(let value): pending.keyboard = try keyboard(value)
        case .ackConfigure(let serial):
            guard serials.acknowledge(serial) else {
                throw error(.invalidSurfaceState, "\(serial) is not the serial of an unacknowledged configure")
            }
        case .setLayer(let value):
            guard let layer = LayerState.Layer(rawValue: value.rawValue) else {
                throw shell?.invalidLayer(value)
                    ?? error(.invalidSurfaceState, "\(value.rawValue) is not a layer; use 0 to 3")
            }
            if allows(layer) { pending.layer = layer }
        case .getPopup, .destroy: break
        }
    }

    private func keyboard(
        _ value: ZwlrLayerSurfaceV1.KeyboardInteractivity
    ) throws(ProtocolError) -> LayerState.Keyboard {
        // Before version 4 it was a truth value.
        if version < 4 { return value.rawValue == 0 ? .none : .exclusive }
        guard let keyboard = LayerState.Keyboard(rawValue: value.rawValue) else {
            throw error(
                .invalidKeyboardInteractivity, "\(value.rawValue) is not a keyboard interactivity; use 0, 1 or 2")
        }
        return keyboard
    }

    package override func willDestroy() {
        surface?.clearRole()
        endWindow()
        surface = nil
    }

    func error(_ code: ZwlrLayerSurfaceV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }

    func setCharge(namespace: String) { charge.bytes = MemoryCost.window + MemoryCost.text(namespace) }

    // MARK: Configure

    /// Sends the client the size that the surface should have, unless it is the same as before.
    func configure(_ size: Size) {
        guard hasCommittedFirst, !isClosed, size != sent else { return }
        sent = size
        let serial = server.nextSerial()
        serials.didSend(serial)
        send(
            ZwlrLayerSurfaceV1.Event.configure(
                serial: serial, width: UInt32(Int32(clamped: size.width)), height: UInt32(Int32(clamped: size.height))))
    }

    /// A description of the configure event that the client has not completely handled; nil when there is none.
    var openConfigure: String? {
        guard hasCommittedFirst, let window else { return nil }
        return serials.description(of: "window \(window)", surface)
    }

    // MARK: Role

    var containingWindow: Window.ID? { window }

    /// Nothing is attached before the first configure, which the first commit brings about; unmapping starts again.
    func willAttach(_ buffer: BufferResource) throws(ProtocolError) {
        guard sent != nil || isClosed else {
            throw error(.invalidSurfaceState, "a buffer was attached before the first configure")
        }
    }

    func willCommit(_ state: SurfaceState, on surface: SurfaceResource) throws(ProtocolError) {
        serials.didCommit()
        guard !isClosed else { return }
        guard pending.isComplete else {
            throw error(
                .invalidSize,
                "the size \(pending.width)x\(pending.height) needs anchors at both edges of each axis that is 0")
        }
        guard !(state.attaches ?? surface.willHaveContents) || serials.acknowledged != nil else {
            throw error(
                .invalidSurfaceState, "a buffer was committed before the first configure was acknowledged")
        }
    }

    func didCommit(on surface: SurfaceResource) throws(ProtocolError) {
        guard !isClosed else { return }
        applyState()
        if surface.hasContents {
            isMapped = true
            followContents(surface)
        } else if isMapped {
            reset()
        } else if !hasCommittedFirst {
            hasCommittedFirst = true
            surface.updatePreferences()
            layers?.setNeedsArrangement()
        }
    }

    /// After unmapping by a null buffer, the next commit is treated as the first one again. What the client has set
    /// stays: a client that sets it again notices no difference.
    private func reset() {
        isMapped = false
        hasCommittedFirst = false
        serials.didUnmap()
        sent = nil
        dismissPopups()
    }

    func surfaceWillBeDestroyed(_ surface: SurfaceResource) {
        endWindow()
        self.surface = nil
    }
}
