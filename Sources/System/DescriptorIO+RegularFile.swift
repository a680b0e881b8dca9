// Reads files that may be anything.

import Glibc

extension DescriptorIO {
    /// The contents of a regular file: neither opening nor reading it waits for anybody, as it would with a pipe.
    /// - Throws: the error of open(2); EINVAL for what is no regular file, EFBIG for a larger one.
    package static func contents(ofRegularFile path: String, atMost limit: Int) throws(SystemError) -> [UInt8] {
        let file = unsafe OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
        guard file.rawValue >= 0 else { throw .last }
        var status = stat()
        guard unsafe fstat(file.rawValue, &status) == 0 else { throw .last }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(EINVAL) }
        guard status.st_size <= limit else { throw SystemError(EFBIG) }
        return read(file.rawValue, count: Int(status.st_size))
    }
}
