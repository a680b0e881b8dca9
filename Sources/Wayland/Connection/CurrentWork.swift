// Shows a watchdog thread what a server is working on.

import Synchronization

/// The work begun last: a request, or a piece of work described in text. The server's thread writes it, with two stores
/// per piece of work; another thread may read it at any time.
public final class CurrentWork: Sendable {
    /// A type's metadata, or a literal's address with `isText` set; both live for the whole process.
    private let what = Atomic<UInt>(0)
    private let who = Atomic<UInt64>(0)
    private static let isText: UInt = 1 << 63

    public init() {}

    /// Records a request to an object of that type.
    @inline(__always)
    func begin(_ opcode: UInt16, of type: Resource.Type, by connection: UInt64) {
        who.store(connection << 16 | UInt64(opcode), ordering: .relaxed)
        what.store(UInt(bitPattern: ObjectIdentifier(type)), ordering: .relaxed)
    }

    /// Records other work.
    /// - Parameter connection: the connection it is done for; 0 for none.
    public func begin(_ text: StaticString, for connection: UInt64 = 0) {
        guard text.hasPointerRepresentation else { return }
        who.store(connection << 16, ordering: .relaxed)
        unsafe what.store(UInt(bitPattern: text.utf8Start) | Self.isText, ordering: .relaxed)
    }

    /// A description of the work and the connection it is done for; 0 for none.
    public var now: (connection: UInt64, text: String) {
        let (what, who) = (what.load(ordering: .relaxed), who.load(ordering: .relaxed))
        if what & Self.isText != 0, let text = unsafe UnsafePointer<UInt8>(bitPattern: what & ~Self.isText) {
            return (who >> 16, unsafe String(cString: text))
        }
        guard let type = unsafe UnsafeRawPointer(bitPattern: what) else { return (0, "starting") }
        return (who >> 16, "request \(who & 0xffff) of \(unsafe unsafeBitCast(type, to: Resource.Type.self))")
    }
}
