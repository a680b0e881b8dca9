// zwlr_layer_shell_v1

import MullionWayland
import WindowModel

/// Gives surfaces a place in a layer of a screen: panels, wallpapers, notifications, launchers.
final class LayerShellResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrLayerShellV1.Request.self, opcode, &reader) {
        case .getLayerSurface(let id, let surfaceID, let outputID, let layer, let namespace):
            let surface = try connection.resource(surfaceID, as: SurfaceResource.self)
            let output = try connection.resource(outputID, as: OutputResource.self)
            guard let layer = LayerState.Layer(rawValue: layer.rawValue) else { throw invalidLayer(layer) }
            guard !surface.willHaveContents, surface.pending?.attaches != true else {
                throw error(.alreadyConstructed, "surface \(surfaceID) already has a buffer")
            }
            try client.checkWindow(on: output?.screen, errorOn: self.id)
            let object = try LayerSurfaceResource(client, id: id, version: version)
            try surface.setRole(object, errorOn: self.id, code: ZwlrLayerShellV1.Error.role.rawValue)
            object.start(surface, shell: self, layer: layer, namespace: namespace, on: output)
        case .destroy: destroy()
        }
    }

    func invalidLayer(_ layer: ZwlrLayerShellV1.Layer) -> ProtocolError {
        error(.invalidLayer, "\(layer.rawValue) is not a layer; use 0 to 3")
    }

    private func error(_ code: ZwlrLayerShellV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
