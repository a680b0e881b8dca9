// Pending surface state for a server that takes over.

import Compositor
import MullionGeometry
import MullionWayland
import WindowModel

extension SurfaceState {
    struct SavedState: Codable {
        enum Attachment: Codable {
            case unchanged, removed
            case buffer(BufferReference)
        }

        enum Region: Codable {
            case unchanged, unset
            case region([IntRect])

            init(_ change: RegionChange) {
                switch change {
                case .unchanged: self = .unchanged
                case .unset: self = .unset
                case .region(let region): self = .region(region.region.rectangles)
                }
            }

            var size: Int {
                if case .region(let rectangles) = self { rectangles.encodedSize } else { 0 }
            }

            func change(for client: Client) -> RegionChange {
                switch self {
                case .unchanged: .unchanged
                case .unset: .unset
                case .region(let rectangles): .region(KeptRegion(Compositor.Region(of: rectangles), for: client))
                }
            }
        }

        /// By the ids of the wl_subsurface and of the sibling.
        enum Child: Codable {
            case add(ObjectID)
            case position(ObjectID, Point)
            case above(ObjectID, ObjectID)
            case below(ObjectID, ObjectID)
        }

        var attachment = Attachment.unchanged
        var surfaceDamage: IntRect
        var bufferDamage: IntRect
        var opaque: Region
        var input: Region
        var scale: Int32?
        var transform: BufferTransform?
        var offset: Point
        var frameCallbacks: [ObjectID]
        var children: [Child]
        var extensions: SurfaceExtensionStates.SavedState

        /// About how many bytes it takes.
        var size: Int {
            let regions = opaque.size + input.size
            return 2 * SavedObject.fixedSize + regions + frameCallbacks.count * 8 + children.count * 60
                + extensions.variableSize
        }
    }
}

extension SurfaceState.SavedState {
    init(_ state: SurfaceState, _ writer: HandOverWriter) throws(HandOverError) {
        surfaceDamage = state.surfaceDamage
        bufferDamage = state.bufferDamage
        opaque = Region(state.opaque)
        input = Region(state.input)
        scale = state.scale
        transform = state.transform
        offset = state.offset
        extensions = (state.extensions ?? SurfaceExtensionStates()).savedState
        frameCallbacks = state.frameCallbacks.all
        // Skip objects that were destroyed since the request.
        children = state.children.compactMap { change in
            switch change {
            case .add(let child): child.isAlive ? .add(child.id) : nil
            case .position(let child, let position): child.isAlive ? .position(child.id, position) : nil
            case .above(let child, let sibling):
                child.isAlive && sibling.isAlive ? .above(child.id, sibling.id) : nil
            case .below(let child, let sibling):
                child.isAlive && sibling.isAlive ? .below(child.id, sibling.id) : nil
            }
        }
        switch state.attachment {
        case .unchanged: attachment = .unchanged
        case .removed: attachment = .removed
        case .buffer(let buffer): attachment = .buffer(try BufferReference(buffer, writer))
        }
    }

    func state(_ reader: HandOverReader) throws -> SurfaceState {
        let (state, client) = (SurfaceState(), reader.client)
        switch attachment {
        case .unchanged: state.attachment = .unchanged
        case .removed: state.attachment = .removed
        case .buffer(let buffer): state.attachment = .buffer(try buffer.buffer(reader))
        }
        guard scale ?? 1 >= 1 else { throw HandOverError("a buffer scale is less than 1") }
        state.surfaceDamage = surfaceDamage
        state.bufferDamage = bufferDamage
        state.opaque = opaque.change(for: client)
        state.input = input.change(for: client)
        state.scale = scale
        state.transform = transform
        state.offset = offset
        state.extensions = SurfaceExtensionStates(extensions, for: client)
        for callback in frameCallbacks { try client.reserveCallback(callback) }
        state.frameCallbacks = FrameCallbacks(frameCallbacks)
        for child in children {
            switch child {
            case .add(let id): state.append(.add(try reader.resource(id)), of: client)
            case .position(let id, let position):
                state.append(.position(try reader.resource(id), position), of: client)
            case .above(let id, let sibling):
                state.append(.above(try reader.resource(id), try reader.resource(sibling)), of: client)
            case .below(let id, let sibling):
                state.append(.below(try reader.resource(id), try reader.resource(sibling)), of: client)
            }
        }
        return state
    }
}
