// The memory of a wl_shm_pool.

import Glibc
import MullionWayland
import Synchronization
import System

/// A client's file, mapped as long as the client has the pool or one of its buffers. The descriptor is closed, unless
/// it is kept for a server that takes over: programs that never destroy pools, such as GTK 4 whenever a window changes
/// its size, would exhaust the server's descriptors.
@safe package final class SharedMemory {
    private(set) var size: Int
    private var mapping: UnsafeMutableRawPointer
    private let account: Account
    /// Kept for a server that takes over; nil when there is none or there are too many.
    private(set) var descriptor: OwnedDescriptor?
    /// Whether the memory was found truncated; it stays black from then on.
    private var isBroken = false
    /// Whether write access was requested, and the client's descriptor permits it.
    private var isWritable = false

    /// The total of the pools of a client, of a user's clients, or of all clients.
    package final class Account {
        /// Includes pools that another thread has unmapped since; see `unmapped`.
        private var mapped = (pools: 0, bytes: 0)
        fileprivate let unmapped: Unmapped
        /// Descriptors kept for a server that takes over.
        private(set) var descriptors = 0
        /// The account of the client's user, or of all clients; nil for the latter.
        let whole: Account?

        init(partOf whole: Account?) {
            self.whole = whole
            unmapped = Unmapped(partOf: whole?.unmapped)
        }

        package var pools: Int { mapped.pools - unmapped.pools }
        package var bytes: Int { mapped.bytes - unmapped.bytes }

        fileprivate func add(pools: Int = 0, bytes: Int = 0, descriptors: Int = 0) {
            mapped.pools += pools
            mapped.bytes += bytes
            self.descriptors += descriptors
            whole?.add(pools: pools, bytes: bytes, descriptors: descriptors)
        }
    }

    /// The pools of an account that another thread has unmapped. A destroyed pool counts until then, so that a client
    /// cannot exceed its limit by destroying pools faster than they are unmapped.
    fileprivate final class Unmapped: Sendable {
        private let poolCount = Atomic(0)
        private let byteCount = Atomic(0)
        private let whole: Unmapped?

        init(partOf whole: Unmapped?) { self.whole = whole }

        var pools: Int { poolCount.load(ordering: .relaxed) }
        var bytes: Int { byteCount.load(ordering: .relaxed) }

        func add(bytes: Int) {
            poolCount.add(1, ordering: .relaxed)
            byteCount.add(bytes, ordering: .relaxed)
            whole?.add(bytes: bytes)
        }
    }

    /// - Parameter allowsLocalFiles: whether a file on a local disk can be used too, for which the server may have to
    ///   wait.
    /// - Returns: the reason when the descriptor cannot be used.
    static func adopt(
        _ descriptor: OwnedDescriptor, size: Int, account: Account, keepsDescriptor: Bool,
        allowsLocalFiles: Bool = false
    ) -> Result<SharedMemory, SharedMemoryError> {
        // Check this first: anything but memory can block the loop, in fstat() or when its pages are read.
        let kind = DescriptorKind(descriptor)
        guard kind == .memory || (allowsLocalFiles && kind.isLocalFile) else {
            return .failure(SharedMemoryError(reason: "the descriptor is \(kind); use a memfd or a file on tmpfs"))
        }
        // Closing memory never blocks: its kind need not be determined again.
        if kind == .memory { descriptor.closer = nil }
        var status = stat()
        guard unsafe fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(SharedMemoryError(reason: "the descriptor is not a regular file"))
        }
        guard descriptor.accessMode != O_WRONLY else {
            return .failure(SharedMemoryError(reason: "the descriptor cannot be read"))
        }
        guard Int(status.st_size) >= size else {
            return .failure(
                SharedMemoryError(reason: "the file has \(status.st_size) bytes, fewer than the pool's \(size)"))
        }
        let mapping = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, descriptor.rawValue, 0)
        guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
            return .failure(SharedMemoryError(reason: "the file cannot be mapped: \(SystemError.last)"))
        }
        return .success(
            unsafe SharedMemory(mapping, size: size, account: account, descriptor: keepsDescriptor ? descriptor : nil))
    }

    private init(
        _ mapping: UnsafeMutableRawPointer, size: Int, account: Account, descriptor: OwnedDescriptor?
    ) {
        self.descriptor = descriptor
        unsafe self.mapping = mapping
        self.size = size
        self.account = account
        account.add(pools: 1, bytes: size, descriptors: descriptor == nil ? 0 : 1)
    }

    deinit {
        if descriptor != nil { account.add(descriptors: -1) }
        // Close it before the memory is unmapped: the last reference frees the pages, and closing happens on the loop.
        descriptor = nil
        unsafe MappedMemory.unmap(mapping, size: size) { [unmapped = account.unmapped, size] in
            unmapped.add(bytes: size)
        }
    }

    /// wl_shm_pool.resize: pools only grow.
    /// - Returns: false when there is no address space; nothing has changed then.
    func grow(to newSize: Int) -> Bool {
        guard let moved = unsafe MappedMemory.resize(mapping, from: size, to: newSize) else { return false }
        unsafe mapping = moved
        account.add(bytes: newSize - size)
        size = newSize
        return true
    }

    /// Runs `body` with the bytes from `offset` on.
    /// - Returns: false when the client truncated the memory.
    func read(offset: Int, count: Int, _ body: (UnsafeRawPointer) -> Void) -> Bool {
        unsafe access(offset: offset, count: count) { unsafe body(UnsafeRawPointer($0)) }
    }

    /// Runs `body` with the bytes from `offset` on, for writing.
    /// - Returns: false when the client's descriptor is read-only, or the memory was truncated.
    func write(offset: Int, count: Int, _ body: (UnsafeMutableRawPointer) -> Void) -> Bool {
        // Linux permits this only if the descriptor was open for writing.
        if !isWritable { isWritable = unsafe mprotect(mapping, size, PROT_READ | PROT_WRITE) == 0 }
        return unsafe isWritable && access(offset: offset, count: count, body)
    }

    private func access(offset: Int, count: Int, _ body: (UnsafeMutableRawPointer) -> Void) -> Bool {
        guard !isBroken, offset >= 0, count >= 0, offset + count <= size else { return false }
        let range = unsafe UnsafeMutableRawBufferPointer(start: mapping, count: size)
        guard unsafe MemoryGuard.guarding(range, isWritable: isWritable, { unsafe body(mapping + offset) }) else {
            isBroken = true
            return false
        }
        return true
    }
}

struct SharedMemoryError: Error { let reason: String }
