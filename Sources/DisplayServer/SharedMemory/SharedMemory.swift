// The memory behind a wl_shm_pool.

import Glibc
import System
import Wayland

/// A client's file, mapped while the client has the pool or a buffer of it. Its descriptor is closed, but where it is kept
/// for a server that takes over: programs that never let go of a pool, as GTK 4 does each time a window changes its size,
/// would use up the server's.
@safe package final class SharedMemory {
    private(set) var size: Int
    private var mapping: UnsafeMutableRawPointer
    private let account: Account
    /// For a server that takes over; nil when there is to be none, or when there are too many.
    let descriptor: OwnedDescriptor?
    /// The memory was found too short once; it stays black.
    private var isBroken = false
    /// Whether it was ever asked for, and the client lets us.
    private var isWritable = false

    /// What a client's pools hold together, those of a user's clients, and all.
    package final class Account {
        package private(set) var pools = 0
        package private(set) var bytes = 0
        /// Those that are kept for a server that takes over.
        private(set) var descriptors = 0
        /// That of the client's user, or of all clients; nil where this one is it.
        let whole: Account?

        init(partOf whole: Account?) { self.whole = whole }

        fileprivate func add(pools: Int = 0, bytes: Int, descriptors: Int = 0) {
            self.pools += pools
            self.bytes += bytes
            self.descriptors += descriptors
            whole?.add(pools: pools, bytes: bytes, descriptors: descriptors)
        }
    }

    /// - Returns: nil with the reason when the descriptor cannot be such memory.
    static func adopt(
        _ descriptor: OwnedDescriptor, size: Int, account: Account, keepsDescriptor: Bool
    ) -> Result<SharedMemory, Refusal> {
        // First, and alone allowed: what else there is can make the loop wait, in fstat() or when its pages are read.
        let kind = DescriptorKind(descriptor)
        guard kind == .memory else {
            return .failure(Refusal(reason: "a pool is a memfd or a file on tmpfs; this descriptor is \(kind)"))
        }
        var status = stat()
        guard unsafe fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(Refusal(reason: "the descriptor is no regular file"))
        }
        guard descriptor.accessMode != O_WRONLY else {
            return .failure(Refusal(reason: "the descriptor cannot be read"))
        }
        guard Int(status.st_size) >= size else {
            return .failure(Refusal(reason: "the file has \(status.st_size) bytes, fewer than the pool's \(size)"))
        }
        let mapping = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, descriptor.rawValue, 0)
        guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
            return .failure(Refusal(reason: "the file cannot be mapped: \(SystemError.last)"))
        }
        return .success(
            unsafe SharedMemory(mapping, size: size, account: account, descriptor: keepsDescriptor ? descriptor : nil))
    }

    struct Refusal: Error { let reason: String }

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
        unsafe munmap(mapping, size)
        account.add(pools: -1, bytes: -size, descriptors: descriptor == nil ? 0 : -1)
    }

    /// wl_shm_pool.resize: pools only grow.
    /// - Returns: false when there is no room for it; nothing has changed then.
    func grow(to newSize: Int) -> Bool {
        guard let moved = unsafe MappedMemory.resize(mapping, from: size, to: newSize) else { return false }
        unsafe mapping = moved
        account.add(bytes: newSize - size)
        size = newSize
        return true
    }

    /// Runs `body` with the bytes from `offset` on.
    /// - Returns: false when the client took the memory away.
    func read(offset: Int, count: Int, _ body: (UnsafeRawPointer) -> Void) -> Bool {
        unsafe access(offset: offset, count: count) { unsafe body(UnsafeRawPointer($0)) }
    }

    /// Runs `body` with the bytes from `offset` on, to be written.
    /// - Returns: false when the client gave the memory for reading only, or took it away.
    func write(offset: Int, count: Int, _ body: (UnsafeMutableRawPointer) -> Void) -> Bool {
        // Linux lets this be done where the descriptor could be written, and else does not.
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
