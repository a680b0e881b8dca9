// Reads and writes complete data.

import Glibc

/// Reads and writes descriptors completely, however little each system call transfers.
package enum DescriptorIO {
    /// Writes all bytes.
    /// - Throws: the error of write(2); some of the bytes may have been written.
    package static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) throws(SystemError) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { rest in
                retryingWhenInterrupted { unsafe Glibc.write(descriptor, rest.baseAddress, rest.count) }
            }
            guard count > 0 else { throw count < 0 ? .last : SystemError(EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads up to the end of the file or stream.
    /// - Throws: the error of read(2), for example EAGAIN for a non-blocking descriptor.
    package static func read(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { chunk in
                retryingWhenInterrupted { unsafe Glibc.read(descriptor, chunk.baseAddress, chunk.count) }
            }
            guard count >= 0 else { throw .last }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// Reads a range of a file without moving its offset.
    /// - Returns: fewer bytes where the file ends or cannot be read.
    package static func read(_ descriptor: Int32, at offset: Int = 0, count: Int) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, done in
            guard let start = buffer.baseAddress else { return }
            done = unsafe read(descriptor, at: offset, buffer.count, to: start)
        }
    }

    /// Reads a range of a file into memory, without moving its offset.
    /// - Returns: the number of bytes, which is less where the file ends or cannot be read.
    package static func read(
        _ descriptor: Int32, at offset: Int, _ count: Int, to target: UnsafeMutableRawPointer
    ) -> Int {
        var done = 0
        while done < count {
            let got = retryingWhenInterrupted {
                unsafe pread(descriptor, target + done, count - done, off_t(offset + done))
            }
            guard got > 0 else { break }
            done += got
        }
        return done
    }

    /// The contents of a file.
    /// - Throws: the error of open(2) or read(2).
    package static func contents(ofFile path: String) throws(SystemError) -> [UInt8] {
        let file = unsafe OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC))
        guard file.rawValue >= 0 else { throw .last }
        return try read(file.rawValue)
    }

    /// The first bytes of a file: as many as one read returns, which are all of a small one.
    package static func beginning(ofFile path: String, count: Int) throws(SystemError) -> [UInt8] {
        let file = unsafe OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC))
        guard file.rawValue >= 0 else { throw .last }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes { bytes in
            retryingWhenInterrupted { unsafe Glibc.read(file.rawValue, bytes.baseAddress, bytes.count) }
        }
        guard got >= 0 else { throw .last }
        return Array(bytes.prefix(got))
    }

    /// Waits until one of these events (`POLLIN`, `POLLOUT`) occurs, or the other end hangs up.
    /// - Parameter milliseconds: -1 waits without limit.
    /// - Returns: false on timeout.
    package static func wait(for events: Int32, on descriptor: Int32, milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return retryingWhenInterrupted { unsafe poll(&request, 1, milliseconds) } > 0
    }
}
