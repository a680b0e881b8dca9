// Reads files that people name.

import Glibc

/// Reads whole files whose names come from a command line, a configuration or a folder, and which may be anything: a
/// FIFO would wait for a writer, a device may have no end.
package enum NamedFile {
    /// Contents of a file.
    /// - Parameters:
    ///   - most: how many bytes it may have.
    ///   - acceptsPipes: whether it may also be a pipe to which another program writes, as a shell's `<(…)` is.
    package static func contents(
        of path: String, atMost most: Int, acceptsPipes: Bool = false
    ) throws(NamedFileError) -> [UInt8] {
        let allowed = acceptsPipes ? "use a regular file or a pipe" : "use a regular file"
        // Opening some devices has effects, and a socket cannot be opened.
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw NamedFileError(path, SystemError.last) }
        guard isAcceptable(status, acceptsPipes) else { throw NamedFileError("it is \(kind(status)); \(allowed)") }
        let file = unsafe OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
        guard file.rawValue >= 0, unsafe fstat(file.rawValue, &status) == 0 else {
            throw NamedFileError(path, SystemError.last)
        }
        // Another file may have taken its place.
        guard isAcceptable(status, acceptsPipes) else { throw NamedFileError("it is \(kind(status)); \(allowed)") }
        guard status.st_size <= most else { throw NamedFileError("it has more than \(size(most))") }
        let bytes = try read(file, atMost: most)
        guard !bytes.isEmpty || status.st_mode & S_IFMT == S_IFREG else {
            throw NamedFileError("it is a pipe that no program writes to; \(allowed)")
        }
        return bytes
    }

    private static func read(_ file: OwnedDescriptor, atMost most: Int) throws(NamedFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { chunk in
                retryingWhenInterrupted { unsafe Glibc.read(file.rawValue, chunk.baseAddress, chunk.count) }
            }
            if count < 0, errno == EAGAIN {
                _ = DescriptorIO.wait(for: POLLIN, on: file.rawValue, milliseconds: -1)
                continue
            }
            guard count >= 0 else { throw NamedFileError(nil, SystemError.last) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= most else { throw NamedFileError("it has more than \(size(most))") }
        }
    }

    private static func isAcceptable(_ status: stat, _ acceptsPipes: Bool) -> Bool {
        let kind = status.st_mode & S_IFMT
        return kind == S_IFREG || (acceptsPipes && kind == S_IFIFO)
    }

    private static func kind(_ status: stat) -> String {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: "a directory"
        case S_IFIFO: "a FIFO"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "not a file"
        }
    }

    private static func size(_ bytes: Int) -> String {
        bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB"
    }
}

/// Why a file cannot be read.
package struct NamedFileError: Error, CustomStringConvertible {
    package let description: String
    /// Whether there is no such file, and no link of that name either.
    package let isMissing: Bool
    /// Whether it is a link to a file that does not exist.
    package private(set) var isDangling = false

    fileprivate init(_ description: String) { (self.description, isMissing) = (description, false) }

    /// - Parameter path: the file that could not be opened; nil when it could not be read.
    fileprivate init(_ path: String?, _ error: SystemError) {
        var status = stat()
        guard error.code == ENOENT, let path, unsafe lstat(path, &status) == 0 else {
            (description, isMissing) = (error.description, error.code == ENOENT)
            return
        }
        (description, isMissing, isDangling) = ("it is a link to a file that does not exist", false, true)
    }
}
