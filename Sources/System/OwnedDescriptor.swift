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

    /// What it was opened for: O_RDONLY, O_WRONLY or O_RDWR.
    package var accessMode: Int32 { linux_fcntl(rawValue, F_GETFL, 0) & O_ACCMODE }

    /// Sets O_NONBLOCK, for all who share the open file.
    package func makeNonBlocking() {
        _ = linux_fcntl(rawValue, F_SETFL, linux_fcntl(rawValue, F_GETFL, 0) | O_NONBLOCK)
    }
}
