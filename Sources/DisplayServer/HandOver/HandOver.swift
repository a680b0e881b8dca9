// The state of a server for the one that takes over.

import Glibc
import MullionSystem
import MullionWayland

/// The encoded state of a server, and the descriptors that the state names: the clients' sockets and their shared
/// memory. Clients do not notice the change of server.
///
/// The payload is a `SavedServer`, encoded by `StateEncoder`. Every object saves what is needed to create it again; the
/// next server uses the same initialisers as requests do and drops the output, so that no event is sent twice. A newer
/// server reads an older one's payload if it finds all that it needs; otherwise it says what is missing.
public struct HandOver {
    /// Incremented when the meaning of the payload changes.
    static let format: UInt32 = 8
    private static let magic: [UInt8] = Array("mullion\n".utf8)
    /// More than the size of any server's state.
    private static let maximumBytes = 1 << 28

    /// Header and payload.
    public let state: [UInt8]
    /// In any order: the payload names each by its file.
    public let descriptors: [OwnedDescriptor]

    public init(state: [UInt8], descriptors: [OwnedDescriptor]) {
        self.state = state
        self.descriptors = descriptors
    }

    init(payload: [UInt8], descriptors: [OwnedDescriptor]) {
        var state = Self.magic
        func put(_ value: UInt64, bytes: Int) {
            for shift in 0..<bytes { state.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(shift)))) }
        }
        put(UInt64(Self.format), bytes: 8)
        put(UInt64(payload.count), bytes: 8)
        put(Self.checksum(payload), bytes: 8)
        self.init(state: state + payload, descriptors: descriptors)
    }

    /// The payload.
    /// - Throws: if the header does not match it.
    func payload() throws(HandOverError) -> ArraySlice<UInt8> {
        guard state.starts(with: Self.magic), state.count >= 32 else {
            throw HandOverError("the state is not that of a mullion server")
        }
        func number(at start: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(state[start + $1]) << (8 * UInt64($1)) }
        }
        guard number(at: 8) == UInt64(Self.format) else {
            throw HandOverError(
                "the state has format \(number(at: 8)), of another version; this server reads \(Self.format)")
        }
        let payload = state[32...]
        guard number(at: 16) == UInt64(payload.count), number(at: 24) == Self.checksum(payload) else {
            throw HandOverError("the state is incomplete or damaged")
        }
        return payload
    }

    /// FNV-1a, by words of eight bytes: detects accidental damage only.
    private static func checksum(_ bytes: some Collection<UInt8>) -> UInt64 {
        let sum = bytes.withContiguousStorageIfAvailable { bytes in
            var sum: UInt64 = 0xcbf2_9ce4_8422_2325
            let raw = UnsafeRawBufferPointer(bytes)
            for start in stride(from: 0, to: raw.count & ~7, by: 8) {
                sum = unsafe (sum ^ raw.loadUnaligned(fromByteOffset: start, as: UInt64.self)) &* 0x100_0000_01b3
                sum ^= sum >> 29
            }
            for index in raw.count & ~7..<raw.count { sum = unsafe (sum ^ UInt64(raw[index])) &* 0x100_0000_01b3 }
            return sum
        }
        return sum ?? 0
    }

    // MARK: Memory

    /// Sealed memory with the state; nil when the process has no more memory.
    public func memoryFile() -> OwnedDescriptor? { Self.memoryFile(holding: state, name: "mullion-hand-over") }

    static func memoryFile(holding bytes: [UInt8], name: String) -> OwnedDescriptor? {
        try? AnonymousFile.make(name, holding: bytes)
    }

    /// Reads the state from such memory.
    public static func bytes(in file: OwnedDescriptor) throws(HandOverError) -> [UInt8] {
        var status = stat()
        guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (0...maximumBytes).contains(Int(status.st_size))
        else { throw HandOverError("the state is not in a file of at most \(maximumBytes) bytes") }
        let size = Int(status.st_size)
        let bytes = DescriptorIO.read(file.rawValue, count: size)
        guard bytes.count == size else { throw HandOverError("the state cannot be read") }
        return bytes
    }
}

/// How a state names a descriptor: by its file, independent of its number and of their order.
struct FileName: Hashable, Codable {
    let device: UInt64
    let inode: UInt64
    /// Reading, writing or both: the two ends of a pipe are one file.
    let access: Int32

    /// Nil for a descriptor that is not open.
    init?(_ descriptor: OwnedDescriptor) {
        var status = stat()
        guard unsafe fstat(descriptor.rawValue, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        access = descriptor.accessMode
    }
}

/// The reason why nothing is taken over.
public struct HandOverError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
