// File descriptors with one owner.

import CMullionLinux
import Glibc

/// A file descriptor that is closed when its owner is released.
public final class OwnedDescriptor {
    /// Negative after `release()`.
    public var rawValue: Int32 { number }
    // Other modules would check each access to a stored property.
    @safe @exclusivity(unchecked) private var number: Int32
    /// Closes it on another thread, where closing may block on a client; nil to close it immediately.
    public var closer: DescriptorCloser?

    public init(_ rawValue: Int32, closer: DescriptorCloser? = nil) {
        number = rawValue
        self.closer = closer
    }

    deinit { close() }

    /// Closes it now, even if other references to this object exist; does nothing after `release()`.
    public func close() {
        guard rawValue >= 0 else { return }
        let descriptor = release()
        if let closer { closer.close(descriptor) } else { Glibc.close(descriptor) }
    }

    /// Releases ownership; the caller closes the descriptor.
    public func release() -> Int32 {
        defer { number = -1 }
        return number
    }

    /// Duplicates the descriptor; nil when the process has none left.
    public func duplicate() -> OwnedDescriptor? {
        let copy = linux_fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : OwnedDescriptor(copy, closer: closer)
    }

    /// The mode with which it was opened: O_RDONLY, O_WRONLY or O_RDWR.
    package var accessMode: Int32 { linux_fcntl(rawValue, F_GETFL, 0) & O_ACCMODE }

    /// Sets O_NONBLOCK, for every process that shares the open file.
    package func makeNonBlocking() {
        _ = linux_fcntl(rawValue, F_SETFL, linux_fcntl(rawValue, F_GETFL, 0) | O_NONBLOCK)
    }
}
