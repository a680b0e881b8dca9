// The memory of a wl_shm_pool.

import Glibc
import MullionSystem
import MullionWayland
import Synchronization

/// A client's file, as long as the client has the pool or one of its buffers.
///
/// Reading a hole of a mapping allocates its page, which counts as the server's memory, whoever made the file: a client
/// with large empty files could get the server killed. Therefore memory is read with pread(2), which returns zeros for a
/// hole and allocates nothing. Only the memory of those who can end the server anyway is read in place, which is twice as
/// fast, and only where all pages are present.
///
/// If there are too many, the descriptor of such a client's memory is not kept: programs that never destroy pools, such as
/// GTK 4 whenever a window changes its size, would exhaust the server's descriptors.
@safe package final class SharedMemory {
    private(set) var size: Int
    /// Nil until it is needed: for reading in place, and for writing.
    private var mapping: UnsafeMutableRawPointer?
    private let readsInPlace: Bool
    private let account: Account
    /// For reading, and for a server that takes over; nil when there are too many.
    private(set) var descriptor: OwnedDescriptor?
    /// Whether the mapping was found truncated; it is zeros from then on.
    private var isBroken = false
    /// Whether write access was requested, and the client's descriptor permits it.
    private var isWritable = false
    /// The bytes that captures have written, or may write: pages that are charged to the server if they were holes.
    private var written = 0..<0
    /// Whether it is no client's: zeros, which take no memory and cannot be written.
    private(set) var isBlank = false

    /// The total of the pools of a client, of a user's clients, or of all clients.
    package final class Account {
        /// Includes pools that another thread has freed since; see `freed`.
        private var all = (pools: 0, bytes: 0, descriptors: 0)
        fileprivate let freed: Freed
        /// Bytes of memory that captures have written.
        private(set) var written = 0
        fileprivate let scratch: ScratchMemory
        /// The account of the client's user, or of all clients; nil for the latter.
        let whole: Account?
        /// What X servers get instead of pools that they may not have; nil: there is no room for it.
        private(set) lazy var blank = SharedMemory.blank()

        init(partOf whole: Account?) {
            self.whole = whole
            freed = Freed(partOf: whole?.freed)
            scratch = whole?.scratch ?? ScratchMemory()
        }

        package var pools: Int { all.pools - freed.pools }
        package var bytes: Int { all.bytes - freed.bytes }
        var descriptors: Int { all.descriptors - freed.descriptors }

        fileprivate func add(pools: Int = 0, bytes: Int = 0, descriptors: Int = 0, written: Int = 0) {
            all.pools += pools
            all.bytes += bytes
            all.descriptors += descriptors
            self.written += written
            whole?.add(pools: pools, bytes: bytes, descriptors: descriptors, written: written)
        }
    }

    /// The pools of an account that another thread has freed. A destroyed pool counts until then, so that a client cannot
    /// exceed its limit by destroying pools faster than they are freed.
    fileprivate final class Freed: Sendable {
        private let poolCount = Atomic(0)
        private let byteCount = Atomic(0)
        private let descriptorCount = Atomic(0)
        private let whole: Freed?

        init(partOf whole: Freed?) { self.whole = whole }

        var pools: Int { poolCount.load(ordering: .relaxed) }
        var bytes: Int { byteCount.load(ordering: .relaxed) }
        var descriptors: Int { descriptorCount.load(ordering: .relaxed) }

        func add(bytes: Int, descriptors: Int) {
            poolCount.add(1, ordering: .relaxed)
            byteCount.add(bytes, ordering: .relaxed)
            descriptorCount.add(descriptors, ordering: .relaxed)
            whole?.add(bytes: bytes, descriptors: descriptors)
        }
    }

    /// - Parameters:
    ///   - readsInPlace: whether the client may make the server allocate pages, see above.
    ///   - keepsDescriptor: must be true for other clients.
    ///   - allowsLocalFiles: whether a file on a local disk can be used too, for which the server may have to wait.
    /// - Returns: the reason when the descriptor cannot be used.
    static func adopt(
        _ descriptor: OwnedDescriptor, size: Int, account: Account, readsInPlace: Bool, keepsDescriptor: Bool,
        allowsLocalFiles: Bool = false
    ) -> Result<SharedMemory, SharedMemoryError> {
        // Check this first: anything but memory can block the loop, in fstat() or when its pages are read.
        let kind = DescriptorKind(descriptor)
        guard kind == .memory || (allowsLocalFiles && kind.isLocalFile) else {
            return .failure(SharedMemoryError(reason: "the descriptor is \(kind); use a memfd or a file on tmpfs"))
        }
        var status = stat()
        // As with libwayland, the file may be smaller than the pool, and grow before it is read.
        guard unsafe fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(SharedMemoryError(reason: "the descriptor is not a regular file"))
        }
        guard descriptor.accessMode != O_WRONLY else {
            return .failure(SharedMemoryError(reason: "the descriptor cannot be read"))
        }
        var mapping: UnsafeMutableRawPointer?
        if readsInPlace || !keepsDescriptor {
            unsafe mapping = MappedMemory.map(descriptor, size: size, PROT_READ)
            guard unsafe mapping != nil else {
                return .failure(SharedMemoryError(reason: "the file cannot be mapped: \(SystemError.last)"))
            }
        }
        // `MappedMemory.free` closes it: its kind need not be determined again.
        if kind == .memory { descriptor.closer = nil }
        return .success(
            unsafe SharedMemory(
                mapping, size: size, account: account, readsInPlace: readsInPlace,
                descriptor: keepsDescriptor ? descriptor : nil))
    }

    /// What an X server gets instead of a pool that it may not have: as large as any pool, and shared by all of them.
    /// - Returns: nil when the address space has no room.
    static func blank() -> SharedMemory? {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let size = Int(Int32.max)
        let mapping = unsafe mmap(nil, size, PROT_READ, flags, -1, 0)
        guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else { return nil }
        let memory = unsafe SharedMemory(
            mapping, size: size, account: Account(partOf: nil), readsInPlace: true, descriptor: nil)
        memory.isBlank = true
        return memory
    }

    private init(
        _ mapping: UnsafeMutableRawPointer?, size: Int, account: Account, readsInPlace: Bool,
        descriptor: OwnedDescriptor?
    ) {
        self.descriptor = descriptor
        unsafe self.mapping = mapping
        self.size = size
        self.account = account
        self.readsInPlace = readsInPlace
        account.add(pools: 1, bytes: size, descriptors: descriptor == nil ? 0 : 1)
    }

    deinit {
        account.add(written: -written.count)
        let descriptors = descriptor == nil ? 0 : 1
        // A hand-over may still have it. Those with a closer are closed on another thread anyway.
        let isLast = isKnownUniquelyReferenced(&descriptor) && descriptor?.closer == nil
        let number = isLast ? descriptor?.release() : nil
        unsafe MappedMemory.free(mapping, closing: number, size: size) { [freed = account.freed, size] in
            freed.add(bytes: size, descriptors: descriptors)
        }
    }

    /// wl_shm_pool.resize: pools only grow.
    /// - Returns: false when there is no address space; nothing has changed then.
    func grow(to newSize: Int) -> Bool {
        if let old = unsafe mapping {
            guard let moved = unsafe MappedMemory.resize(old, from: size, to: newSize) else { return false }
            unsafe mapping = moved
        }
        account.add(bytes: newSize - size)
        size = newSize
        return true
    }

    // MARK: Reading

    /// Rows of bytes, which may overlap and end beyond the memory.
    struct Part {
        var offset: Int
        /// The bytes of a row.
        var length: Int
        var rows: Int
        /// Bytes from one row to the next.
        var stride: Int

        /// The bytes from the first one to the last.
        var count: Int { (rows - 1) * stride + length }
    }

    /// Runs `body` with the first byte of a part, and the bytes from one row to the next. What is beyond the memory is 0.
    /// - Returns: false when the client truncated the file; `body` may not have been run.
    func read(_ part: Part, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool {
        guard part.offset >= 0, part.length > 0, part.rows > 0, part.stride > 0 else { return false }
        if readsInPlace, part.count <= size - part.offset, let mapping = unsafe mapping,
            unsafe descriptor == nil || MappedMemory.isPresent(mapping + part.offset, count: part.count)
        {
            return unsafe access(mapping, part.offset) { unsafe body(UnsafeRawPointer($0), part.stride) }
        }
        return unsafe copy(part, body)
    }

    /// Gaps between rows that are read with them, instead of reading each row by itself: about what costs as much as a
    /// system call.
    private static let mostGap = 1024
    private static let mostAtOnce = 1 << 20

    private func copy(_ part: Part, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool {
        let gap = part.stride - part.length
        let isWhole = (0...Self.mostGap).contains(gap) && part.count <= Self.mostAtOnce
        // Aligned to 4 bytes as in the file, so that both ways of reading give the same picture.
        let copy = Part(
            offset: part.offset & 3, length: part.length, rows: part.rows,
            stride: isWhole ? part.stride : part.length + gap & 3)
        var isRead = true
        unsafe account.scratch.with(copy.offset + copy.count) { memory in
            let start = unsafe memory + copy.offset
            if isWhole {
                isRead = unsafe copyBytes(from: part.offset, count: part.count, to: start)
            } else {
                for row in 0..<part.rows where isRead {
                    isRead = unsafe copyBytes(
                        from: part.offset + row * part.stride, count: part.length, to: start + row * copy.stride)
                }
            }
            if isRead { unsafe body(start, copy.stride) }
        }
        return isRead
    }

    /// - Returns: false when the file is too short.
    private func copyBytes(from offset: Int, count: Int, to target: UnsafeMutableRawPointer) -> Bool {
        let inside = max(0, min(count, size - offset))
        if inside < count { unsafe memset(target + inside, 0, count - inside) }
        if let descriptor {
            return unsafe DescriptorIO.read(descriptor.rawValue, at: offset, inside, to: target) == inside
        }
        guard inside > 0, let mapping = unsafe mapping else { return inside == 0 }
        return unsafe access(mapping, offset) { unsafe target.copyMemory(from: $0, byteCount: inside) }
    }

    // MARK: Writing

    /// Charges the client for bytes that a capture is going to write. Pages that are holes will be allocated, and count as
    /// the server's memory.
    /// - Parameter user: the client's user, for the limit.
    /// - Returns: the limit that this exceeds; nil: none, and they can be written.
    func reserve(offset: Int, count: Int, within limit: SharedLimit, for user: UInt32?) -> String? {
        let wanted = offset..<offset + max(0, count)
        let range =
            written.isEmpty ? wanted : min(written.lowerBound, offset)..<max(written.upperBound, wanted.upperBound)
        let more = range.count - written.count
        guard more > 0 else { return nil }
        let own = account.whole
        let refusal = limit.refusal(
            "bytes written by captures", adding: more, for: user, own: own?.written ?? 0, all: own?.whole?.written ?? 0)
        if let refusal { return refusal }
        written = range
        account.add(written: more)
        return nil
    }

    /// Runs `body` with the bytes from `offset` on, for writing.
    /// - Returns: false when they were not reserved, the client's descriptor is read-only, or the file was truncated.
    func write(offset: Int, count: Int, _ body: (UnsafeMutableRawPointer) -> Void) -> Bool {
        guard !isBlank, offset >= 0, count > 0, count <= size - offset, written.contains(offset),
            written.contains(offset + count - 1), makeWritable(), let mapping = unsafe mapping
        else { return false }
        return unsafe access(mapping, offset, body)
    }

    /// Linux permits this only if the descriptor was open for writing.
    private func makeWritable() -> Bool {
        if isWritable { return true }
        if let mapping = unsafe mapping {
            isWritable = unsafe mprotect(mapping, size, PROT_READ | PROT_WRITE) == 0
        } else if let descriptor {
            unsafe mapping = MappedMemory.map(descriptor, size: size, PROT_READ | PROT_WRITE)
            isWritable = unsafe mapping != nil
        }
        return isWritable
    }

    private func access(
        _ mapping: UnsafeMutableRawPointer, _ offset: Int, _ body: (UnsafeMutableRawPointer) -> Void
    ) -> Bool {
        guard !isBroken else { return false }
        let range = unsafe UnsafeMutableRawBufferPointer(start: mapping, count: size)
        guard unsafe MemoryGuard.guarding(range, isWritable: isWritable, { unsafe body(mapping + offset) }) else {
            isBroken = true
            return false
        }
        return true
    }
}

struct SharedMemoryError: Error { let reason: String }

/// Memory for copies of clients' pixels, kept from one to the next.
@safe private final class ScratchMemory {
    private static let mostKept = 1 << 19
    private var kept = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

    deinit { unsafe kept.deallocate() }

    /// Runs `body` with at least this many bytes.
    func with(_ count: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
        if unsafe kept.count < count {
            unsafe kept.deallocate()
            unsafe kept = .allocate(byteCount: count, alignment: 16)
        }
        if let start = unsafe kept.baseAddress { unsafe body(start) }
        if unsafe kept.count > Self.mostKept {
            unsafe kept.deallocate()
            unsafe kept = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        }
    }
}
