// Saving a client.

import Glibc
import MullionSystem
import MullionWayland
import StateCoding
import WindowModel

/// Saves clients, and collects the descriptors of the hand-over.
final class HandOverWriter {
    /// The most bytes of state that can be written and read well within the time that a service manager allows a
    /// service: for one client, and for all.
    static let mostBytesOfOne = 1 << 23
    static let mostBytes = SharedLimit(1 << 25)

    /// The files of each client, and those that belong to no client.
    private var files: [[(name: FileName, descriptor: OwnedDescriptor)]] = [[]]
    private var memories: [SavedClient.Memory] = []
    private var places: [ObjectIdentifier: Int] = [:]

    /// Every file once. Clients with few come first: if the service manager does not take all, few clients are
    /// affected.
    var descriptors: [OwnedDescriptor] {
        var names: Set<FileName> = []
        let order = files.indices.sorted { (files[$0].count, $0) < (files[$1].count, $1) }
        return order.flatMap { files[$0] }.filter { names.insert($0.name).inserted }.map(\.descriptor)
    }

    /// Saves a client.
    /// - Returns: also the approximate size of its state in bytes.
    /// - Throws: why it cannot be handed over.
    func save(_ client: Client) throws(HandOverError) -> (client: SavedClient, size: Int) {
        guard client.failure == nil else { throw HandOverError("it is being disconnected") }
        memories = []
        places = [:]
        files.append([])
        defer { files.append([]) }
        var objects: [SavedObject] = []
        var size = client.freeServerIDs.count * 8
        for resource in client.resources where resource.id != .display {
            guard let object = resource as? any Restorable else {
                throw HandOverError("object \(resource.id) (\(type(of: resource))) cannot be handed over")
            }
            let saved = try SavedObject(object, self)
            objects.append(saved)
            size += saved.size
            guard size <= Self.mostBytesOfOne else {
                throw HandOverError("its state has more than \(Self.mostBytesOfOne) bytes")
            }
        }
        let backlog = client.transport.backlog
        for descriptor in backlog.receivedDescriptors + backlog.queuedDescriptors {
            // These have not been checked yet: `fstat` could block on them.
            guard DescriptorKind(descriptor).canBeNamed else {
                throw HandOverError("a file is on its way, and its file system may not answer")
            }
        }
        var saved = SavedClient(
            application: client.application, socket: try file(client.transport.socket),
            sandbox: client.credentials.sandbox, manager: client.manager, usedClientIDs: client.usedIDs.client,
            usedServerIDs: client.usedIDs.server, freeServerIDs: client.freeServerIDs,
            received: StateBytes(backlog.received), receivedFiles: [], hasHeldBack: backlog.hasHeldBack,
            queued: StateBytes(backlog.queued), queuedFiles: [], memories: memories,
            objects: objects)
        for descriptor in backlog.receivedDescriptors { saved.receivedFiles.append(try file(descriptor)) }
        for descriptor in backlog.queuedDescriptors { saved.queuedFiles.append(try file(descriptor)) }
        return (saved, size + backlog.received.count + backlog.queued.count)
    }

    /// Saves the socket of a sandbox; nil once it is closed.
    func save(_ listener: SandboxListener) -> SavedSandbox? {
        do throws(HandOverError) {
            return SavedSandbox(
                sandbox: listener.sandbox, user: listener.share.account.uid,
                listening: try file(listener.listening), closing: try file(listener.closing))
        } catch {
            return nil
        }
    }

    /// The index of a pool's memory among the client's; nil: it is blank, and the next server has its own.
    func memory(_ memory: SharedMemory) throws(HandOverError) -> Int? {
        if memory.isBlank { return nil }
        if let place = places[ObjectIdentifier(memory)] { return place }
        guard let descriptor = memory.descriptor else {
            throw HandOverError("the descriptor of a wl_shm_pool was not kept: there were too many")
        }
        places[ObjectIdentifier(memory)] = memories.count
        memories.append(SavedClient.Memory(file: try file(descriptor), size: memory.size))
        return memories.count - 1
    }

    /// Adds a descriptor to the hand-over.
    func file(_ descriptor: OwnedDescriptor) throws(HandOverError) -> FileName {
        guard let name = FileName(descriptor) else { throw HandOverError("a descriptor is not open") }
        files[files.count - 1].append((name, descriptor))
        return name
    }
}
