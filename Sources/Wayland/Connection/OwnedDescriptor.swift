// File descriptors with one owner.

import CLinux
import Glibc

/// A file descriptor that is closed when its owner lets go of it.
public final class OwnedDescriptor {
    /// Negative after `release()`.
    public private(set) var rawValue: Int32
    /// Closes it where that may wait for a stranger; nil: closed at once.
    public var closer: DescriptorCloser?

    public init(_ rawValue: Int32, closer: DescriptorCloser? = nil) {
        self.rawValue = rawValue
        self.closer = closer
    }

    deinit { close() }

    /// Closes it now, whoever else has this object; without effect after `release()`.
    public func close() {
        guard rawValue >= 0 else { return }
        let descriptor = release()
        if let closer { closer.close(descriptor) } else { Glibc.close(descriptor) }
    }

    /// Gives the descriptor away; the caller closes it.
    public func release() -> Int32 {
        defer { rawValue = -1 }
        return rawValue
    }

    /// A second descriptor for the same open file; nil when the process has no more.
    public func duplicate() -> OwnedDescriptor? {
        let copy = linux_fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : OwnedDescriptor(copy, closer: closer)
    }
}

/// Descriptors that arrived and wait for the message that claims them, in order.
public final class DescriptorQueue {
    @safe @exclusivity(unchecked) private var items: [OwnedDescriptor] = []

    public init() {}

    public var count: Int { items.count }
    /// Those that wait, in order.
    public var all: [OwnedDescriptor] { items }
    public func append(_ descriptor: OwnedDescriptor) { items.append(descriptor) }
    public func popFirst() -> OwnedDescriptor? { items.isEmpty ? nil : items.removeFirst() }
    public func removeAll() { items.removeAll(keepingCapacity: false) }
}
