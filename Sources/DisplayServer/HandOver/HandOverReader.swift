// Restores a client.

import Compositor
import MullionSystem
import MullionWayland
import WindowModel

/// Restores the objects of one client. Their output is dropped at the end, because the other server has already sent
/// it.
struct HandOverReader {
    let server: DisplayServer
    let client: Client
    private var memories: [SharedMemory] = []
    /// Shared by all of the client's screen copies: the last copied frames are no longer known.
    let screencopyHistory = CaptureHistory()

    init(_ client: Client, _ saved: SavedClient, _ files: [FileName: OwnedDescriptor]) throws {
        self.client = client
        server = client.server
        for memory in saved.memories {
            // Several pools can share a file.
            guard let descriptor = files[memory.file]?.duplicate() else {
                throw HandOverError("its shared memory was not handed over")
            }
            guard memory.size > 0, memory.size <= server.limits.poolBytes else {
                throw HandOverError("a pool has \(memory.size) bytes")
            }
            switch SharedMemory.adopt(
                descriptor, size: memory.size, account: client.pools, readsInPlace: client.isTrusted,
                keepsDescriptor: server.keepsPoolDescriptor(of: client),
                allowsLocalFiles: client.mayUseLocalFiles)
            {
            case .success(let memory): memories.append(memory)
            case .failure(let refusal): throw HandOverError("its shared memory: \(refusal.reason)")
            }
        }
    }

    /// - Parameter place: nil: blank memory, as X servers get.
    func memory(_ place: Int?) throws -> SharedMemory {
        guard let place else {
            guard let blank = server.pools.blank else { throw HandOverError("the address space has no room") }
            return blank
        }
        guard memories.indices.contains(place) else { throw HandOverError("pool \(place) is missing") }
        return memories[place]
    }

    func resource<R: Resource>(_ id: ObjectID, as type: R.Type = R.self) throws -> R {
        try client.resource(id, as: type)
    }

    func resource<R: Resource>(_ id: ObjectID?, as type: R.Type = R.self) throws -> R? {
        try client.resource(id, as: type)
    }

    func seat(_ id: Seat.ID) throws -> ServerSeat {
        guard let seat = server.seat(id) else { throw HandOverError("there is no seat \(id)") }
        return seat
    }

    /// The screen with that id, if it is still connected.
    func screen(_ id: Screen.ID?) throws -> Screen? {
        guard let id else { return nil }
        guard let screen = server.model.screen(id) else { throw HandOverError("there is no screen \(id)") }
        return screen
    }

    func object(_ reference: ObjectReference) -> Resource? {
        server.client(reference.application)?.resource(reference.object)
    }
}
