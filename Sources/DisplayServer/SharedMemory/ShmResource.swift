// wl_shm and wl_shm_pool

import Compositor
import MullionWayland

/// wl_shm: shared memory that clients draw into.
final class ShmResource: Resource {
    static func bind(_ client: Client, _ id: ObjectID, _ version: UInt32) throws(ProtocolError) {
        let shm = try ShmResource(client, id: id, version: version)
        for format in PixelFormat.allCases {
            shm.send(WlShm.Event.format(format: WlShm.Format(rawValue: format.rawValue)))
        }
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlShm.Request.self, opcode, &reader) {
        case .release: destroy()
        case .createPool(let pool, let descriptor, let size):
            guard size > 0 else { throw error(.invalidStride, "\(size) is not a pool's size; use at least 1") }
            if let reason = refusal(of: Int(size)) {
                guard let memory = client.blankMemory else {
                    throw ProtocolError(.noMemory, object: id, message: reason)
                }
                _ = try ShmPoolResource(client, id: pool, version: version, memory: memory)
                return
            }
            switch SharedMemory.adopt(
                descriptor, size: Int(size), account: client.pools, readsInPlace: client.isTrusted,
                keepsDescriptor: server.keepsPoolDescriptor(of: client),
                allowsLocalFiles: client.mayUseLocalFiles)
            {
            case .failure(let refusal): throw error(.invalidFd, refusal.reason)
            case .success(let memory):
                _ = try ShmPoolResource(client, id: pool, version: version, memory: memory)
            }
        }
    }

    /// The limit that forbids another pool of that size.
    private func refusal(of size: Int) -> String? {
        let limits = connection.transport.limits
        guard size <= limits.poolBytes else { return "limit reached: a pool has at most \(limits.poolBytes) bytes" }
        guard client.pools.pools < limits.pools, client.pools.bytes + size <= limits.allPoolBytes else {
            return "limit reached: \(limits.pools) pools with \(limits.allPoolBytes) bytes in total"
        }
        // The pools of closed clients must not count.
        if userRefusal != nil { server.turns.destroyClosedClients() }
        return userRefusal
    }

    /// Why the client's user gets no more pools.
    private var userRefusal: String? {
        connection.transport.limits.allPools.refusal(
            "pools", for: client.credentials.trustedUser, own: client.account.pools.pools, all: server.pools.pools)
    }

    private func error(_ code: WlShm.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}

/// wl_shm_pool: creates buffers in one piece of memory, which lives as long as the pool or one of its buffers.
final class ShmPoolResource: Resource {
    let memory: SharedMemory

    init(_ client: Client, id: ObjectID, version: UInt32, memory: SharedMemory) throws(ProtocolError) {
        self.memory = memory
        try super.init(client, id: id, version: version)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WlShmPool.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .resize(let size):
            if memory.isBlank { return }
            guard Int(size) >= memory.size, Int(size) <= connection.transport.limits.poolBytes,
                client.pools.bytes + Int(size) - memory.size <= connection.transport.limits.allPoolBytes
            else {
                throw error(
                    .invalidFd,
                    "a pool grows from \(memory.size) bytes to at most "
                        + "\(connection.transport.limits.poolBytes), not to \(size)")
            }
            guard memory.grow(to: Int(size)) else {
                throw ProtocolError(
                    .noMemory, object: id, message: "a pool of \(memory.size) bytes cannot grow to \(size)")
            }
        case .createBuffer(let id, let offset, let width, let height, let stride, let format):
            guard let pixelFormat = PixelFormat(rawValue: format.rawValue) else {
                throw error(.invalidFormat, "format \(format.rawValue) was not announced by wl_shm.format")
            }
            guard
                BufferResource.fits(offset: offset, width: width, height: height, stride: stride, in: memory.size)
            else {
                throw error(
                    .invalidStride,
                    "a \(width)x\(height) buffer with stride \(stride) at offset \(offset) "
                        + "does not fit in a pool of \(memory.size) bytes")
            }
            let memory = memory(forPixels: Int(width) * Int(height))
            _ = try BufferResource(
                client, id: id, version: 1, memory: memory, offset: offset, width: width, height: height,
                stride: stride, format: pixelFormat)
        }
    }

    /// The pool's memory, or what an X server gets when the policy allows its user no more pixels.
    private func memory(forPixels count: Int) -> SharedMemory {
        client.x11Server == nil || client.hasRoom(forPixels: count) ? memory : client.blankMemory ?? memory
    }

    private func error(_ code: WlShm.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
