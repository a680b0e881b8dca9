// The memory behind a wl_shm_pool.

import CLinux
import Glibc
import Wayland

/// A client's file, mapped when its pixels are first wanted and not before.
final class SharedMemory {
    private var descriptor: OwnedDescriptor
    private(set) var size: Int
    private var mapping: UnsafeMutableRawPointer?
    private var mappedSize = 0
    private let account: Account
    /// The memory was found too short once; it stays black.
    private var isBroken = false

    /// What a client's pools hold together.
    final class Account {
        fileprivate(set) var pools = 0
        fileprivate(set) var bytes = 0
    }

    /// - Returns: nil with the reason when the descriptor cannot be such memory.
    static func adopt(
        _ descriptor: OwnedDescriptor, size: Int, account: Account
    ) -> Result<SharedMemory, Refusal> {
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(Refusal(reason: "the descriptor is no regular file or memfd"))
        }
        guard linux_fcntl(descriptor.rawValue, F_GETFL, 0) & O_ACCMODE != O_WRONLY else {
            return .failure(Refusal(reason: "the descriptor cannot be read"))
        }
        guard Int(status.st_size) >= size else {
            return .failure(Refusal(reason: "the file has \(status.st_size) bytes, fewer than the pool's \(size)"))
        }
        return .success(SharedMemory(descriptor, size: size, account: account))
    }

    struct Refusal: Error { let reason: String }

    private init(_ descriptor: OwnedDescriptor, size: Int, account: Account) {
        self.descriptor = descriptor
        self.size = size
        self.account = account
        account.pools += 1
        account.bytes += size
    }

    deinit {
        unmap()
        account.pools -= 1
        account.bytes -= size
    }

    /// wl_shm_pool.resize: pools only grow.
    func grow(to newSize: Int) {
        account.bytes += newSize - size
        size = newSize
    }

    /// Runs `body` with the bytes from `offset` on.
    /// - Returns: false when the client took the memory away.
    func read(offset: Int, count: Int, _ body: (UnsafeRawPointer) -> Void) -> Bool {
        guard !isBroken, map(), let mapping, offset >= 0, count >= 0, offset + count <= mappedSize else { return false }
        let range = UnsafeRawBufferPointer(start: mapping, count: mappedSize)
        guard MemoryGuard.reading(range, { body(UnsafeRawPointer(mapping) + offset) }) else {
            isBroken = true
            return false
        }
        return true
    }

    private func map() -> Bool {
        if mapping != nil, mappedSize == size { return true }
        unmap()
        let result = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor.rawValue, 0)
        guard let result, result != MAP_FAILED else { return false }
        mapping = result
        mappedSize = size
        return true
    }

    private func unmap() {
        if let mapping { munmap(mapping, mappedSize) }
        mapping = nil
        mappedSize = 0
    }
}
