// Putting a client into words.

import CLinux
import FoundationEssentials
import Glibc
import Wayland
import WindowModel

/// Collects the descriptors of a hand-over, and what is common to the objects of one client.
final class HandOverWriter {
    private(set) var descriptors: [OwnedDescriptor] = []
    private var names: Set<FileName> = []
    private var memories: [ClientRecord.Memory] = []
    private var places: [ObjectIdentifier: Int] = [:]

    /// A client in words.
    /// - Throws: why it cannot be handed over.
    func record(_ client: Client) throws(HandOver.Refusal) -> ClientRecord {
        guard client.failure == nil else { throw HandOver.Refusal("it is being disconnected") }
        memories = []
        places = [:]
        var objects: [ObjectRecord] = []
        for resource in client.resources where resource.id != .display {
            guard let object = resource as? any HandedOver else {
                throw HandOver.Refusal("object \(resource.id) (\(type(of: resource))) cannot be handed over")
            }
            objects.append(ObjectRecord(id: object.id, version: object.version, state: try object.record(in: self)))
        }
        let backlog = client.transport.backlog
        var record = ClientRecord(
            application: client.application, socket: try file(client.transport.socket),
            sandbox: client.credentials.sandbox, usedClientIDs: client.usedIDs.client,
            usedServerIDs: client.usedIDs.server, received: Data(backlog.received), receivedFiles: [],
            hasHeldBack: backlog.hasHeldBack, queued: Data(backlog.queued), queuedFiles: [], memories: memories,
            objects: objects)
        for descriptor in backlog.receivedDescriptors { record.receivedFiles.append(try file(descriptor)) }
        for descriptor in backlog.queuedDescriptors { record.queuedFiles.append(try file(descriptor)) }
        return record
    }

    /// The socket of a sandbox in words; nil where there is none any more.
    func record(_ listener: SandboxListener) -> SandboxRecord? {
        let copy = OwnedDescriptor(linux_fcntl(listener.socket.descriptor, F_DUPFD_CLOEXEC, 0))
        do throws(HandOver.Refusal) {
            return SandboxRecord(
                sandbox: listener.sandbox, client: listener.client?.application, listening: try file(copy),
                closing: try file(listener.closing))
        } catch {
            return nil
        }
    }

    /// The place of a pool's memory among the client's.
    func memory(_ memory: SharedMemory) throws(HandOver.Refusal) -> Int {
        if let place = places[ObjectIdentifier(memory)] { return place }
        guard let descriptor = memory.descriptor else {
            throw HandOver.Refusal("the descriptor of a wl_shm_pool was not kept: there were too many")
        }
        places[ObjectIdentifier(memory)] = memories.count
        memories.append(ClientRecord.Memory(file: try file(descriptor), size: memory.size))
        return memories.count - 1
    }

    /// Takes a descriptor along.
    func file(_ descriptor: OwnedDescriptor) throws(HandOver.Refusal) -> FileName {
        guard let name = FileName(descriptor) else { throw HandOver.Refusal("a descriptor is not open") }
        if names.insert(name).inserted { descriptors.append(descriptor) }
        return name
    }
}
