// What a server is doing, for a thread that watches it.

import Synchronization

/// The work that was begun last: a request, or something in words. Its thread writes it, two stores for each piece of
/// work; another thread may read it at any time.
public final class WorkRecord: Sendable {
    /// A type's metadata, or a literal's address with `isText` set; both stay for ever.
    private let what = Atomic<UInt>(0)
    private let who = Atomic<UInt64>(0)
    private static let isText: UInt = 1 << 63

    public init() {}

    /// A request to an object of that type.
    @inline(__always)
    func begin(_ opcode: UInt16, of type: Resource.Type, by connection: UInt64) {
        who.store(connection << 16 | UInt64(opcode), ordering: .relaxed)
        what.store(UInt(bitPattern: ObjectIdentifier(type)), ordering: .relaxed)
    }

    /// Other work.
    /// - Parameter connection: whose; 0: nobody's.
    public func begin(_ text: StaticString, for connection: UInt64 = 0) {
        guard text.hasPointerRepresentation else { return }
        who.store(connection << 16, ordering: .relaxed)
        unsafe what.store(UInt(bitPattern: text.utf8Start) | Self.isText, ordering: .relaxed)
    }

    /// The work in words, and whose it is: 0 when it is nobody's.
    public var now: (connection: UInt64, text: String) {
        let (what, who) = (what.load(ordering: .relaxed), who.load(ordering: .relaxed))
        if what & Self.isText != 0, let text = unsafe UnsafePointer<UInt8>(bitPattern: what & ~Self.isText) {
            return (who >> 16, unsafe String(cString: text))
        }
        guard let type = unsafe UnsafeRawPointer(bitPattern: what) else { return (0, "starting") }
        return (who >> 16, "request \(who & 0xffff) of \(unsafe unsafeBitCast(type, to: Resource.Type.self))")
    }
}
